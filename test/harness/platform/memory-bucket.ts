import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The number of keys on a page of a list. It is small, so that a test with a few files gets several pages. */
const keysOfPage = 2;

/**
 * Starts a server that stores the files of one bucket in memory and speaks the part of the S3 protocol that the
 * object store uses: put, get, delete and list. It responds with 503 to requests whose method is in `failures`.
 */
export async function startMemoryBucket(bucket: string) {
  const files = new Map<string, Buffer>();
  const failures = new Set<string>();
  const server = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', endpoint);
    const key = decodeURIComponent(url.pathname).slice(`/${bucket}/`.length);
    if (failures.has(request.method ?? '')) return void response.writeHead(503).end();
    if (url.searchParams.get('list-type') === '2') return void response.end(list(url.searchParams));
    if (request.method === 'PUT') {
      files.set(key, Buffer.concat(chunks));
      return void response.writeHead(200, { etag: '"1"' }).end();
    }
    if (request.method === 'DELETE') {
      files.delete(key);
      return void response.writeHead(204).end();
    }
    const found = files.get(key);
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (found && start !== undefined) {
      const part = found.subarray(Number(start), Number(end) + 1);
      return void response.writeHead(206, { 'content-length': part.length }).end(part);
    }
    if (found) return void response.writeHead(200, { 'content-length': found.length }).end(found);
    response.writeHead(404, { 'content-type': 'application/xml' });
    response.end('<Error><Code>NoSuchKey</Code><Message>There is no such file.</Message></Error>');
  }

  function list(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? '';
    const keys = [...files.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .toSorted();
    const page = keys.slice(0, keysOfPage);
    const next = keys.length > page.length ? page.at(-1) : undefined;
    return `<ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated>${page
      .map((key) => `<Contents><Key>${key}</Key></Contents>`)
      .join(
        '',
      )}${next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}</ListBucketResult>`;
  }

  return {
    endpoint,
    files,
    failures,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
