import type { Statement } from '../platform/statement';

/** What is known of a file. `text` is null if it has none that can be read. */
export type NewResume = {
  name: string;
  kind: 'pdf' | 'docx' | 'txt';
  bytes: number;
  sha256: Buffer;
  text: string | null;
};

/**
 * Records the résumé of the running attempt, before its file is put into the object store. The worker deletes it again
 * unless it is stored within an hour. `same` means that the attempt has this file already, and `other` that it has another
 * one.
 */
export const addResume = ({
  name,
  kind,
  bytes,
  sha256,
  text,
}: NewResume): Statement<{
  outcome: 'added' | 'same' | 'other' | 'not_running' | 'not_asked';
  resume_id: string | null;
  path: string | null;
}> => ({
  name: 'add_resume',
  text: 'select * from app.add_resume($1, $2, $3, $4, $5)',
  values: [name, kind, bytes, sha256, text],
});

/** Records that the file is in the object store. `is_stored` is false if the attempt has ended or got another one. */
export const storeResume = (resumeId: string): Statement<{ is_stored: boolean }> => ({
  name: 'store_resume',
  text: 'select app.store_resume($1) as is_stored',
  values: [resumeId],
});
