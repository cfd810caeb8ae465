import { createSupportDesk } from '../../../activities/providers/support-desk';
import { createTechnicalIssueActivities } from '../../../activities/support/technical-issues';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import { startFakes } from '../../../local/fakes/server';
import type { Conversation } from '../../../local/fakes/zendesk';
import { merchants, people } from '../../../local/seed/accounts';
import { createDatabase } from '../platform/database';
import type { TestDatabase } from '../platform/database';

export type IssueWorker = Awaited<ReturnType<typeof startIssueWorker>>;
type IssueRow = {
  id: string;
  status: string;
  reference: string | null;
  attempts: number;
  last_failure: string | null;
  given_up: boolean;
};

/** Reads a technical issue as the database administrator, whom row-level security does not limit. */
export const issueRow = async (database: TestDatabase, id: string): Promise<IssueRow | undefined> =>
  (
    await database.rows<IssueRow>(
      `select id, status, reference, attempts, last_failure, gave_up_at is not null as given_up
       from technical_issue where id = $1`,
      [id],
    )
  )[0];

/**
 * Runs the real activities of technical issues in this process, with their own database and the real client, which
 * calls the fake support desk.
 */
export async function startIssueWorker() {
  const [database, fakes] = await Promise.all([createDatabase(), startFakes({ port: 0 })]);
  const worker = openDatabase(
    openPool({ url: database.workerUrl, size: 10, applicationName: 'test', onIdleError: () => undefined }),
  );
  const desks: ReturnType<typeof createSupportDesk>[] = [];
  const deskWith = (changes: { baseUrl?: string; user?: string; timeoutMs?: number } = {}) => {
    const desk = createSupportDesk({
      baseUrl: `${fakes.url}/support`,
      user: 'agent@acme.test',
      token: 'secret-token',
      timeoutMs: 60_000,
      ...changes,
    });
    desks.push(desk);
    return desk;
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${fakes.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response;
  };
  const attempted: string[] = [];
  /**
   * Creates the activities with another database or another time limit. If `desk` is null, they have no support desk.
   */
  const activitiesWith = (
    changes: { door?: Pick<Database, 'writeAsWorker'>; desk?: ReturnType<typeof deskWith> | null } = {},
  ) =>
    createTechnicalIssueActivities({
      database: changes.door ?? worker,
      supportDesk: changes.desk === null ? undefined : (changes.desk ?? deskWith()),
      onAttempt: (outcome) => void attempted.push(outcome),
    });
  return {
    database,
    worker,
    attempted,
    url: fakes.url,
    activities: activitiesWith(),
    activitiesWith,
    deskWith,
    /** Stores a technical issue as `merchant-technical-issue` does, and returns its id. */
    report: async (
      description: string,
      changes: { interview_id?: string; position_id?: string; result_id?: string } = {},
    ): Promise<string> => {
      const [row] = await database.rows<{ id: string }>(
        `insert into technical_issue (merchant_id, profile_id, description, interview_id, position_id, result_id)
         values ($1, $2, $3, $4, $5, $6) returning id`,
        [
          merchants.main.id,
          people.merchant.id,
          description,
          changes.interview_id ?? null,
          changes.position_id ?? null,
          changes.result_id ?? null,
        ],
      );
      return row?.id ?? '';
    },
    row: (id: string) => issueRow(database, id),
    conversations: async (id?: string) =>
      ((await (await ask('GET', '/conversations')).json()) as Conversation[]).filter(
        ({ external_id }) => id === undefined || external_id === id,
      ),
    fault: (fault: Record<string, unknown>) => ask('POST', '/faults', { provider: 'support', ...fault }),
    forgetKeysAfter: (forget_keys_after_ms: number) =>
      ask('PUT', '/support/settings', { forget_keys_after_ms }),
    clear: async () => {
      await ask('DELETE', '/faults');
      await ask('DELETE', '/records');
      await ask('PUT', '/support/settings', { forget_keys_after_ms: 7_200_000 });
    },
    stop: async () => {
      await Promise.all(desks.map((desk) => desk.close()));
      await worker.close();
      await fakes.close();
    },
  };
}
