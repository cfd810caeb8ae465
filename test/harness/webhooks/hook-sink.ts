import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { atEnd } from '../at-end';

export type Received = {
  path: string;
  id: string;
  attempt: number;
  headers: IncomingHttpHeaders;
  body: string;
};
export type Answer = (received: Received, response: ServerResponse) => void;

/** Returns an `Answer` that responds with this status immediately. */
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end('the receiver’s words');
export const never: Answer = () => undefined;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a receiver of webhooks or mails on a free port. The receiver keeps every request in `received` and calls
 * `answer` to respond; by default that is a 200. It is closed when the test file ends.
 */
export async function startReceiver() {
  const received: Received[] = [];
  const receiver = { url: '', received, connections: 0, answer: status(200), close: async () => {} };
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
  server.on('connection', () => (receiver.connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  receiver.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  receiver.close = async () => {
    server.closeAllConnections();
    server.close();
  };
  atEnd(receiver.close);
  return receiver;
}
