import { setTimeout as sleep } from 'node:timers/promises';
import { withAdminConnection } from '../../db/platform/credentials';
import { technicalIssueId } from '../../workflows/ids';
import type { Conversation } from '../fakes/zendesk';
import type { StackDescription } from '../stack-file';
import type { Client } from './client';

type Issue = { id: string; status: 'sent' | 'queued'; reference: string | null };
type Row = { status: string; reference: string | null; attempts: number };

const description = 'The page of an interview stays blank after the second question.\n\nIt worked yesterday.';

/**
 * Demonstrates a technical issue that support rejects at first: the caller gets `queued`, a workflow retries, and
 * support receives the issue once. `say` gets a line for each step. Throws when a step does not happen in time.
 */
export async function demonstrateIssue(
  { stack, client }: { stack: StackDescription; client: Client },
  say: (line: string) => void,
): Promise<void> {
  // Backdates earlier issues, because the demo may run more often than the limit of five a day.
  await withAdminConnection(stack.database_url, (admin) =>
    admin.query(
      `update technical_issue set created_at = created_at - interval '1 day' where description = $1`,
      [description],
    ),
  );
  await client.tell(`${stack.fakes_url}/faults`, { provider: 'support', status: 503 });
  say('Support answers 503 once. The workflow then pauses for 10 s.');
  const issue = await client.post<Issue>('merchant-technical-issue', {
    description,
    interview_id: stack.ids.active_interview,
  });
  say(`merchant-technical-issue returned: ${JSON.stringify(issue)}`);
  const workflow = encodeURIComponent(technicalIssueId(issue.id));
  say(`A workflow tries again: ${stack.temporal_ui_url}/namespaces/default/workflows/${workflow}`);

  const sent = await waitForSent(stack, issue.id);
  say(`Sent with attempt ${sent.attempts}: support has it as ${sent.reference}.`);
  const conversations = await client.list<Conversation>(`${stack.fakes_url}/conversations`);
  const ours = conversations.filter(({ external_id }) => external_id === issue.id);
  say(`It is one conversation there (${ours.length}): ${stack.fakes_url}/conversations`);
}

/** Checks the issue once a second until it is sent, and throws after two minutes. */
async function waitForSent(stack: StackDescription, id: string): Promise<Row> {
  for (let tries = 0; tries < 120; tries++) {
    const { rows } = await withAdminConnection(stack.database_url, (admin) =>
      admin.query<Row>('select status, reference, attempts from technical_issue where id = $1', [id]),
    );
    if (rows[0]?.status === 'sent') return rows[0];
    await sleep(1_000);
  }
  throw new Error('Support did not get the technical issue within two minutes.');
}
