import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The response to a DNS question: addresses, texts, an unknown name, a server failure, or no response at all. */
export type NameAnswer = string[] | { txt: string[] } | 'unknown' | 'failure' | 'silence';
export type QuestionType = 'A' | 'AAAA' | 'TXT';
export type NameServer = Awaited<ReturnType<typeof startNameServer>>;

const types: Record<number, QuestionType> = { 1: 'A', 16: 'TXT', 28: 'AAAA' };

/**
 * Starts a DNS server over UDP. The server calls `answer` for every new question, so that responses can change over
 * time.
 */
export async function startNameServer(
  answer: (name: string, type: QuestionType) => NameAnswer | Promise<NameAnswer>,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
) {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  /** The answers that were already given, by question. A client that repeats a question gets the same answer again. */
  const put = new Map<string, NameAnswer | Promise<NameAnswer>>();
  socket.on('message', async (query, { port: from, address }) => {
    const read = readQuestion(query);
    if (!read) return;
    const { name, type, end } = read;
    const question = `${from} ${query.readUInt16BE(0)} ${type} ${name}`;
    if (!put.has(question)) put.set(question, answer(name, type));
    const given = (await put.get(question)) ?? 'silence';
    if (put.size > 1_000) put.clear();
    if (given !== 'silence') socket.send(writeAnswer(query, end, given), from, address);
  });
  socket.bind(port, host);
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => {
      socket.close();
    },
  };
}

const headerBytes = 12;

/** Returns undefined when the query is not a valid question. */
function readQuestion(query: Buffer): { name: string; type: QuestionType; end: number } | undefined {
  try {
    const labels: string[] = [];
    let at = headerBytes;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = types[query.readUInt16BE(at + 1)];
    return type && { name: labels.join('.'), type, end: at + 5 };
  } catch {
    return undefined;
  }
}

function writeAnswer(query: Buffer, end: number, given: Exclude<NameAnswer, 'silence'>): Buffer {
  const records =
    typeof given === 'string'
      ? []
      : Array.isArray(given)
        ? given.map(addressRecord)
        : given.txt.map((text) => record(16, textBytes(text)));
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // Sets the flags of a response with recursion desired and available, and the response code.
  header.writeUInt16BE(0x8180 | (given === 'unknown' ? 3 : given === 'failure' ? 2 : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...records]);
}

function addressRecord(address: string): Buffer {
  const isV6 = address.includes(':');
  return record(isV6 ? 28 : 1, isV6 ? v6Bytes(address) : Buffer.from(address.split('.').map(Number)));
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // Writes a pointer to the name in the question, the type, the class IN and the length. The TTL stays 0.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Splits a text into parts of at most 255 bytes, each preceded by its length. */
function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, index) =>
    bytes.subarray(index * 255, (index + 1) * 255),
  );
  return Buffer.concat(pieces.flatMap((piece) => [Buffer.from([piece.length]), piece]));
}

/** Converts an IPv6 address to bytes. Addresses that contain a dotted quad are not supported. */
function v6Bytes(address: string): Buffer {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
