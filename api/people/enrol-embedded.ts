import type { Transaction } from '../../db/platform/database';
import { lockAndReadCandidates, storePeople } from './enrol';
import type { OpenScope, StoredPerson } from './enrol';
import { planEnrolments, toEnrolmentRequest } from './enrolment-plan';
import { candidateRow } from './user-rows';
import type { CandidateRow } from './user-rows';
import { validateRow } from './validate-row';
import type { ValidatedRow } from './validate-row';

const storedKeys = new Set(Object.keys(candidateRow.shape));

/** Reads a candidate whom another server has sent. Fields are validated as in `job-interview-register-users`. */
export const validateSentCandidate = (sent: unknown): ValidatedRow<CandidateRow> =>
  validateRow(sent, candidateRow, storedKeys);

/**
 * Enrols a candidate of an embedded interview, who is identified as in `job-interview-register-users`
 * (docs/people.md#registering-candidates). If `isOpen` is false, the candidate must be enrolled already and is not
 * changed. `claimToken` is called before anything is stored, and returns false if the token was used before.
 */
export async function enrolEmbedded(
  trx: Transaction,
  { scope, row, isOpen }: { scope: OpenScope; row: CandidateRow; isOpen: boolean },
  claimToken: () => Promise<boolean>,
): Promise<StoredPerson | 'external_id_taken' | 'closed' | 'token_used'> {
  const wanted = toEnrolmentRequest(row, scope);
  const plan = planEnrolments(await lockAndReadCandidates(trx, [wanted]), new Map([[scope.scope_id, scope]]));
  if (plan.isAmbiguous(wanted)) return 'external_id_taken';
  const known = plan.find(wanted)?.known;
  if (!known && !isOpen) return 'closed';
  if (!(await claimToken())) return 'token_used';
  if (known && !isOpen)
    return {
      enrolment_id: known.id,
      profile_id: known.profile_id,
      link_generation: known.link_generation,
    };
  const person = plan.apply(wanted);
  const stored = await storePeople(trx, [person], new Set(), {
    language: scope.platform_language_code,
    source: 'registered',
  });
  const own = stored.get(person);
  if (!own) throw new Error('the candidate was not stored');
  return own;
}
