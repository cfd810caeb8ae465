import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { interviewId } from '../../../local/seed/fixed-id';
import type { TestDatabase } from '../platform/database';
import type { Operations } from '../platform/operations';
import type { CallOptions, Reply } from '../platform/platform';

export type Registration = Record<string, unknown> & {
  name: string | null;
  email: string | null;
  external_id: string | null;
  phone: string | null;
  result: string;
  interview_url?: string;
};
export type Invitation = {
  email: string | null;
  name: string | null;
  type: string | null;
  interview_id: string | null;
  result: string;
  code: string;
  profile_id: string | null;
  profile_interview_id: string | null;
};

/** Returns the rows of a reply, or throws if its status is not 200. */
export function rowsOf<Row>(reply: Reply): Row[] {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text.slice(0, 300)}`);
  return reply.body as unknown as Row[];
}

/**
 * Returns functions that call the operations about people. `register` and `invite` return the rows of the reply; they
 * throw if its status is not 200.
 */
export function peopleCalls(platform: Operations) {
  const post = (operation: string, body: Record<string, unknown>, options: CallOptions) =>
    platform.call(operation, { body, ...options });
  return {
    tryRegister: (users: unknown, more: Record<string, unknown> = {}, options: CallOptions = {}) =>
      post(
        'job-interview-register-users',
        { interview_id: platform.stack.ids.active_interview, users, ...more },
        options,
      ),
    register: async (users: unknown, more: Record<string, unknown> = {}, options: CallOptions = {}) =>
      rowsOf<Registration>(
        await post(
          'job-interview-register-users',
          { interview_id: platform.stack.ids.active_interview, users, ...more },
          options,
        ),
      ),
    tryInvite: (users: unknown, more: Record<string, unknown> = {}, options: CallOptions = {}) =>
      post('invite-users', { users, ...more }, options),
    invite: async (users: unknown, more: Record<string, unknown> = {}, options: CallOptions = {}) =>
      rowsOf<Invitation>(await post('invite-users', { users, ...more }, options)),
    status: async (options: CallOptions = {}): Promise<Record<string, unknown>> => {
      const reply = await platform.call('merchant-status', options);
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body;
    },
  };
}

type EnrolmentShown = {
  id: string;
  interview_id: string;
  position_id: string | null;
  profile_id: string;
  name: string | null;
  email: string;
  external_id: string | null;
  phone: string | null;
  link_generation: number;
  is_invited: boolean;
};
/** Returns the candidates of an interview or position, oldest first. */
export const enrolmentsOf = (database: TestDatabase, scopeId: string): Promise<EnrolmentShown[]> =>
  database.rows<EnrolmentShown>(
    `select id, interview_id, position_id, profile_id, name, email, external_id, phone, link_generation,
       invited_at is not null as is_invited
     from enrolment where scope_id = $1 order by created_at, email`,
    [scopeId],
  );

/** Creates a copy of the active interview of the seed, without its steps and candidates. */
export async function cloneInterview(
  database: TestDatabase,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = randomUUID();
  await database.rows(
    'insert into interview select copy.* from interview i, jsonb_populate_record(i, $2) copy where i.id = $1',
    [interviewId('active'), JSON.stringify({ slug: null, recruiter_profile_id: null, ...changes, id })],
  );
  return id;
}

/**
 * Creates a copy of the active interview of the seed with its steps, for tests in which candidates take the
 * interview.
 */
export async function cloneWithSteps(
  database: TestDatabase,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = await cloneInterview(database, changes);
  await database.rows(
    `insert into interview_question (merchant_id, environment, interview_id, question_id, step_order)
     select merchant_id, environment, $2, question_id, step_order from interview_question where interview_id = $1`,
    [interviewId('active'), id],
  );
  return id;
}

/** Creates a position of the main merchant with these interviews. */
export async function makePosition(
  database: TestDatabase,
  steps: string[],
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = randomUUID();
  await database.rows(
    `insert into position select copy.* from position p, jsonb_populate_record(p, $1) copy
     where p.name = 'Customer support agent'`,
    [JSON.stringify({ slug: null, ...changes, id, name: 'A position' })],
  );
  for (const [index, step] of steps.entries())
    await database.rows(
      `insert into position_step (merchant_id, environment, position_id, interview_id, step_order)
       select merchant_id, environment, id, $2, $3 from position where id = $1`,
      [id, step, index + 1],
    );
  return id;
}

type OpenedUrl = {
  origin: string;
  path: string;
  query: Record<string, string>;
  header: Record<string, unknown>;
  claims: Record<string, unknown> & { exp: number };
};
/** Reads the content of a candidate's link without checking its signature. */
export function openUrl(url: string | undefined): OpenedUrl {
  const { origin, pathname, searchParams } = new URL(url ?? 'none:');
  const { interview_token: token = '', ...query } = Object.fromEntries(searchParams);
  const claims = decodeJwt(token);
  return {
    origin,
    path: pathname,
    query,
    header: { ...decodeProtectedHeader(token) },
    claims: { ...claims, exp: claims.exp ?? 0 },
  };
}
