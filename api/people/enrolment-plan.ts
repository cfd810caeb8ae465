import { emailKey } from '../../db/people/email-key';
import type { EnrolmentRow, EnrolmentScope } from '../../db/people/enrolments';
import type { CandidateRow } from './user-rows';

/**
 * A candidate as the call will store it. `known` is the candidate's current row, which is undefined for a new
 * candidate.
 */
export type PlannedCandidate = {
  scope: EnrolmentScope;
  known: EnrolmentRow | undefined;
  email: string;
  email_key: string;
  name: string | null;
  external_id: string | null;
  phone: string | null;
};

/** A row of the call together with its interview or position. */
export type EnrolmentRequest = CandidateRow & { scope: EnrolmentScope; email_key: string };

export const toEnrolmentRequest = (row: CandidateRow, scope: EnrolmentScope): EnrolmentRequest => ({
  ...row,
  scope,
  email_key: emailKey(row.email),
});

/**
 * Returns a key of an identifier within an interview or position. Identifiers contain no line breaks, so the key is
 * unique.
 */
const keyOf = (scopeId: string, identifier: string) => `${scopeId}\n${identifier}`;

/**
 * Merges rows into the known candidates in order. A row refers to a candidate by external_id, else by email
 * (docs/people.md#registering-candidates). A later row wins, and fields that it omits keep their values.
 */
export function planEnrolments(known: EnrolmentRow[], scopes: ReadonlyMap<string, EnrolmentScope>) {
  const byEmail = new Map<string, PlannedCandidate>();
  const byExternalId = new Map<string, PlannedCandidate>();

  const index = (person: PlannedCandidate) => {
    byEmail.set(keyOf(person.scope.scope_id, person.email_key), person);
    if (person.external_id !== null)
      byExternalId.set(keyOf(person.scope.scope_id, person.external_id), person);
  };
  for (const row of known) {
    const scope = scopes.get(row.scope_id);
    if (scope) index({ ...row, scope, known: row });
  }

  const find = ({
    scope: { scope_id },
    email_key,
    external_id,
  }: EnrolmentRequest): PlannedCandidate | undefined =>
    (external_id === null ? undefined : byExternalId.get(keyOf(scope_id, external_id))) ??
    byEmail.get(keyOf(scope_id, email_key));

  return {
    /** Returns the person that a row refers to, or undefined if there is none yet. */
    find,

    /** Returns true if the row's external_id and email belong to two different people. */
    isAmbiguous: ({ scope: { scope_id }, email_key, external_id }: EnrolmentRequest): boolean => {
      const one = external_id === null ? undefined : byExternalId.get(keyOf(scope_id, external_id));
      const other = byEmail.get(keyOf(scope_id, email_key));
      return one !== undefined && other !== undefined && one !== other;
    },

    /** Creates or changes the person that a row refers to. The row must not refer to two different people. */
    apply(wanted: EnrolmentRequest): PlannedCandidate {
      const { scope, email, email_key, name, external_id, phone } = wanted;
      const person = find(wanted) ?? {
        scope,
        known: undefined,
        email,
        email_key,
        name: null,
        external_id: null,
        phone: null,
      };
      byEmail.delete(keyOf(scope.scope_id, person.email_key));
      if (person.external_id !== null) byExternalId.delete(keyOf(scope.scope_id, person.external_id));
      Object.assign(person, {
        email,
        email_key,
        name: name ?? person.name,
        external_id: external_id ?? person.external_id,
        phone: phone ?? person.phone,
      });
      index(person);
      return person;
    },
  };
}

/** Returns true if the person is new, was withdrawn, or differs from the row in the database. */
export const isChanged = ({ known, email, email_key, name, external_id, phone }: PlannedCandidate): boolean =>
  known === undefined ||
  known.is_withdrawn ||
  known.email !== email ||
  known.email_key !== email_key ||
  known.name !== name ||
  known.external_id !== external_id ||
  known.phone !== phone;
