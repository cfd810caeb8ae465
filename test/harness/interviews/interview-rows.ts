import type { TestDatabase } from '../platform/database';
import type { FakeCalls } from '../platform/fakes';
import { waitFor } from '../wait-for';

type InterviewRow = {
  id: string;
  is_built: boolean;
  has_draft: boolean;
  steps: number;
  embed_keys: number;
};

/** Reads, as the administrator, all interviews with this name, including those that are not built yet. */
export const interviewsNamed = (database: TestDatabase, name: string): Promise<InterviewRow[]> =>
  database.rows<InterviewRow>(
    `select i.id, i.built_at is not null as is_built, i.draft is not null as has_draft,
       (select count(*)::int from interview_question l where l.interview_id = i.id) as steps,
       (select count(*)::int from embed_key k where k.interview_id = i.id) as embed_keys
     from interview i where i.name = $1`,
    [name],
  );

/**
 * Counts the rows of every table that a creation or an invitation writes. If the counts before and after a call are
 * equal, the call has stored nothing.
 */
export async function countStored(database: TestDatabase): Promise<Record<string, number>> {
  const [counts] = await database.rows<Record<string, number>>(
    `select (select count(*)::int from interview) as interview, (select count(*)::int from question) as question,
       (select count(*)::int from interview_question) as interview_question,
       (select count(*)::int from embed_key) as embed_key,
       (select count(*)::int from profile) as profile,
       (select count(*)::int from merchant_access) as merchant_access,
       (select count(*)::int from enrolment) as enrolment,
       (select count(*)::int from invitation_batch) as invitation_batch,
       (select count(*)::int from mail) as mail,
       (select sum(invitations_sent)::int from credit_account) as invitations_sent,
       (select count(*)::int from workflow_start where workflow_type <> 'interviewSpeech') as workflow_start,
       (select count(*)::int from idempotency_key) as idempotency_key`,
  );
  return counts ?? {};
}

/** Returns the outcomes of the model calls for an interview, oldest first. */
export async function modelOutcomes(database: TestDatabase, interviewId: string): Promise<string[]> {
  const rows = await database.rows<{ outcome: string }>(
    `select outcome from model_call where interview_id = $1 and purpose = 'interview_draft' order by created_at, id`,
    [interviewId],
  );
  return rows.map(({ outcome }) => outcome);
}

/** Waits until the model is called for an interview with this name, which means that its workflow is running. */
export const modelAsked = (platform: FakeCalls, name: string): Promise<boolean> =>
  waitFor(`the model’s call for ${name}`, async () => (await briefsFor(platform, name)).length > 0);

/** Returns the brief of each model call for interviews with this name, as the model has got it. */
export async function briefsFor(platform: FakeCalls, name: string): Promise<Record<string, unknown>[]> {
  const calls = (await platform.fake('/openai/requests')) as {
    messages: { role: string; content: string }[];
  }[];
  return calls
    .map(({ messages }) => {
      const user = messages.find(({ role }) => role === 'user')?.content ?? '';
      return JSON.parse(/<brief>(.*?)<\/brief>/s.exec(user)?.[1] ?? '{}') as Record<string, unknown>;
    })
    .filter((brief) => brief['name'] === name);
}
