import { createSupportDesk } from '../../../activities/providers/support-desk';
import { createTechnicalIssueActivities } from '../../../activities/support/technical-issues';
import type { Database } from '../../../db/platform/database';
import type { Conversation } from '../../../local/fakes/zendesk';
import { merchants, people } from '../../../local/seed/accounts';
import { atEnd } from '../at-end';
import type { TestDatabase } from '../platform/database';
import { openActivities } from '../platform/open-activities';

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
  const opened = await openActivities('support');
  const { database, worker, url } = opened;
  const deskWith = (changes: { baseUrl?: string; user?: string; timeoutMs?: number } = {}) => {
    const desk = createSupportDesk({
      baseUrl: `${url}/support`,
      user: 'agent@acme.test',
      token: 'secret-token',
      timeoutMs: 60_000,
      ...changes,
    });
    atEnd(desk.close);
    return desk;
  };
  const forgetKeysAfter = async (forget_keys_after_ms: number) => {
    const body = JSON.stringify({ forget_keys_after_ms });
    const response = await fetch(`${url}/support/settings`, { method: 'PUT', body });
    if (!response.ok) throw new Error(await response.text());
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
    ...opened,
    attempted,
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
      ((await opened.fake('/conversations')) as Conversation[]).filter(
        ({ external_id }) => id === undefined || external_id === id,
      ),
    forgetKeysAfter,
    clear: async () => {
      await opened.clear();
      await forgetKeysAfter(7_200_000);
    },
  };
}
