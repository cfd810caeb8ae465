import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createPdfWriter,
  DocumentNotWritten,
  DocumentTooLarge,
} from '../../../activities/platform/pdf-writer';
import type { PdfWriter } from '../../../activities/platform/pdf-writer';
import { until } from '../../harness/wait-for';

/* The templates of these tests contain what `pdfText` removes from the texts of documents. */

const folder = mkdtempSync(path.join(tmpdir(), 'pdf-writer-'));
const failed: string[] = [];
const open: PdfWriter[] = [];
const createWriter = (limitMs?: number): PdfWriter => {
  const writer = createPdfWriter({
    onFailedTry: (reason) => failed.push(reason),
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  open.push(writer);
  return writer;
};
const template = (name: string, source: string): string => {
  const file = path.join(folder, `${name}.typ`);
  writeFileSync(file, source);
  return file;
};
/** The id, the parent and the command of all processes that write documents. A process that has ended has no command. */
const allProcesses = () =>
  execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('pdf-child.js'))
    .map((line) => line.trim().split(/\s+/));
/** The ids of the processes that this process, or the one with the given id, has started to write documents. */
const processes = (of = process.pid): number[] =>
  allProcesses()
    .filter(([, parent]) => Number(parent) === of)
    .map(([id]) => Number(id));

const text = template('text', '#data.text');
const crash = template('crash', '#("क्ष्" * 100)');
const memory = template(
  'memory',
  '#set text(font: fonts)\n#for n in range(20) { par("a" + "\\u{301}" * (19990 + n)) }',
);
const endless = template(
  'endless',
  '#for a in range(9000) { for b in range(9000) { for c in range(9000) { } } }',
);
const wrong = template('wrong', '#panic(data.text)');

beforeEach(() => failed.splice(0));
afterEach(async () => {
  for (const writer of open.splice(0)) writer.close();
  await until('the processes to end', () => processes().length === 0, Boolean);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('createPdfWriter', () => {
  it('uses a process for several documents, and another one for a document at the same time', async () => {
    const writer = createWriter();
    expect((await writer.write(text, { text: 'one' })).subarray(0, 4).toString()).toBe('%PDF');
    const first = processes();
    await writer.write(text, { text: 'two' });
    expect(processes()).toEqual(first);
    await Promise.all([1, 2, 3].map((each) => writer.write(text, { text: String(each) })));
    await until('one of three processes to end', () => processes().length === 2, Boolean);
    expect(failed).toEqual([]);
  });

  it('tries a document that ends its process three times, while others are written', async () => {
    const writer = createWriter();
    const crashing = writer.write(crash, {}).catch((error: unknown) => error);
    const others = [1, 2, 3].map((each) => writer.write(text, { text: String(each) }));
    expect(await Promise.all(others)).toHaveLength(3);
    expect(await crashing).toBeInstanceOf(DocumentNotWritten);
    const reason = expect.stringMatching(/^the process ended with SIGABRT, panic at \S+ot_shaper_indic.rs:/);
    expect(failed).toEqual([reason, reason, reason]);
  });

  it('ends a process that uses more than 1 GiB', async () => {
    await expect(createWriter().write(memory, {})).rejects.toBeInstanceOf(DocumentTooLarge);
    expect(failed).toEqual(Array(3).fill('the memory limit was exceeded'));
  });

  it('ends a process that takes too long', async () => {
    await expect(createWriter(1_000).write(endless, {})).rejects.toBeInstanceOf(DocumentTooLarge);
    expect(failed).toEqual(Array(3).fill('the time limit was exceeded'));
  });

  it('tries a document that the compiler rejects once, and does not repeat its texts', async () => {
    const writer = createWriter();
    await expect(writer.write(wrong, { text: 'Ann Lind' })).rejects.toEqual(
      new DocumentNotWritten('wrong.typ does not compile: panicked with'),
    );
    await writer.write(text, { text: 'next' });
    expect(failed).toEqual([]);
  });

  it('limits texts before the compiler gets them', async () => {
    const texts = ['\u2067a\u2066b'.repeat(85), 'क्ष्'.repeat(100), `a${'\u0301'.repeat(19_999)}`];
    await createWriter().write(text, { text: texts.join('\n\n') });
    expect(failed).toEqual([]);
  });

  it('ends the process when the signal aborts', async () => {
    const stop = new AbortController();
    const writing = createWriter().write(endless, {}, stop.signal);
    await until('the process to start', () => processes().length === 1, Boolean);
    stop.abort(new Error('cancelled'));
    await expect(writing).rejects.toThrow('cancelled');
    expect(failed).toEqual([]);
  });

  it('leaves no process when the worker is killed, busy or not', async () => {
    const build = path.resolve(__dirname, '../../../dist/activities/platform/pdf-writer.js');
    const source = `
      const { write } = require(${JSON.stringify(build)}).createPdfWriter({ onFailedTry: () => undefined });
      const begin = async () => {
        await Promise.all([1, 2].map(() => write(${JSON.stringify(text)}, { text: 'x' })));
        void write(${JSON.stringify(endless)}, {});
        console.log('busy');
      };
      void begin();`;
    const worker = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(worker.stdout, 'data');
    const started = processes(worker.pid);
    expect(started).toHaveLength(2);
    worker.kill('SIGKILL');
    await until(
      'its processes to end',
      () => !allProcesses().some(([id]) => started.includes(Number(id))),
      Boolean,
    );
  });
});
