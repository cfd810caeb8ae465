import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What a question is answered by: addresses, no such name, a failure of the server, or nothing at all. */
export type NameAnswer = string[] | 'unknown' | 'failure' | 'silence';
export type NameServer = Awaited<ReturnType<typeof startNameServer>>;

/** A real name server on loopback: `answer` is asked at every question, so that it can change its mind. */
export async function startNameServer(
  answer: (name: string, type: 'A' | 'AAAA') => NameAnswer | Promise<NameAnswer>,
) {
  const socket = createSocket('udp4');
  /** A question that is put again because its answer is late is the same question. */
  const put = new Map<string, NameAnswer | Promise<NameAnswer>>();
  socket.on('message', async (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const question = `${port} ${query.readUInt16BE(0)} ${type} ${name}`;
    if (!put.has(question)) put.set(question, answer(name, type));
    const told = (await put.get(question)) ?? 'silence';
    if (told !== 'silence') socket.send(writeAnswer(query, end, told), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => {
      socket.close();
    },
  };
}

const headerBytes = 12;

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A', end: at + 5 };
}

function writeAnswer(query: Buffer, end: number, told: Exclude<NameAnswer, 'silence'>): Buffer {
  const records = Array.isArray(told) ? told : [];
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // An answer, recursion asked for and there; then its kind.
  header.writeUInt16BE(0x8180 | (told === 'unknown' ? 3 : told === 'failure' ? 2 : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...records.map(writeRecord)]);
}

function writeRecord(address: string): Buffer {
  const data = address.includes(':') ? v6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  // The question's name, its type, the internet, no seconds of life.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(data.length === 16 ? 28 : 1, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Of an address without dotted quad. */
function v6Bytes(address: string): Buffer {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
