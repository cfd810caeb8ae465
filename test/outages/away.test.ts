import { countStored, interviewsNamed } from '../harness/interviews/interview-rows';
import { peopleCalls } from '../harness/people/people';
import type { createDoor } from '../harness/platform/door';
import { errorBody } from '../harness/platform/error-body';
import { newInterview } from '../harness/platform/platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { boardUnavailable, featureCalls } from '../harness/support/feature-calls';
import { waitFor } from '../harness/wait-for';
import { decisionsAt } from './decisions-at';
import { outagePlatform } from './outage-platform';

let door: Awaited<ReturnType<typeof createDoor>>;
let platform: OwnPlatform;
let worker: Promise<unknown>;
beforeAll(async () => {
  ({ platform, door } = await outagePlatform({ isAway: true }));
  // Temporal is unavailable while the API and the worker start. The worker reports that it is ready once Temporal is
  // back.
  worker = platform.startWorker();
  worker.catch(() => undefined);
});

const create = (name: string, headers: Record<string, string> = {}) =>
  platform.call('job-interview-create', { body: newInterview(platform.stack, { name }), headers });
const readSeeded = () =>
  platform.call('job-interview-get', { query: { position_id: platform.stack.ids.active_interview } });

describe('while Temporal is unavailable', () => {
  it('job-interview-create returns 503 with Retry-After, stores nothing and releases the idempotency key', async () => {
    const before = await countStored(platform.database);
    const refused = await create('Away', { 'idempotency-key': 'temporal away' });
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual(errorBody('generation_unavailable'));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await countStored(platform.database)).toEqual(before);
  });

  it('job-interview-create-from-array returns 503 and stores nothing', async () => {
    const before = await countStored(platform.database);
    const { interview_length: _, ...body } = newInterview(platform.stack, {
      name: 'Away',
      description: 'Two sentences. They are here.',
      questions: [{ question: 'Why?' }],
    });
    const refused = await platform.call('job-interview-create-from-array', { body });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await countStored(platform.database)).toEqual(before);
  });

  it('merchant-feature-request returns 503, stores nothing and posts nothing', async () => {
    const features = featureCalls(platform);
    const refused = await features.ask('While Temporal is away');
    expect([refused.status, refused.body]).toEqual([503, boardUnavailable]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
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
    expect(await people.mailbox()).toEqual([]);
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
    const sentTo = (await peopleCalls(platform).mailbox()).map(({ to }) => to);
    expect(new Set(sentTo)).toEqual(
      new Set(['registered@away.example', 'team@away.example', 'cand@away.example']),
    );
    expect(sentTo).toHaveLength(3);
    // The workflow may send a mail before the outbox row for its start is deleted.
    await waitFor('their starts to be done with', async () => {
      const starts = await platform.database.rows('select from workflow_start');
      return starts.length === 0;
    });
  });

  it('becomes unavailable, creates return 503 and store nothing, and succeed when it is back', async () => {
    const decisions = decisionsAt(platform);
    const begun = await decisions.begin();
    await door.close();
    const before = await countStored(platform.database);
    expect((await create('Away again')).status).toBe(503);
    expect(await countStored(platform.database)).toEqual(before);
    expect((await readSeeded()).status).toBe(200);
    // Without a decision of the model, the interview goes on with its next question.
    expect((await decisions.answer(begun)).attempt.turn).toMatchObject({ kind: 'question', text: 'Two?' });
    await door.open();
    expect((await create('Back')).status).toBe(200);
    expect(await interviewsNamed(platform.database, 'Away again')).toEqual([]);
    await decisions.expectOneTurn(begun);
  });
});
