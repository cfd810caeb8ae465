import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Conversation } from '../../local/fakes/zendesk';
import { people } from '../../local/seed/accounts';
import { interviewsNamed, modelAsked, modelOutcomes } from '../harness/interviews/interview-rows';
import {
  arrivals,
  grantInvitations,
  inviteCandidates,
  mailsTo,
  waitForMails,
} from '../harness/people/mailbox';
import { held, newInterview } from '../harness/platform/platform';
import type { Reply } from '../harness/platform/platform';
import { startPlatform } from '../harness/platform/start-platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { openDeliveries } from '../harness/reports/deliveries';
import { featureCalls } from '../harness/support/feature-calls';
import { issueRow } from '../harness/support/issue-worker';
import { waitFor } from '../harness/wait-for';
import { never, startReceiver, status } from '../harness/webhooks/hook-sink';
import { openWebhooks } from '../harness/webhooks/webhooks';
import { decisionsAt } from './decisions-at';

let platform: OwnPlatform;
beforeAll(async () => {
  // The grace period is long enough for a worker that is stopped to send a chunk of mails.
  platform = await startPlatform({ worker: true, workerVariables: { SHUTDOWN_GRACE_SECONDS: '100' } });
  await grantInvitations(platform);
});

const create = (name: string) =>
  platform.call('job-interview-create', {
    body: newInterview(platform.stack, { name, is_embedded: true }),
    headers: { 'idempotency-key': name },
  });
const rowOf = async (name: string) => (await interviewsNamed(platform.database, name))[0];
const built = (name: string) =>
  waitFor('the interview', async () => {
    const found = await rowOf(name);
    return found?.is_built && found;
  });

describe('when the API is killed while workflows of its calls run', () => {
  const asked = 'A killed API';
  const feature = { headers: { 'idempotency-key': asked } };
  const setLease = (key: string, until: string) =>
    platform.database.rows('update idempotency_key set lease_until = now() + $2::interval where key = $1', [
      key,
      until,
    ]);
  const endLease = (key: string) => setLease(key, '-1 second');
  let joining: Promise<Reply>;
  let answered: Awaited<ReturnType<ReturnType<typeof decisionsAt>['answerWhileHeld']>>;
  beforeAll(async () => {
    const names = ['Lost', 'Found again', 'Joined'];
    const features = featureCalls(platform);
    await platform.fault({ provider: 'openai', ...held });
    await features.faultAtCreation(held);
    const left = await platform.faultsLeft();
    const lost = [...names.map(create), features.ask(asked, feature)];
    const ends = Promise.allSettled(lost);
    await Promise.all(names.map((name) => modelAsked(platform, name)));
    // Two searches, the creation of the post, and three calls of the model.
    await waitFor('the creation of the post', async () => (await platform.faultsLeft()) <= left - 6);
    // The candidate answers last, because the API waits only 12 s for a decision.
    answered = await decisionsAt(platform).answerWhileHeld();
    await platform.api.kill();
    expect((await ends).map((each) => each.status)).toEqual(lost.map(() => 'rejected'));
    await expect(answered.answering).rejects.toThrow('fetch failed');
    await platform.startApi();
    await endLease('Joined');
    joining = create('Joined');
    await waitFor('the lease of the second call', async () => {
      const [row] = await platform.database.rows<{ runs: boolean }>(
        `select lease_until > now() as runs from idempotency_key where key = 'Joined'`,
      );
      return row?.runs;
    });
    expect(await rowOf('Joined')).toMatchObject({ is_built: false });
    await platform.clearFaults();
  });

  it('the interview is completed', async () => {
    const row = await built('Lost');
    expect(row).toMatchObject({ is_built: true, has_draft: false, steps: 6, embed_keys: 1 });
    const { body } = await platform.call('job-interview-get', { query: { position_id: row.id } });
    expect(body['questions']).toHaveLength(4);
  });

  it('the same call gets a 409 during the lease, and then the interview of the lost call', async () => {
    const made = await built('Found again');
    await setLease('Found again', '1 hour');
    expect((await create('Found again')).status).toBe(409);
    await endLease('Found again');
    const found = await create('Found again');
    expect([found.status, found.body]).toEqual([
      200,
      {
        interview_def_set_id: made.id,
        questions_generated: 3,
        max_duration: 1_200,
        embed_id: expect.any(String),
        embed_signing_key: expect.any(String),
      },
    ]);
    expect((await create('Found again')).text).toBe(found.text);
    expect(await interviewsNamed(platform.database, 'Found again')).toHaveLength(1);
  });

  it('the same call waits for a workflow that is still running', async () => {
    const joined = await joining;
    expect(joined.status).toBe(200);
    expect(await interviewsNamed(platform.database, 'Joined')).toEqual([
      expect.objectContaining({ id: joined.body['interview_def_set_id'], is_built: true, embed_keys: 1 }),
    ]);
  });

  it('an interview that waited for a decision goes on with one turn', async () => {
    await decisionsAt(platform).expectOneTurn(answered);
  });

  it('a feature request is posted once or removed, and the same call finds it or posts it', async () => {
    const features = featureCalls(platform);
    await waitFor('the end of its workflow', async () => {
      const [found] = await features.rowsTitled(asked);
      return found?.status !== 'pending';
    });
    await endLease(asked);
    const again = await features.ask(asked, feature);
    const [row] = await features.rowsTitled(asked);
    expect([again.status, again.body['id']]).toEqual([200, row?.id]);
    expect((await features.postsTitled(asked)).map(({ id }) => id)).toEqual([row?.post_id]);
  });
});

const unbuilt = { is_built: false, steps: 0, embed_keys: 0 };
async function expectWhole(name: string, reply: Reply): Promise<void> {
  expect(reply.status).toBe(200);
  const id = reply.body['interview_def_set_id'];
  const whole = { id, is_built: true, has_draft: false, steps: 6, embed_keys: 1 };
  expect(await interviewsNamed(platform.database, name)).toEqual([whole]);
}
/**
 * Waits until at least this many mails are sent. The database counts them, because fetching the list of mails again
 * and again takes longer than sending them.
 */
const mailed = (domain: string, atLeast: number) =>
  waitFor(`${atLeast} mails`, async () => {
    const [row] = await platform.database.rows<{ count: number }>(
      `select count(*)::int from mail m join profile p on p.id = m.profile_id
     where split_part(p.email, '@', 2) = $1 and m.state = 'sent'`,
      [domain],
    );
    return row && row.count >= atLeast;
  });

describe('when the worker is killed in the middle of its work, another worker', () => {
  let webhooks: Awaited<ReturnType<typeof openWebhooks>>;
  let reports: Awaited<ReturnType<typeof openDeliveries>>;
  const decisions = () => decisionsAt(platform);
  let features: ReturnType<typeof featureCalls>;
  let [drafted, asking]: Promise<Reply>[] = [];
  let [requesting, reporting]: Promise<Reply>[] = [];
  let endpoint: string;
  let report: string;
  let mailing: Awaited<ReturnType<typeof reports.trigger>>;
  let answered: Awaited<ReturnType<ReturnType<typeof decisionsAt>['answerWhileHeld']>>;
  const recipients = [people.merchant, people.merchant_owner, people.merchant_selection];
  /**
   * Triggers a report for three recipients. Its first mail is sent, and the provider delays its response to the second
   * mail.
   */
  async function mailReport() {
    report = await reports.create('Killed');
    const id = await reports.schedule(report, { recipients: recipients.map((person) => person.id) });
    await reports.until(id, 'running');
    await platform.fault({ provider: 'sendgrid', delay_ms: 1 });
    await platform.fault({ provider: 'sendgrid', ...held, status: 503 });
    mailing = await reports.trigger(id);
    await waitFor('the first mail', async () => {
      const sent = await platform.database.rows(`select from report_mail where state = 'sent'`);
      return sent.length === 1;
    });
  }
  beforeAll(async () => {
    features = featureCalls(platform);
    const [receiver, ...opened] = await Promise.all([
      startReceiver(),
      openWebhooks(platform.database, platform.sealingKeys),
      openDeliveries(platform),
    ]);
    [webhooks, reports] = opened;
    answered = await decisions().answerWhileHeld();
    await mailReport();
    const path = `/${randomUUID()}`;
    const answers = [status(500), never];
    receiver.answer = (received, response) => (answers.shift() ?? status(200))(received, response);
    endpoint = await webhooks.endpoint(receiver.url + path, { retry_waits_ms: Array(9).fill(300) });
    await webhooks.deliveries(endpoint, 1);
    await waitFor('the second request', async () => receiver.received.some(({ attempt }) => attempt === 2));
    // The lock keeps the worker from storing the interview, so that the worker is killed after the draft and before
    // the interview is stored.
    const holder = new Client({ connectionString: platform.database.adminUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table question in exclusive mode');
    drafted = create('Drafted');
    await waitFor('the draft', async () => (await rowOf('Drafted'))?.has_draft);
    await platform.fault({ provider: 'openai', ...held });
    asking = create('Asking');
    await modelAsked(platform, 'Asking');
    // The providers create the post and the conversation at once but respond only after 60 seconds. No attempt waits
    // that long, so the second attempt finds what the first one has created.
    const accepted = { delay_ms: 60_000, accept: true };
    await platform.fault({ provider: 'board', ...accepted });
    await platform.fault({ provider: 'support', ...accepted });
    requesting = features.ask('A killed worker');
    reporting = platform.call('merchant-technical-issue', { body: { description: 'It stays blank.' } });
    await waitFor('the post', async () => (await features.postsTitled('A killed worker')).length === 1);
    await waitFor('the conversation', async () => ((await platform.fake('/conversations')) as []).length > 0);
    await platform.worker?.kill();
    await platform.clearFaults();
    expect(await rowOf('Drafted')).toMatchObject({ ...unbuilt, has_draft: true });
    expect(await rowOf('Asking')).toMatchObject({ ...unbuilt, has_draft: false });
    await holder.query('rollback');
    await holder.end();
    await platform.startWorker();
  });

  afterAll(() => reports.close());

  it('makes one interview of a call whose model was asked', async () => {
    await expectWhole('Asking', (await asking) as Reply);
  });

  it('keeps a draft and does not ask the model again', async () => {
    const reply = (await drafted) as Reply;
    await expectWhole('Drafted', reply);
    const id = String(reply.body['interview_def_set_id']);
    expect(await modelOutcomes(platform.database, id)).toEqual(['accepted']);
  });

  it('finds the post of a feature request and records it', async () => {
    // The call fails if the worker needs longer to start than the call waits. In that case the test repeats the call.
    if ((await requesting)?.status !== 200) expect((await features.ask('A killed worker')).status).toBe(200);
    const posts = await features.postsTitled('A killed worker');
    expect(await features.rowsTitled('A killed worker')).toEqual([
      expect.objectContaining({ status: 'posted', post_id: posts[0]?.id }),
    ]);
    expect(posts).toHaveLength(1);
  });

  it('finds the conversation of a technical issue', async () => {
    const id = String((await reporting)?.body['id']);
    const row = await waitFor('support to have it', async () => {
      const found = await issueRow(platform.database, id);
      return found?.status === 'sent' && found;
    });
    expect(row.attempts).toBe(2);
    const conversations = (await platform.fake('/conversations')) as Conversation[];
    expect(conversations.map(({ number }) => `#${number}`)).toEqual([row.reference]);
  });

  it('records that an attempt of a webhook was lost, and retries it', async () => {
    await waitFor('the acknowledgement', async () =>
      (await webhooks.rowsOf(endpoint)).every(({ state }) => state === 'acknowledged'),
    );
    const attempts = await webhooks.attemptsOf(endpoint);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'worker_lost', 'acknowledged']);
  });

  it('decides the next turn of an interview once', async () => {
    expect((await answered.answering).status).toBe(200);
    await decisions().expectOneTurn(answered);
  });

  it('mails a scheduled report once to each recipient', async () => {
    await mailing.result();
    const arrived = (await reports.mailed('Killed')).map(({ to }) => to);
    expect(arrived.toSorted()).toEqual(recipients.map(({ email }) => email).toSorted());
    expect(await reports.lastRun(report)).toMatchObject({
      outcome: 'sent',
      message: 'Mailed to 3 people.',
    });
  });
});

describe('240 mails of an invitation', () => {
  it('are all sent if the worker is killed and the next one stopped, and only those cut off may arrive twice', async () => {
    const chunk = 100;
    const domain = `${randomUUID()}.example`;
    await inviteCandidates(
      platform,
      Array.from({ length: 240 }, (_, index) => `p${index}@${domain}`),
    );
    await mailed(domain, 50);
    await platform.worker?.kill();
    // The last statement of the killed worker may still be running, so the test waits until the worker's connections
    // have ended.
    await waitFor('its connections to end', async () => {
      const open = await platform.database.rows(
        `select from pg_stat_activity where datname = current_database() and usename = 'app_worker_login'`,
      );
      return open.length === 0;
    });
    const isSending = async () =>
      (await mailsTo(platform, domain)).filter(({ state }) => state === 'sending').map(({ id }) => id);
    const cutOff = new Set(await isSending());
    expect(cutOff.size).toBeLessThanOrEqual(chunk);
    await platform.startWorker();
    await mailed(domain, 120);
    await platform.worker?.stop();
    // A worker that is stopped and not killed finishes sending the mails that it has begun to send, and records them.
    expect((await isSending()).filter((id) => !cutOff.has(id))).toEqual([]);
    await platform.startWorker();
    const mails = await waitForMails(platform, domain, ({ state }) => state === 'sent');
    const counts = await arrivals(platform);
    expect(mails).toHaveLength(240);
    for (const { id, attempts } of mails) {
      const arrived = counts.get(id) ?? 0;
      if (arrived === 1 && attempts === 1) continue;
      // The killed worker had begun to send this mail. Another worker sends it again, although the first worker may
      // have succeeded.
      expect([attempts, cutOff.has(id)]).toEqual([2, true]);
      expect([1, 2]).toContain(arrived);
    }
  });
});
