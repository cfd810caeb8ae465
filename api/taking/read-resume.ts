import { execFile } from 'node:child_process';
import { compiledScript, limitedProcessCommand } from '../../db/platform/limited-process';
import { createLanes } from '../platform/http/database-lanes';
import { maxResumeBytes } from './resume-kinds';
import type { ResumeTextOutcome, ResumeKind, ResumeProblem } from './resume-kinds';

/** An ordinary résumé takes a quarter of a second. */
const maxSeconds = 10;
const limits = { memoryKb: 786_432, cpuSeconds: maxSeconds };
/** At most two processes read résumés, and each waits this long for its turn. */
const lanes = createLanes(2, { waitMs: 20_000 });
const maxWaiting = 50;
/** One link has one file read at a time. */
const links = createLanes(1, { waitMs: 20_000 });

export type ReadResume = { kind: ResumeKind; text: string | null };

/**
 * Reads the text of a résumé in a process of its own (read-resume-child.ts). The text is null if the file has none, such
 * as a scanned page. Returns the problem with a file that is not accepted. `link` is the candidate's enrolment. Throws a
 * 503 if too many files wait.
 */
export async function readResume(
  file: Buffer,
  link: string,
  script = compiledScript(__dirname, 'read-resume-child.js'),
): Promise<ReadResume | { problem: ResumeProblem }> {
  if (file.length > maxResumeBytes) return { problem: 'size' };
  const kind = kindOf(file);
  const read = await links.run(
    link,
    () => lanes.run('resumes', () => runChild(file, kind, script), maxWaiting),
    1,
  );
  if ('problem' in read) return read;
  return { kind, text: /[\p{L}\p{N}]/u.test(read.text) ? read.text : null };
}

/** A PDF may begin with other bytes, of which readers accept 1,024. Word documents are archives. */
function kindOf(file: Buffer): ResumeKind {
  if (file.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  return file.subarray(0, 4).equals(Buffer.from('PK\x03\x04')) ? 'docx' : 'txt';
}

/** The process has no environment variables, so it knows no secrets. */
const runChild = (file: Buffer, kind: ResumeKind, script: string): Promise<ResumeTextOutcome> =>
  new Promise((resolve, reject) => {
    const child = execFile(
      ...limitedProcessCommand(limits, '--max-old-space-size=512', script, kind),
      { env: {}, timeout: maxSeconds * 1000, killSignal: 'SIGKILL' },
      (failure, reply) => {
        if (!failure) resolve(JSON.parse(reply) as ResumeTextOutcome);
        // This error means that no process could be started, which is not the fault of the file.
        else if (failure.syscall !== undefined) reject(failure);
        else resolve({ problem: 'unreadable' });
      },
    );
    // A process that ended before it has read the file is reported above.
    child.stdin?.on('error', () => undefined).end(file);
  });
