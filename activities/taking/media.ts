import {
  ALL_FORMATS,
  BufferTarget,
  CustomSource,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  Mp4OutputFormat,
  Output,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import type { AudioCodec, EncodedPacket, InputAudioTrack, OutputFormat } from 'mediabunny';

/*
 * Reads the containers of recordings. Damaged files can make the parser loop forever, so this code runs in a thread
 * that can be ended (media-thread.ts).
 */

/** Returns the bytes of a file from `start` (inclusive) to `end` (exclusive). */
type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;
export type MediaBytes = { sizeBytes: number; read: ReadBytes };
/** A part of a recording's sound as a file. The extension of `name` tells the provider the format. */
export type SoundFile = { name: string; bytes: Uint8Array };
/** Sound after `maxSeconds` is left out. */
export type SoundLimits = { maxBytes: number; maxSeconds: number | null };

/** A longer length is implausible, because an attempt can upload only 200 MiB. */
const maxLengthMs = 24 * 3_600_000;

/** `lengthMs` is the length of a recording according to its container, or null if it has none. */
export type MeasuredMedia = { lengthMs: number | null; isSoundOnly: boolean };

/** Returns the length of a recording, and whether it has sound but no picture. Throws if the file is not a recording. */
export async function measureMedia(media: MediaBytes): Promise<MeasuredMedia> {
  const input = openInput(media);
  const ms = Math.round((await input.computeDuration()) * 1_000);
  const isSoundOnly =
    (await input.getPrimaryAudioTrack()) !== null && (await input.getPrimaryVideoTrack()) === null;
  input.dispose();
  return { lengthMs: ms > 0 && ms <= maxLengthMs ? ms : null, isSoundOnly };
}

/**
 * Passes the sound of a recording to `onFile` in consecutive files of at most `maxBytes`, without the picture. The
 * encoded sound is copied, not encoded again. Throws if the file is not a recording.
 */
export async function copySound(
  media: MediaBytes,
  { maxBytes, maxSeconds }: SoundLimits,
  onFile: (file: SoundFile) => Promise<void>,
): Promise<void> {
  const input = openInput(media);
  const track = await input.getPrimaryAudioTrack();
  for await (const file of soundFiles(track, maxBytes, maxSeconds ?? Infinity)) await onFile(file);
  input.dispose();
}

const openInput = ({ sizeBytes, read }: MediaBytes): Input =>
  new Input({
    formats: ALL_FORMATS,
    source: new CustomSource({
      getSize: () => sizeBytes,
      read,
      prefetchProfile: 'network',
      handleUnhandledError: () => undefined,
    }),
  });

async function* soundFiles(
  track: InputAudioTrack | null,
  maxBytes: number,
  maxSeconds: number,
): AsyncGenerator<SoundFile> {
  const codec = await track?.getCodec();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !codec || !decoderConfig) return;
  const { extension, create } = formatOf(codec);
  let packets: EncodedPacket[] = [];
  let bytes = 0;
  const flush = async (): Promise<SoundFile> => {
    const target = new BufferTarget();
    const output = new Output({ format: create(), target });
    const source = new EncodedAudioPacketSource(codec);
    output.addAudioTrack(source);
    await output.start();
    const begin = packets[0]?.timestamp ?? 0;
    for (const packet of packets)
      await source.add(packet.clone({ timestamp: packet.timestamp - begin }), { decoderConfig });
    await output.finalize();
    packets = [];
    bytes = 0;
    return { name: `sound.${extension}`, bytes: new Uint8Array(target.buffer ?? []) };
  };
  for await (const packet of new EncodedPacketSink(track).packets()) {
    if (packet.timestamp >= maxSeconds) break;
    const size = packet.byteLength + bytesPerPacket;
    if (packets.length > 0 && bytes + size > maxBytes - bytesOfHeaders) yield await flush();
    packets.push(packet);
    bytes += size;
  }
  if (packets.length > 0) yield await flush();
}

/** Upper limits for what a container adds to each packet and to the whole file. */
const bytesPerPacket = 32;
const bytesOfHeaders = 65_536;

/** Returns a container that can hold the codec and that the transcription provider accepts. */
function formatOf(codec: AudioCodec): { extension: string; create: () => OutputFormat } {
  if (codec.startsWith('pcm') || codec === 'ulaw' || codec === 'alaw')
    return { extension: 'wav', create: () => new WavOutputFormat() };
  if (codec === 'opus' || codec === 'vorbis')
    return { extension: 'webm', create: () => new WebMOutputFormat() };
  return { extension: 'm4a', create: () => new Mp4OutputFormat() };
}
