import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

export type MediaKind = 'webm' | 'mp4' | 'ogg' | 'wav';

const packetsMs = { webm: 100, mp4: 100, ogg: 20, wav: 100 };
const opusHead = Buffer.from('4f707573486561640101000080bb0000000000', 'hex');
const aacLc = Buffer.from('1188', 'hex');
const picture = Buffer.alloc(20_000, 7);

/**
 * Returns a recording that lasts this many milliseconds. Like the recording of a browser, it has no length in its
 * header. The packets contain no real sound. The packet at `textAtMs` contains `text`, which the fake transcription
 * finds.
 */
export async function mediaFile(
  kind: MediaKind,
  lengthMs: number,
  {
    text = '',
    textAtMs = 0,
    hasPicture = false,
    packetBytes = 100,
  }: { text?: string; textAtMs?: number; hasPicture?: boolean; packetBytes?: number } = {},
): Promise<Buffer> {
  const packetMs = packetsMs[kind];
  const target = new BufferTarget();
  const output = new Output({ format: formats[kind](), target });
  const sound = new EncodedAudioPacketSource(codecs[kind]);
  const images = new EncodedVideoPacketSource('vp8');
  output.addAudioTrack(sound);
  if (hasPicture) output.addVideoTrack(images);
  await output.start();
  for (let at = 0; at < lengthMs; at += packetMs) {
    const seconds = Math.min(packetMs, lengthMs - at) / 1_000;
    if (hasPicture)
      await images.add(new EncodedPacket(picture, 'key', at / 1_000, seconds), {
        decoderConfig: { codec: 'vp8', codedWidth: 320, codedHeight: 240 },
      });
    const size = kind === 'wav' ? Math.round(seconds * 8_000) * 2 : packetBytes;
    const bytes = Buffer.alloc(Math.max(size, 1), 1);
    if (at === textAtMs) Buffer.from(`fake-transcript:${text}\0`).copy(bytes);
    await sound.add(new EncodedPacket(bytes, 'key', at / 1_000, seconds), { decoderConfig: configs[kind] });
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

const formats = {
  webm: () => new WebMOutputFormat({ appendOnly: true }),
  mp4: () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  ogg: () => new OggOutputFormat(),
  wav: () => new WavOutputFormat(),
};
const codecs = { webm: 'opus', mp4: 'aac', ogg: 'opus', wav: 'pcm-s16' } as const;
const opus = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description: opusHead };
const configs = {
  webm: opus,
  mp4: { codec: 'mp4a.40.2', sampleRate: 48_000, numberOfChannels: 1, description: aacLc },
  ogg: opus,
  wav: { codec: 'pcm-s16', sampleRate: 8_000, numberOfChannels: 1 },
};
