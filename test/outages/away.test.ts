import { countStored, interviewsNamed } from '../harness/interviews/interview-rows';
import { mailbox } from '../harness/people/mailbox';
import { peopleCalls } from '../harness/people/people';
import { createDoor } from '../harness/platform/door';
import { errorBody } from '../harness/platform/error-body';
import { infrastructure } from '../harness/platform/infrastructure';
import { newInterview } from '../harness/platform/platform';
import { startPlatform } from '../harness/platform/start-platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { openDeliveries } from '../harness/reports/deliveries';
import { boardUnavailable, featureCalls } from '../harness/support/feature-calls';
import { issueRow } from '../harness/support/issue-worker';
import { waitFor } from '../harness/wait-for';
import { startReceiver, status } from '../harness/webhooks/hook-sink';
import { openWebhooks } from '../harness/webhooks/webhooks';
import { decisionsAt } from './decisions-at';

let door: Awaited<ReturnType<typeof createDoor>>;
let platform: OwnPlatform;
let worker: Promise<unknown>;
beforeAll(async () => {
  // Temporal is unavailable while the API and the worker start. The worker reports that it is ready once Temporal is
  // back.
  door = await createDoor(infrastructure().temporalAddress);
  const temporal = { TEMPORAL_ADDRESS: door.address };
  platform = await startPlatform({ worker: false, api: temporal, workerVariables: temporal });
  worker = platform.startWorker();
  worker.catch(() => undefined);
});

const create = (name: string, headers: Record<string, string> = {}) =>
  platform.call('job-interview-create', { body: newInterview(platform.stack, { name }), headers });
const readSeeded = () =>
  platform.call('job-interview-get', { query: { position_id: platform.stack.ids.active_interview } });
const noStarts = () =>
  waitFor('the outbox to be empty', async () => {
    const starts = await platform.database.rows('select from workflow_start');
    return starts.length === 0;
  });

describe('while Temporal is unavailable', () => {
  it('calls that wait for a workflow return 503 with Retry-After, and store and post nothing', async () => {
    const before = await countStored(platform.database);
    const features = featureCalls(platform);
    const { interview_length: _, ...body } = newInterview(platform.stack, {
      name: 'Away',
      description: 'Two sentences. They are here.',
      questions: [{ question: 'Why?' }],
    });
    const unavailable = errorBody('generation_unavailable');
    const replies = await Promise.all([
      create('Away', { 'idempotency-key': 'temporal away' }),
      platform.call('job-interview-create-from-array', { body }),
      features.ask('While Temporal is away'),
    ]);
    expect(replies.map((reply) => [reply.status, reply.body])).toEqual(
      [unavailable, unavailable, boardUnavailable].map((expected) => [503, expected]),
    );
    for (const reply of replies) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await countStored(platform.database)).toEqual(before);
    expect(await features.rowsTitled('While Temporal is away')).toEqual([]);
    expect(await features.postsTitled('While Temporal is away')).toEqual([]);
  });

  it('reads succeed, and so do writes that need no workflow', async () => {
    expect((await readSeeded()).status).toBe(200);
    expect((await platform.call('interview-template-list')).status).toBe(200);
    const body = { position_id: platform.stack.ids.draft_interview, name: 'Renamed meanwhile' };
    expect((await platform.call('job-interview-update', { body })).status).toBe(200);
    expect((await fetch(`${platform.stack.origin}/readyz`)).status).toBe(200);
  });

  it('invitations are stored with a 200, and their mails are queued', async () => {
    const people = peopleCalls(platform);
    const rows = [
      ...(await people.register([{ email: 'registered@away.example' }], { send_email: true })),
      ...(await people.invite([
        { email: 'team@away.example', type: 'merchant' },
        { email: 'cand@away.example', type: 'candidate', interview_id: platform.stack.ids.active_interview },
      ])),
    ];
    expect(rows.map(({ result }) => result)).toEqual(['ok', 'Invited', 'Invited']);
    expect(await mailbox(platform)).toEqual([]);
    expect(await platform.database.rows('select state from mail')).toEqual(
      ['queued', 'queued', 'queued'].map((state) => ({ state })),
    );
  });
});

describe('when Temporal', () => {
  it('is available for the first time, API and worker find it and creates succeed', async () => {
    await door.open();
    await worker;
    expect((await create('There', { 'idempotency-key': 'temporal away' })).status).toBe(200);
  });

  it('is available, the waiting mails are sent once', async () => {
    const unsent = `select from mail where state <> 'sent'`;
    await waitFor('the mails', async () => (await platform.database.rows(unsent)).length === 0);
    const sentTo = (await mailbox(platform)).map(({ to }) => to);
    expect(sentTo.toSorted()).toEqual(['cand@away.example', 'registered@away.example', 'team@away.example']);
    // The workflow may send a mail before the outbox row for its start is deleted.
    await noStarts();
  });

  it('becomes unavailable, what needs no reply of a workflow is stored, and is done once Temporal is back', async () => {
    const decisions = decisionsAt(platform);
    const [webhooks, receiver, reports] = await Promise.all([
      openWebhooks(platform.database, platform.sealingKeys),
      startReceiver(),
      openDeliveries(platform),
    ]);
    const begun = await decisions.begin();
    const report = await reports.create('Away');
    const stopped = await reports.schedule(report);
    await reports.until(stopped, 'running');
    await door.close();

    const count = async () => {
      const { workflow_start: _, ...stored } = await countStored(platform.database);
      return stored;
    };
    const before = await count();
    const description = 'It stays blank.';
    const [refused, answered, issue] = await Promise.all([
      create('Away again'),
      decisions.answer(begun),
      platform.call('merchant-technical-issue', { body: { description } }),
      readSeeded().then((read) => expect(read.status).toBe(200)),
    ]);
    expect(refused.status).toBe(503);
    expect(await count()).toEqual(before);
    // Without a decision of the model, the interview goes on with its next question.
    expect(answered.attempt.turn).toMatchObject({ kind: 'question', text: 'Two?' });
    const id = String(issue.body['id']);
    expect(issue.body).toEqual({ id, status: 'queued', reference: null });
    const added = await reports.schedule(report, { every: 'month' });
    const off = { id: report, every: 'off', schedule_id: stopped };
    expect((await reports.post('report-schedule', off)).status).toBe(200);
    const answers = [status(500)];
    receiver.answer = (received, response) => (answers.shift() ?? status(200))(received, response);
    const failed = await webhooks.endpoint(`${receiver.url}/failed`, { retry_waits_ms: Array(9).fill(300) });
    await webhooks.deliveries(failed);
    const stateOf = async (endpoint: string) => (await webhooks.rowsOf(endpoint))[0]?.state;
    await waitFor('the first attempt', async () => (await stateOf(failed)) === 'retried');
    const well = await webhooks.endpoint(`${receiver.url}/well`);
    await webhooks.deliveries(well);
    await waitFor('another first attempt', async () => (await stateOf(well)) === 'acknowledged');
    await waitFor('an attempt to start a workflow', async () => {
      const tried = await platform.database.rows('select from workflow_start where attempts > 0');
      return tried.length > 0;
    });
    expect([await stateOf(failed), await platform.fake('/conversations')]).toEqual(['retried', []]);

    await door.open();
    expect((await create('Back')).status).toBe(200);
    expect(await interviewsNamed(platform.database, 'Away again')).toEqual([]);
    await decisions.expectOneTurn(begun);
    await reports.until(added, 'running');
    await reports.until(stopped, 'none');
    await waitFor('the retry', async () => (await stateOf(failed)) === 'acknowledged');
    expect((await webhooks.attemptsOf(failed)).map(({ outcome }) => outcome)).toEqual([
      'refused',
      'acknowledged',
    ]);
    const sent = await waitFor('support to have the issue', async () => {
      const row = await issueRow(platform.database, id);
      return row?.status === 'sent' && row;
    });
    await noStarts();
    const conversations = (await platform.fake('/conversations')) as { number: number }[];
    expect(conversations.map(({ number }) => `#${number}`)).toEqual([sent.reference]);
    await reports.close();
  });
});
