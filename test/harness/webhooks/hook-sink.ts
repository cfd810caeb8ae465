import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export type Received = {
  path: string;
  id: string;
  attempt: number;
  headers: IncomingHttpHeaders;
  body: string;
};
export type Answer = (received: Received, response: ServerResponse) => void;

/** Responds with this status at once. */
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end('the receiver’s words');
export const never: Answer = () => undefined;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a receiver of webhooks on a free port. It keeps what it receives and responds with `answer`, which is 200 at
 * first.
 */
export async function startReceiver() {
  const received: Received[] = [];
  const receiver = { url: '', received, answer: status(200), close: async () => {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        id: String(request.headers['webhook-id']),
        attempt: Number(request.headers['x-platform-attempt']),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(one);
      receiver.answer(one, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  receiver.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  receiver.close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return receiver;
}
