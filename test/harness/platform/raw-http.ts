import { connect } from 'node:net';

type RawReply = { status: number; headers: Record<string, string>; body: string };

/** Sends these bytes over a new socket and reads the first reply. */
export function sendRaw(origin: string, bytes: string | Buffer): Promise<RawReply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const finish = () => {
      socket.destroy();
      resolve(parse(Buffer.concat(chunks).toString('latin1')));
    };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (parse(Buffer.concat(chunks).toString('latin1')).isComplete) finish();
    });
    socket.on('end', finish);
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)));
  });
}

/** Parses the first reply. After a broken body, a second reply may follow. */
function parse(text: string): RawReply & { isComplete: boolean } {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  const body = rest.join('\r\n\r\n');
  return {
    status: Number(start.split(' ')[1]),
    headers,
    body: body.slice(0, length),
    isComplete: rest.length > 0 && body.length >= length,
  };
}
