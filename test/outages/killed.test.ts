import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Conversation } from '../../local/fakes/zendesk';
import { people } from '../../local/seed/accounts';
import {
  countStored,
  interviewsNamed,
  modelAsked,
  modelOutcomes,
} from '../harness/interviews/interview-rows';
import {
  arrivals,
  grantInvitations,
  inviteCandidates,
  mailsTo,
  waitForMails,
} from '../harness/people/mailbox';
import { errorBody } from '../harness/platform/error-body';
import { held, newInterview } from '../harness/platform/platform';
import type { Reply } from '../harness/platform/platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { openDeliveries } from '../harness/reports/deliveries';
import { featureCalls } from '../harness/support/feature-calls';
import { issueRow } from '../harness/support/issue-worker';
import { waitFor } from '../harness/wait-for';
import { never, startReceiver, status } from '../harness/webhooks/hook-sink';
import { openWebhooks } from '../harness/webhooks/webhooks';
import { decisionsAt } from './decisions-at';
import { outagePlatform } from './outage-platform';

describe('killed-api', () => {
  let platform: OwnPlatform;
  beforeAll(async () => {
    ({ platform } = await outagePlatform());
  });

  const create = (name: string) =>
    platform.call('job-interview-create', {
      body: newInterview(platform.stack, { name, is_embedded: true }),
      headers: { 'idempotency-key': name },
    });
  const read = (position_id: string) => platform.call('job-interview-get', { query: { position_id } });
  const rowOf = async (name: string) => (await interviewsNamed(platform.database, name))[0];
  const idOf = ({ body }: Reply) => String(body['interview_def_set_id']);
  const setLease = (key: string, until: string) =>
    platform.database.rows('update idempotency_key set lease_until = now() + $2::interval where key = $1', [
      key,
      until,
    ]);
  const endLease = (key: string) => setLease(key, '-1 second');
  /**
   * Makes calls for which the model delays its responses. Kills the API when all requests have reached the model and
   * `ready` has resolved.
   */
  async function loseCalls(
    names: string[],
    more: Promise<unknown>[] = [],
    ready = async () => {},
  ): Promise<void> {
    const lost = [...names.map(create), ...more];
    const ends = Promise.allSettled(lost);
    await Promise.all(names.map((name) => modelAsked(platform, name)));
    await ready();
    await platform.api.kill();
    expect((await ends).map(({ status }) => status)).toEqual(lost.map(() => 'rejected'));
  }

  describe('when the API is killed while workflows of its calls run', () => {
    let joining: Promise<Reply>;
    let answered: Awaited<ReturnType<ReturnType<typeof decisionsAt>['answerWhileHeld']>>;
    beforeAll(async () => {
      await platform.fault({ provider: 'openai', ...held });
      // The candidate answers last, because the API waits only 12 s for a decision.
      await loseCalls(['Lost', 'Found again', 'Joined'], [], async () => {
        answered = await decisionsAt(platform).answerWhileHeld();
      });
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
      const row = await waitFor('the interview', async () => {
        const found = await rowOf('Lost');
        return found?.is_built && found;
      });
      expect(row).toMatchObject({ is_built: true, has_draft: false, steps: 6, embed_keys: 1 });
      expect((await read(row.id)).body['questions']).toHaveLength(4);
    });

    it('the same call gets a 409 during the lease, and then the interview of the lost call', async () => {
      const made = await waitFor('the interview', async () => {
        const found = await rowOf('Found again');
        return found?.is_built && found;
      });
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
        expect.objectContaining({ id: idOf(joined), is_built: true, embed_keys: 1 }),
      ]);
    });

    it('an interview that waited for a decision goes on with one turn', async () => {
      await decisionsAt(platform).expectOneTurn(answered);
    });
  });

  describe('when the API is killed, the model refuses and the board hangs', () => {
    const lost = ['Overdue', 'Not yet overdue', 'Lost and failed'];
    const feature = { headers: { 'idempotency-key': 'feature' } };
    let stored: Record<string, number>;
    beforeAll(async () => {
      stored = await countStored(platform.database);
      await platform.fault({ provider: 'openai', ...held, refuse: true });
      const features = featureCalls(platform);
      await features.faultAtCreation(held);
      const isHeld = async () => {
        const count = 2 * held.times - lost.length - 1;
        await waitFor('the creation of the post', async () => (await platform.faultsLeft()) <= count);
      };
      // The faults are cleared before the API starts again, so that the feature board responds. Otherwise the workflow
      // could time out while the API starts slowly.
      await loseCalls(lost, [features.ask('A killed API', feature)], isHeld);
      await platform.clearFaults();
      await platform.startApi();
      await waitFor('the refusals', async () => {
        const rows = await Promise.all(lost.map(rowOf));
        const outcomes = rows.map(async (row) =>
          row ? modelOutcomes(platform.database, row.id) : ['refused'],
        );
        return (await Promise.all(outcomes)).every((each) => each.includes('refused'));
      });
    });

    it('the feature request is posted once, and the same call finds it', async () => {
      const features = featureCalls(platform);
      const row = await waitFor('the post', async () => {
        const [found] = await features.rowsTitled('A killed API');
        return found?.status === 'posted' && found;
      });
      await endLease('feature');
      const again = await features.ask('A killed API', feature);
      expect([again.status, again.body['id']]).toEqual([200, row.id]);
      expect((await features.postsTitled('A killed API')).map(({ id }) => id)).toEqual([row.post_id]);
    });

    it('the same call makes the interview, or gets a 503 that frees the key', async () => {
      await endLease('Lost and failed');
      const second = await create('Lost and failed');
      if (second.status !== 200)
        expect([second.status, await rowOf('Lost and failed')]).toEqual([503, undefined]);
      const third = await create('Lost and failed');
      expect(third.status).toBe(200);
      expect(await interviewsNamed(platform.database, 'Lost and failed')).toEqual([
        expect.objectContaining({ id: idOf(third), is_built: true }),
      ]);
    });

    it('the unbuilt rows are not visible, and only the overdue one is removed', async () => {
      const rows = await Promise.all(['Overdue', 'Not yet overdue'].map(rowOf));
      for (const row of rows) {
        expect(row).toMatchObject({ is_built: false });
        expect((await read(row?.id ?? '')).status).toBe(404);
        const body = { position_id: row?.id, name: 'X' };
        expect((await platform.call('job-interview-update', { body })).status).toBe(404);
      }
      // The cleanup job removes an unbuilt interview 2 minutes after its deadline. The wait below is shorter, so the
      // interview that is not yet overdue stays.
      for (const [name, since] of [
        ['Not yet overdue', '1 second'],
        ['Overdue', '125 seconds'],
      ])
        await platform.database.rows(
          'update interview set deadline_at = now() - $2::interval where name = $1',
          [name, since],
        );
      await platform.database.rows(
        `update interview set deadline_at = now() - interval '1 day' where built_at is not null`,
      );
      await waitFor('the maintenance', async () => (await rowOf('Overdue')) === undefined);
      expect(await rowOf('Not yet overdue')).toMatchObject({ is_built: false });
      const { interview = 0 } = await countStored(platform.database);
      // Of the interviews added since `stored` was counted, two are left: the one that is not yet overdue and the one
      // of the repeated call.
      expect(interview).toBe((stored['interview'] ?? 0) + 2);
    });
  });
});

describe('killed-worker', () => {
  let platform: OwnPlatform;
  let webhooks: Awaited<ReturnType<typeof openWebhooks>>;
  let reports: Awaited<ReturnType<typeof openDeliveries>>;
  let decisions: ReturnType<typeof decisionsAt>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    ({ platform } = await outagePlatform());
    decisions = decisionsAt(platform);
    [webhooks, receiver, reports] = await Promise.all([
      openWebhooks(platform.database, platform.sealingKeys),
      startReceiver(),
      openDeliveries(platform),
    ]);
    await grantInvitations(platform);
  });
  afterAll(() =>
    Promise.all([webhooks.post.close(), webhooks.worker.close(), receiver.close(), reports.close()]),
  );

  const create = (name: string) =>
    platform.call('job-interview-create', {
      body: newInterview(platform.stack, { name, is_embedded: true }),
    });
  const rowOf = async (name: string) => (await interviewsNamed(platform.database, name))[0];
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
    let features: ReturnType<typeof featureCalls>;
    let [drafted, asking]: Promise<Reply>[] = [];
    let [requesting, reporting]: Promise<Reply>[] = [];
    let endpoint: string;
    let report: string;
    let mailing: Awaited<ReturnType<typeof reports.trigger>>;
    let answered: Awaited<ReturnType<typeof decisions.answerWhileHeld>>;
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
      answered = await decisions.answerWhileHeld();
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
      await waitFor(
        'the conversation',
        async () => ((await platform.fake('/conversations')) as []).length > 0,
      );
      await platform.worker?.kill();
      await platform.clearFaults();
      expect(await rowOf('Drafted')).toMatchObject({ ...unbuilt, has_draft: true });
      expect(await rowOf('Asking')).toMatchObject({ ...unbuilt, has_draft: false });
      await holder.query('rollback');
      await holder.end();
      await platform.startWorker();
    });

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
      if ((await requesting)?.status !== 200)
        expect((await features.ask('A killed worker')).status).toBe(200);
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
      await decisions.expectOneTurn(answered);
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

  describe('400 mails of an invitation', () => {
    it('are all sent if the worker is killed and the next one stopped, and only those cut off may arrive twice', async () => {
      const chunk = 100;
      const domain = `${randomUUID()}.example`;
      await inviteCandidates(
        platform,
        Array.from({ length: 400 }, (_, index) => `p${index}@${domain}`),
      );
      await mailed(domain, 100);
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
      await mailed(domain, 200);
      await platform.worker?.stop();
      // A worker that is stopped and not killed finishes sending the mails that it has begun to send, and records them.
      expect((await isSending()).filter((id) => !cutOff.has(id))).toEqual([]);
      await platform.startWorker();
      const mails = await waitForMails(platform, domain, ({ state }) => state === 'sent');
      const counts = await arrivals(platform);
      expect(mails).toHaveLength(400);
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

  describe('job-interview-create when the worker is killed and none takes its place', () => {
    it('returns 503 and stores nothing, and a later worker creates nothing of it', async () => {
      await platform.fault({ provider: 'openai', ...held });
      const call = create('Orphan');
      await modelAsked(platform, 'Orphan');
      await platform.worker?.kill();
      const reply = await call;
      expect([reply.status, reply.body]).toEqual([503, errorBody('generation_unavailable')]);
      expect(await rowOf('Orphan')).toBeUndefined();
      await platform.clearFaults();
      await platform.startWorker();
      expect((await create('After the orphan')).status).toBe(200);
      expect(await rowOf('Orphan')).toBeUndefined();
    });
  });
});
