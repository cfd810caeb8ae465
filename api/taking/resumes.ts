import { createHash } from 'node:crypto';
import type { LinkCaller } from '../../db/platform/database';
import { addResume, storeResume } from '../../db/taking/resumes';
import type { OperationDeps } from '../deps';
import { ApiError } from '../platform/operation/api-error';
import { oneLine } from '../platform/text/one-line';
import { readResume } from './read-resume';
import type { ReadResume } from './read-resume';
import { maxResumeCharacters, maxResumePages } from './resume-kinds';
import type { ResumeProblem } from './resume-kinds';

/*
 * The portal's operation and the start page use these functions for résumés (docs/taking.md#resume).
 */

export type SentResume = { name: string; file: Buffer };
type Deps = Pick<OperationDeps, 'database' | 'objects'>;

const sentences: Readonly<Record<ResumeProblem, string>> = {
  size: 'The file must have at most 5 MB.',
  kind: 'The file must be a PDF, a Word document (DOCX) or plain text in UTF-8.',
  pages: `The file must have at most ${maxResumePages} pages and ${maxResumeCharacters.toLocaleString('en')} characters.`,
  protected: 'The file is protected with a password. Send it without one.',
  unreadable: 'The file cannot be read. Save it again as a PDF.',
};

/** Adds a résumé to the running attempt. Throws a 422 for a file that is not accepted. */
export async function addSentResume(deps: Deps, caller: LinkCaller, sent: SentResume) {
  if (sent.file.length === 0) throw new ApiError('required', 'The body must be the file.');
  const read = await readResume(sent.file, caller.enrolmentId);
  if ('problem' in read)
    throw new ApiError(read.problem === 'size' ? 'body_too_large' : 'invalid_value', sentences[read.problem]);
  return storeReadResume(deps, caller, sent, read);
}

/**
 * Stores a résumé that was read. The same file again changes nothing. Throws a 409 if the attempt has another one or takes
 * none, and a 503 if the object store does not take the file, which can then be sent again.
 */
export async function storeReadResume(
  { database, objects }: Deps,
  caller: LinkCaller,
  { name: sentName, file }: SentResume,
  { kind, text }: ReadResume,
): Promise<{ name: string; bytes: number; is_readable: boolean }> {
  const name = nameOf(sentName, kind);
  const sha256 = createHash('sha256').update(file).digest();
  const added = await database.write(caller, (trx) =>
    trx.one(addResume({ name, kind, bytes: file.length, sha256, text })),
  );
  const { outcome, resume_id: id, path } = added;
  if (outcome === 'other') throw conflict('This attempt has another résumé already.');
  if (outcome === 'not_asked') throw conflict('This interview does not ask for a résumé.');
  if (outcome === 'not_running') throw conflict('The attempt has ended or has not begun.');
  if (id !== null && path !== null) {
    await objects.put(path, file).catch(rejectAsAway);
    const { is_stored: isStored } = await database.write(caller, (trx) => trx.one(storeResume(id)));
    if (!isStored) throw conflict('This attempt has ended or got another résumé.');
  }
  return { name, bytes: file.length, is_readable: text !== null };
}

/** Returns the name of a file for lists: without a path, in one line. */
function nameOf(sent: string, kind: ReadResume['kind']): string {
  const name = oneLine(sent.slice(0, 1_000).toWellFormed().split(/[/\\]/).at(-1) ?? '')
    .slice(0, 200)
    .trim();
  return name === '' ? `resume.${kind}` : name.toWellFormed();
}

const conflict = (sentence: string) => new ApiError('state_conflict', sentence);

function rejectAsAway(cause: unknown): never {
  throw Object.assign(
    new ApiError(
      'service_unavailable',
      'The file cannot be stored at the moment. Send the same request again.',
    ),
    { cause },
  );
}
