import { columnsOf } from '../platform/columns';
import type { Statement } from '../platform/statement';
import type { interviewTypes } from '../platform/vocabulary';

/** An interview or a position in which candidates can be enrolled. A position comes with its first step. */
export type EnrolmentScope = {
  scope_id: string;
  /** For a position, the interview of its first step; null if the position has no steps. */
  interview_id: string | null;
  position_id: string | null;
  /** For an interview that is a step of a position, the stricter status of the two. */
  status: string;
  /** True when the position or the interview (for a position, the interview of its first step) is a draft. */
  is_draft: boolean;
  interview_available_till: string | null;
  platform_language_code: string;
  candidate_notification_channel: string | null;
};

/** An interview or position that a call names. */
export type EnrolmentScopeDetails = EnrolmentScope & {
  /** The type of an interview. Null for a position. */
  type: (typeof interviewTypes)[number] | null;
  visibility: string;
};

/** Returns the caller's interviews and positions whose ids are in the list. */
export const findEnrolmentScopes = (ids: string[]): Statement<EnrolmentScopeDetails> => ({
  name: 'find_enrolment_scopes',
  text: `
    select i.id as scope_id, i.id as interview_id, null::uuid as position_id,
      app.status_for_candidates(i.merchant_id, i.id, i.status, null) as status, i.type, i.visibility,
      i.status = 'draft' as is_draft, i.interview_available_till, i.platform_language_code, i.candidate_notification_channel
    from interview i where i.id = any ($1) and i.status <> 'deleted'
    union all
    select p.id, step.id, p.id, p.status, null, p.visibility, 'draft' in (p.status, step.status),
      p.interview_available_till, coalesce(step.platform_language_code, p.platform_language_code),
      p.candidate_notification_channel
    from position p left join lateral (
      select i.id, i.status, i.platform_language_code from position_step s join interview i on i.id = s.interview_id
      where s.position_id = p.id and i.status <> 'deleted' order by s.step_order limit 1
    ) step on true
    where p.id = any ($1) and p.status <> 'deleted'`,
  values: [ids],
});

/**
 * Locks interviews and positions until the transaction ends, so that simultaneous calls do not enrol a person twice.
 * All callers must pass the ids in sorted order to avoid deadlocks.
 */
export const lockEnrolmentScopes = (sortedIds: string[]): Statement => ({
  name: 'lock_enrolment_scopes',
  text: `
    select pg_advisory_xact_lock(hashtextextended('enrolment ' || id, 0))
    from unnest($1::text[]) with ordinality as scope (id, place) order by place`,
  values: [sortedIds],
});

/**
 * Moves the candidates of a position who are at one of these removed steps to a step that the position has. If
 * candidates have begun one and nobody has decided about them, moves nobody and returns how many there are
 * (sql/enrolment-steps.sql).
 */
export const moveFromRemovedSteps = (
  positionId: string,
  interviewIds: readonly string[],
): Statement<{ interview_id: string; people: number }> => ({
  name: 'leave_removed_steps',
  text: 'select interview_id, people from app.leave_removed_steps($1, $2)',
  values: [positionId, interviewIds],
});

export type EnrolmentRow = {
  id: string;
  scope_id: string;
  /**
   * The interview that the candidate takes next. For a position, it is the interview of the candidate's current step.
   */
  interview_id: string;
  profile_id: string;
  name: string | null;
  email: string;
  email_key: string;
  external_id: string | null;
  phone: string | null;
  link_generation: number;
  invited_at: string | null;
  is_withdrawn: boolean;
  has_begun: boolean;
};

const found = `e.id, e.scope_id, e.interview_id, e.profile_id, e.name, e.email, e.email_key, e.external_id, e.phone, e.link_generation,
  e.invited_at, e.withdrawn_at is not null as is_withdrawn,
  exists (
    select from interview_result r where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = e.interview_id and not r.is_test
      -- Null once the result is reopened, until the next attempt is started.
      and r.interview_status is not null
  ) as has_begun`;

/**
 * Finds enrolments in an interview or position (`scope_id`), by email or by external id. The limits make Postgres do
 * one index lookup per wanted row. Without them, the planner prefers a full scan of a table that has just grown.
 */
export const findEnrolments = (
  wanted: { scope_id: string; email_key: string; external_id: string | null }[],
): Statement<EnrolmentRow> => ({
  name: 'find_enrolments',
  text: `
    with wanted as (select * from unnest($1::uuid[], $2::text[], $3::text[]) as w (scope_id, email_key, external_id))
    select known.* from wanted w cross join lateral (
      select ${found} from enrolment e where e.scope_id = w.scope_id and e.email_key = w.email_key limit 1
    ) known
    union
    select known.* from wanted w cross join lateral (
      select ${found} from enrolment e where e.scope_id = w.scope_id and e.external_id = w.external_id limit 1
    ) known`,
  values: columnsOf(wanted, 'scope_id', 'email_key', 'external_id'),
});

type CandidateProfile = { email: string; email_key: string; name: string | null };

/**
 * Creates the candidate profiles that the merchant does not have yet, sorted so that concurrent calls cannot
 * deadlock.
 */
export const insertCandidateProfiles = (people: CandidateProfile[], language: string): Statement => ({
  name: 'insert_candidate_profiles',
  text: `
    insert into profile (role, email, email_key, name, platform_language_code)
    select 'candidate', email, email_key, name, $4
    from unnest($1::text[], $2::text[], $3::text[]) as person (email, email_key, name)
    order by email_key on conflict do nothing`,
  values: [...columnsOf(people, 'email', 'email_key', 'name'), language],
});

/** Finds candidates by email address, with one index lookup per address, like `findEnrolments`. */
export const findCandidateProfiles = (emailKeys: string[]): Statement<{ id: string; email_key: string }> => ({
  name: 'find_candidate_profiles',
  text: `
    select known.* from unnest($1::text[]) as wanted (email_key) cross join lateral (
      select p.id, p.email_key from profile p where p.role = 'candidate' and p.email_key = wanted.email_key limit 1
    ) known`,
  values: [emailKeys],
});

/** The way in which a candidate was first enrolled. */
export type EnrolmentSource = 'registered' | 'invited';

type NewEnrolment = {
  scope: EnrolmentScope;
  profile_id: string;
  name: string | null;
  email: string;
  email_key: string;
  external_id: string | null;
  phone: string | null;
  is_invited: boolean;
};

export const insertEnrolments = (
  people: NewEnrolment[],
  source: EnrolmentSource,
): Statement<{ id: string; scope_id: string; email_key: string }> => ({
  name: 'insert_enrolments',
  text: `
    insert into enrolment
      (interview_id, position_id, profile_id, name, email, email_key, external_id, phone, invited_at, source)
    select interview_id, position_id, profile_id, name, email, email_key, external_id, phone,
      case when is_invited then now() end, $10
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[])
      as person (interview_id, position_id, profile_id, name, email, email_key, external_id, phone, is_invited)
    returning id, scope_id, email_key`,
  values: [
    people.map(({ scope }) => scope.interview_id),
    people.map(({ scope }) => scope.position_id),
    ...columnsOf(people, 'profile_id', 'name', 'email', 'email_key', 'external_id', 'phone', 'is_invited'),
    source,
  ],
});

/**
 * Ends the links of a candidate, and the mails that are not sent yet. Changes nothing if the candidate has begun, and returns
 * no row for an unknown candidate (sql/links.sql).
 */
export const withdrawCandidate = (
  enrolmentId: string,
): Statement<{ profile_id: string; has_begun: boolean }> => ({
  name: 'withdraw_candidate',
  text: 'select profile_id, has_begun from app.withdraw_candidate($1)',
  values: [enrolmentId],
});

type ChangedEnrolment = Omit<NewEnrolment, 'scope'> & { id: string; link_generation: number };

export const renewEnrolments = (people: ChangedEnrolment[]): Statement => ({
  name: 'update_enrolments',
  text: `
    update enrolment e set profile_id = person.profile_id, name = person.name, email = person.email,
      email_key = person.email_key, external_id = person.external_id, phone = person.phone,
      link_generation = person.link_generation,
      invited_at = case when person.is_invited then now() else e.invited_at end, withdrawn_at = null
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::int[])
      as person (id, profile_id, name, email, email_key, external_id, phone, is_invited, link_generation)
    -- The list once more: it makes the planner look each up instead of reading all candidates of the merchant.
    where e.id = any ($1) and e.id = person.id`,
  values: columnsOf(
    people,
    'id',
    'profile_id',
    'name',
    'email',
    'email_key',
    'external_id',
    'phone',
    'is_invited',
    'link_generation',
  ),
});
