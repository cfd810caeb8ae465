import { spawn } from 'node:child_process';
import { compiledScript, limitedProcessCommand } from '../../db/platform/limited-process';
import type { PdfReply, PdfRequest } from './pdf-child';

/**
 * The memory limit of a process, in KiB. Linux counts all memory that a process can write. On other systems, only
 * pdf-watchdog.ts enforces the limit.
 */
const memoryLimitKb = 1_048_576;
const heapLimitMb = 256;
/** The size of the end of the error output that is kept. */
const maxLastWords = 4_000;

/** Thrown if a process ended before it had written its document. `isLimit` is true if it exceeded a limit. */
export class PdfProcessFailed extends Error {
  constructor(
    message: string,
    readonly isLimit: boolean,
  ) {
    super(message);
  }
}

export type PdfProcess = ReturnType<typeof startPdfProcess>;

/**
 * Starts a process that writes one document at a time (pdf-child.ts). It has no environment variables, so it knows no
 * secrets.
 */
export function startPdfProcess(onExit: () => void) {
  const [command, options] = limitedProcessCommand(
    { memoryKb: memoryLimitKb },
    `--max-old-space-size=${heapLimitMb}`,
    '--expose-gc',
    compiledScript(__dirname, 'pdf-child.js'),
    String(process.pid),
  );
  const child = spawn(command, options, {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (words: string) => {
    lastWords = (lastWords + words).slice(-maxLastWords);
  });
  let pending: { resolve: (reply: PdfReply) => void; reject: (error: unknown) => void } | undefined;
  let endedFor: Error | undefined;
  child.on('message', (reply: PdfReply) => pending?.resolve(reply));
  child.once('close', (code, signal) => {
    onExit();
    pending?.reject(endedFor ?? failureOf(lastWords, signal ?? code));
  });
  // This error means that no process could be started, which is not the fault of the document.
  child.once('error', (error) => {
    onExit();
    pending?.reject(error);
  });
  const end = () => void child.kill('SIGKILL');
  const endFor = (reason: unknown) => {
    endedFor ??= reason as Error;
    end();
  };

  return {
    end,
    /** Has the process write a document. Ends the process after `limitMs`, or when the signal aborts. */
    send: (request: PdfRequest, limitMs: number, signal?: AbortSignal): Promise<PdfReply> => {
      const timer = setTimeout(
        () => endFor(new PdfProcessFailed('the time limit was exceeded', true)),
        limitMs,
      );
      const onAbort = () => endFor(signal?.reason);
      signal?.addEventListener('abort', onAbort);
      return new Promise<PdfReply>((resolve, reject) => {
        pending = { resolve, reject };
        // If the process has ended already, the event `close` follows.
        child.send(request, () => undefined);
      }).finally(() => {
        pending = undefined;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      });
    },
  };
}

/** Returns why a process ended. The words of a panic can contain text of the document, so only its place is kept. */
function failureOf(lastWords: string, end: NodeJS.Signals | number | null): PdfProcessFailed {
  // The watchdog and the system end a process with SIGKILL if it uses too much memory.
  if (end === 'SIGKILL' || /memory allocation of|out of memory/i.test(lastWords))
    return new PdfProcessFailed('the memory limit was exceeded', true);
  const [, place] = /panicked at (\S{1,300}:\d+):/.exec(lastWords) ?? [];
  return new PdfProcessFailed(`the process ended with ${end}${place ? `, panic at ${place}` : ''}`, false);
}
