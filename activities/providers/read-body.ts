import { ProviderError } from './provider-error';

/** Reads the body of a response. Throws ProviderError, and reads no further, if it has more than `maxBytes`. */
export async function readBody(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
  provider: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes) throw new ProviderError(provider, 'too_long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
