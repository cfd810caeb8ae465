import { reserveInvitations } from '../../db/account/public';
import {
  findCandidateProfiles,
  findEnrolments,
  findEnrolmentScopes,
  insertCandidateProfiles,
  insertEnrolments,
  lockEnrolmentScopes,
  renewEnrolments,
} from '../../db/people/enrolments';
import type {
  EnrolmentRow,
  EnrolmentScope,
  EnrolmentSource,
  EnrolmentScopeDetails,
} from '../../db/people/enrolments';
import type { Transaction } from '../../db/platform/database';
import { ApiError } from '../platform/operation/api-error';
import { availableUntilMs } from '../platform/text/available-until';
import { isChanged } from './enrolment-plan';
import type { PlannedCandidate, EnrolmentRequest } from './enrolment-plan';
import type { RowError } from './validate-row';

/** The ids of a person that `storePeople` has stored. */
export type StoredPerson = { enrolment_id: string; profile_id: string; link_generation: number };

/** An interview or position that accepts candidates. */
export type OpenScope = EnrolmentScope & { interview_id: string };

export const noInvitationsLeftError: RowError = {
  code: 'budget_exhausted',
  error: 'No invitations left in this period',
};

/** The error of a row whose external_id and email belong to different people. */
export const externalIdTakenError: RowError = {
  code: 'external_id_taken',
  error: 'external_id belongs to another candidate',
};

/** Returns the interviews and positions with these ids that the caller may see, keyed by id. */
export async function findScopes(
  trx: Transaction,
  ids: string[],
): Promise<Map<string, EnrolmentScopeDetails>> {
  const scopes = await trx.rows(findEnrolmentScopes(ids));
  return new Map(scopes.map((scope) => [scope.scope_id, scope]));
}

/**
 * Returns the interview or position if it accepts candidates, or the reason why it does not
 * (docs/people.md#registering-candidates).
 */
export function checkAcceptsCandidates(
  scope: EnrolmentScopeDetails | undefined,
): { scope: OpenScope; error?: undefined } | { scope?: undefined; error: RowError } {
  if (!scope)
    return { error: { code: 'unknown_id', error: 'interview_id does not name an interview or position.' } };
  const { interview_id, position_id, status, type, visibility, interview_available_till: till } = scope;
  if (type === 'public_avatar')
    return closed('a public avatar is open to everyone at its address, without registration or invitation');
  if (position_id === null && visibility === 'sub_item')
    return closed('the interview is reached only through its position (visibility sub_item)');
  if (interview_id === null) return closed('the position has no interviews');
  if (status === 'archived' || status === 'completed')
    return closed(`the interview or its position is ${status}`);
  if (till !== null && availableUntilMs(till) <= Date.now()) return closed('the interview is past its end');
  return { scope: { ...scope, interview_id } };
}

const closed = (reason: string): { error: RowError } => ({
  error: { code: 'interview_closed', error: `interview_id accepts no candidates: ${reason}.` },
});

/**
 * Locks the interviews and positions for enrollment, and reads the candidates that the rows may refer to. The first step
 * of a position is read again, because another call may have changed the steps before the lock.
 */
export async function lockAndReadCandidates(
  trx: Transaction,
  wanted: EnrolmentRequest[],
): Promise<EnrolmentRow[]> {
  const scopeIds = [...new Set(wanted.map(({ scope }) => scope.scope_id))].toSorted();
  await trx.rows(lockEnrolmentScopes(scopeIds));
  const positionIds = [...new Set(wanted.flatMap(({ scope }) => scope.position_id ?? []))];
  if (positionIds.length > 0) {
    const current = await findScopes(trx, positionIds);
    for (const { scope } of wanted)
      scope.interview_id = current.get(scope.scope_id)?.interview_id ?? scope.interview_id;
  }
  return trx.rows(findEnrolments(wanted.map(({ scope, ...row }) => ({ ...row, scope_id: scope.scope_id }))));
}

/** Takes up to `wanted` invitations from the merchant's budget. Returns how many it took. */
export async function reserveUpTo(trx: Transaction, wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  return (await trx.one(reserveInvitations(wanted))).granted;
}

/**
 * Writes people and their candidate profiles, and marks those in `invited` as invited. `source` is stored for new
 * people.
 */
export async function storePeople(
  trx: Transaction,
  people: PlannedCandidate[],
  invited: ReadonlySet<PlannedCandidate>,
  { language, source }: { language: string; source: EnrolmentSource },
): Promise<Map<PlannedCandidate, StoredPerson>> {
  if (people.length === 0) return new Map();
  const byKey = new Map(people.map((person) => [person.email_key, person]));
  await trx.count(insertCandidateProfiles([...byKey.values()], language));
  const profiles = new Map(
    (await trx.rows(findCandidateProfiles([...byKey.keys()]))).map(({ id, email_key }) => [email_key, id]),
  );
  const rows = people.map((person) => {
    const profile_id = profiles.get(person.email_key);
    if (profile_id === undefined)
      throw new ApiError(
        'concurrent_change',
        'Another call removed a candidate at the same time. Try again.',
      );
    return { person, row: { ...person, profile_id, is_invited: invited.has(person) } };
  });
  // Updates run before inserts, because a person with a new email address frees the old address for a new person.
  const changed = rows.flatMap(({ person, row }) =>
    person.known && (isChanged(person) || invited.has(person))
      ? [{ ...row, id: person.known.id, link_generation: generationOf(person) }]
      : [],
  );
  if (changed.length > 0) await trx.count(renewEnrolments(changed));
  const added = rows.filter(({ person }) => !person.known);
  const made =
    added.length === 0
      ? []
      : await trx.rows(
          insertEnrolments(
            added.map(({ row }) => row),
            source,
          ),
        );
  const ids = new Map(made.map(({ id, scope_id, email_key }) => [`${scope_id} ${email_key}`, id]));
  return new Map(
    rows.map(({ person, row: { profile_id } }) => {
      const enrolment_id = person.known?.id ?? ids.get(`${person.scope.scope_id} ${person.email_key}`);
      if (enrolment_id === undefined) throw new Error('an enrolment was not stored');
      return [person, { enrolment_id, profile_id, link_generation: generationOf(person) }];
    }),
  );
}

/**
 * Returns the generation of a person's links. A new email address revokes the links, because they were sent to the old
 * one.
 */
const generationOf = ({ known, email_key }: PlannedCandidate): number =>
  known ? known.link_generation + (known.email_key === email_key ? 0 : 1) : 1;
