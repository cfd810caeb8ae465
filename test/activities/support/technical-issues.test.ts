import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { IssueAttempt, TechnicalIssueActivities } from '../../../activities/support/technical-issues';
import type { Database } from '../../../db/platform/database';
import { merchants, people } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { technicalIssueId } from '../../../workflows/ids';
import { maintain } from '../../harness/platform/maintenance';
import { startIssueWorker } from '../../harness/support/issue-worker';
import type { IssueWorker } from '../../harness/support/issue-worker';
import { putResult } from '../../harness/webhooks/webhook-rows';

let workflow: IssueWorker;
beforeAll(async () => {
  workflow = await startIssueWorker();
});
afterAll(() => workflow.stop());
/** The log lines and results of the activities. Operators can read them, so they must not contain texts of people. */
let told: unknown[] = [];
beforeEach(() => {
  told = [];
});
afterEach(async () => {
  await workflow.clear();
  expect(JSON.stringify(told)).not.toMatch(/confidential|northwind|marco/i);
});

const text = 'Confidential: the page stays blank.\n\nIt worked yesterday.';
function environment(): MockActivityEnvironment {
  const logger = new DefaultLogger('INFO', ({ message, meta }) => void told.push({ message, meta }));
  return new MockActivityEnvironment({}, { logger });
}
const send = async (
  report_id: string,
  activities: TechnicalIssueActivities = workflow.activities,
): Promise<IssueAttempt> => {
  const attempt: IssueAttempt = await environment().run(activities.sendIssueReport, { report_id });
  told.push(attempt);
  return attempt;
};
const failed = (failure: string, retry_after_ms = 0) => ({ reference: null, failure, retry_after_ms });

describe('sendIssueReport', () => {
  it('opens one conversation in the name of the person who reported the issue, and records its number', async () => {
    const result = await putResult(workflow.database);
    const id = await workflow.report(text, { interview_id: interviewId('active'), result_id: result });
    const { reference } = await send(id);
    const [conversation, ...more] = await workflow.conversations(id);
    expect(more).toEqual([]);
    expect(reference).toBe(`#${conversation?.number}`);
    const { name, email } = people.merchant;
    expect(conversation).toMatchObject({
      requester_email: email,
      requester_name: name,
      subject: 'Confidential: the page stays blank.',
      idempotency_key: id,
    });
    expect(conversation?.body).toContain(
      `${text}\n\n---\nCompany: ${merchants.main.name} (${merchants.main.id})\n`,
    );
    for (const line of [
      `Reported by: ${name} (${email})`,
      `(${interviewId('active')})`,
      `(${result})`,
      `Technical issue: ${id}`,
    ])
      expect(conversation?.body).toContain(line);
    expect(await workflow.row(id)).toEqual({
      id,
      status: 'sent',
      reference,
      attempts: 1,
      last_failure: null,
      given_up: false,
    });
  });

  it('names the position if the issue is about one', async () => {
    const [position] = await workflow.database.rows<{ id: string; name: string }>(
      `select id, name from position where merchant_id = $1 and id <> $2 limit 1`,
      [merchants.main.id, positionIds.other],
    );
    const id = await workflow.report(text, { position_id: position?.id ?? '' });
    await send(id);
    expect((await workflow.conversations(id))[0]?.body).toContain(
      `Position: ${position?.name} (${position?.id})`,
    );
  });

  it('returns the same number without another call when it runs again', async () => {
    const id = await workflow.report(text);
    const first = await send(id);
    await workflow.fault({ status: 500 });
    expect(await send(id)).toEqual(first);
    expect(await workflow.conversations(id)).toHaveLength(1);
    expect((await workflow.row(id))?.attempts).toBe(1);
  });

  it.each<[string, Record<string, unknown>, ReturnType<typeof failed>]>([
    ['500', { status: 500 }, failed('500')],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '30' } }, failed('429', 30_000)],
    [
      'a Retry-After of a year',
      { status: 503, headers: { 'retry-after': '31536000' } },
      failed('503', 86_400_000),
    ],
    ['a reset', { reset: true }, failed('network')],
    ['broken JSON', { malformed: true }, failed('malformed')],
  ])(
    'returns and records %s as a failure in one word, and succeeds in the next attempt',
    async (_what, fault, outcome) => {
      const id = await workflow.report(text);
      await workflow.fault(fault);
      expect(await send(id)).toEqual(outcome);
      expect(await workflow.row(id)).toMatchObject({
        status: 'queued',
        reference: null,
        attempts: 1,
        last_failure: outcome.failure,
      });
      const { reference } = await send(id);
      expect(await workflow.row(id)).toMatchObject({
        status: 'sent',
        reference,
        attempts: 2,
        last_failure: null,
      });
      expect(await workflow.conversations(id)).toHaveLength(1);
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['an error', { status: 500 }],
    ['no answer', { reset: true }],
    ['broken JSON', { malformed: true }],
  ])(
    'finds the conversation in the next attempt after %s, although the idempotency keys are forgotten',
    async (_what, fault) => {
      const id = await workflow.report(text);
      await workflow.forgetKeysAfter(0);
      await workflow.fault({ ...fault, accept: true });
      expect(await send(id)).toMatchObject({ reference: null });
      const [made] = await workflow.conversations(id);
      expect(await send(id)).toEqual({ reference: `#${made?.number}` });
      expect(await workflow.conversations(id)).toHaveLength(1);
    },
  );

  it('opens one conversation when a call times out and is answered later', async () => {
    const id = await workflow.report(text);
    const hasty = workflow.activitiesWith({ desk: workflow.deskWith({ timeoutMs: 100 }) });
    await workflow.fault({ accept: true, delay_ms: 400 });
    expect(await send(id, hasty)).toEqual(failed('timeout'));
    await workflow.forgetKeysAfter(0);
    expect(await send(id)).toMatchObject({ reference: expect.stringMatching(/^#\d+$/) });
    expect(await workflow.conversations(id)).toHaveLength(1);
  });

  it('creates nothing when the search fails', async () => {
    const id = await workflow.report(text);
    await workflow.fault({ status: 500, accept: true });
    await workflow.fault({ status: 500 });
    await workflow.forgetKeysAfter(0);
    expect(await send(id)).toEqual(failed('500'));
    expect(await send(id)).toEqual(failed('500'));
    expect(await send(id)).toMatchObject({ reference: expect.stringMatching(/^#/) });
    expect(await workflow.conversations(id)).toHaveLength(1);
  });

  it('fails when Postgres is unavailable after the conversation was opened, and the next run finds it', async () => {
    const id = await workflow.report(text);
    await workflow.forgetKeysAfter(0);
    let transactions = 0;
    const door: Pick<Database, 'writeAsWorker'> = {
      writeAsWorker: (work) =>
        ++transactions === 2
          ? Promise.reject(new Error('Connection terminated'))
          : workflow.worker.writeAsWorker(work),
    };
    await expect(send(id, workflow.activitiesWith({ door }))).rejects.toThrow('Connection terminated');
    const [made] = await workflow.conversations(id);
    expect(await workflow.row(id)).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await send(id)).toEqual({ reference: `#${made?.number}` });
    expect(await workflow.conversations(id)).toHaveLength(1);
  });

  it('returns a failure and keeps the issue queued when no support desk is configured', async () => {
    const id = await workflow.report(text);
    expect(await send(id, workflow.activitiesWith({ desk: null }))).toEqual(failed('not configured'));
    expect(await workflow.row(id)).toMatchObject({ status: 'queued', last_failure: 'not configured' });
  });

  it('does not retry an unknown issue', async () => {
    await expect(send('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      type: 'IssueReportGone',
      nonRetryable: true,
    });
  });

  it('counts an outcome for each call of the support desk', async () => {
    workflow.attempted.length = 0;
    const id = await workflow.report(text);
    await workflow.fault({ status: 500 });
    await send(id);
    await send(id);
    await send(id);
    expect(workflow.attempted).toEqual(['failed', 'sent']);
  });
});

describe('giveUpIssueReport', () => {
  const giveUp = (report_id: string) =>
    environment().run(workflow.activities.giveUpIssueReport, { report_id });

  it('marks the issue and logs it, and a later attempt can still send it', async () => {
    const id = await workflow.report(text);
    await workflow.fault({ status: 503 });
    await send(id);
    await giveUp(id);
    expect(await workflow.row(id)).toMatchObject({ status: 'queued', given_up: true, last_failure: '503' });
    expect(told).toContainEqual({
      message: expect.stringContaining('gave up'),
      meta: expect.objectContaining({ report_id: id, attempts: 1, last_failure: '503' }),
    });
    await send(id);
    expect(await workflow.row(id)).toMatchObject({ status: 'sent', given_up: false });
  });

  it('leaves an issue unchanged that was sent after all', async () => {
    const id = await workflow.report(text);
    await send(id);
    await giveUp(id);
    expect(await workflow.row(id)).toMatchObject({ status: 'sent', given_up: false });
  });
});

describe('runMaintenance', () => {
  const minutesLater = (minutes: number) =>
    workflow.database.rows(`update technical_issue set restart_at = restart_at - $1 * interval '1 minute'`, [
      minutes,
    ]);
  const starts = async () => {
    await maintain(workflow.worker);
    return workflow.database.rows(
      'select merchant_id, workflow_type, workflow_id, argument from workflow_start',
    );
  };
  const startOf = (id: string) => ({
    merchant_id: merchants.main.id,
    workflow_type: 'issueReport',
    workflow_id: technicalIssueId(id),
    argument: { report_id: id },
  });

  it('starts the workflow of a queued issue that had no attempt for 20 minutes, and again every 20 minutes', async () => {
    await workflow.database.rows('delete from technical_issue');
    const [untried, tried, sent, givenUp] = [
      await workflow.report(text),
      await workflow.report(text),
      await workflow.report(text),
      await workflow.report(text),
    ];
    await send(sent);
    await environment().run(workflow.activities.giveUpIssueReport, { report_id: givenUp });
    await minutesLater(19);
    expect(await starts()).toEqual([]);
    await minutesLater(2);
    await workflow.fault({ status: 503 });
    await send(tried);
    expect(await starts()).toEqual([startOf(untried)]);
    expect(await starts()).toEqual([startOf(untried)]);
    await minutesLater(21);
    expect(await starts()).toEqual(expect.arrayContaining([startOf(untried), startOf(tried)]));
    expect(await starts()).toHaveLength(2);
  });
});
