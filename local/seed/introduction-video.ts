import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';

/** Two pictures of a drawn face, encoded as VP8: one with a closed mouth, one with an open mouth. */
const pictures = [
  'UAsAnQEqoAB4AAsHCIWFiJmEiDgCA1XyqXEfqz9Wfqij5G7HWA880/HkKEmfsKKQZmzug4bDYyLA7yfV8uc0cKnhEzOY3c/59eQCweuYNWKyAjSuAG5/f0mQz5Mk5NxKTuPOAP7lapwAOitbELporiY3S8pxGbm1x6jATEYkG3ngMwNMKLP8WKXfCiDVXz5KeSo33pt8SX+Pi4ici1tEftO21utDNQasmW5BNIXTaVDjC88qJ39JeaAG/PAA',
  'kAsAnQEqoAB4AAqHCIWFiJmEiDgCA1bisBv2/0FRbLwj5HVRcdaPUaaEKEmfyraQd0DGGUMjqXoU/AsQ5huic8RTraELD7mkNUppzs0LvXsZbQesPI1c7dN0dTUBh2zfpOqt+WgA/uVqoeslm4IR1jGs2H3OyBEZubXHqMBMmehdV33gQsY13zexUKK5auREQKDVsbCh3Tk796f181l0ci2U58pbuBOD8ero5O4EXP54BqOx4cExIYc1C6xv1j8aAA==',
].map((picture) => Buffer.from(picture, 'base64'));

const pictureSeconds = 0.25;
const count = 12;

/** Returns a WebM video of three seconds without sound, always with the same bytes, in which a drawn face speaks. */
export async function introductionVideo(): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new EncodedVideoPacketSource('vp8');
  output.addVideoTrack(source);
  await output.start();
  for (let index = 0; index < count; index++) {
    const bytes = pictures[index % pictures.length] ?? new Uint8Array();
    await source.add(new EncodedPacket(bytes, 'key', index * pictureSeconds, pictureSeconds), {
      decoderConfig: { codec: 'vp8', codedWidth: 160, codedHeight: 120 },
    });
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}
