import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Output, WebMOutputFormat } from 'mediabunny';

const packetMs = 60;
const bytesPerSecond = 4_000;
const opusHead = Buffer.from('4f707573486561640101000080bb0000000000', 'hex');

/**
 * Returns a WebM file with as many bytes as a browser records in this time at 32 kbit/s. Its packets contain no real
 * sound, for which the fake transcription returns sentences all the same.
 */
export async function recordVoice(seconds: number): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat({ appendOnly: true }), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description: opusHead };
  const bytes = Buffer.alloc((bytesPerSecond * packetMs) / 1_000, 1);
  for (let at = 0; at < seconds * 1_000; at += packetMs)
    await source.add(new EncodedPacket(bytes, 'key', at / 1_000, packetMs / 1_000), { decoderConfig });
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}
