import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { createWebhookReplayActivities } from '../../../activities/webhooks/webhook-replays';
import { merchants } from '../../../local/seed/accounts';
import { platformTemplateIds } from '../../../local/seed/templates';
import { failures } from '../../../workflows/failures';
import { interviewAttemptId, technicalIssueId } from '../../../workflows/ids';
import type { TechnicalIssueInput } from '../../../workflows/technical-issue';
import { startVideoWorld } from '../../activities/interviews/video-world';
import { startScoringWorld } from '../../activities/scoring/scoring-world';
import type { ScoringWorld } from '../../activities/scoring/scoring-world';
import { startAttemptWorld } from '../../activities/taking/attempt-world';
import type { AttemptWorld } from '../../activities/taking/attempt-world';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';
import { startTestWorker } from '../../harness/platform/test-worker';
import { startFeatureWorker } from '../../harness/support/feature-worker';
import type { FeatureWorker } from '../../harness/support/feature-worker';
import { startIssueWorker } from '../../harness/support/issue-worker';
import type { IssueWorker } from '../../harness/support/issue-worker';
import { waitFor } from '../../harness/wait-for';
import { startReceiver, status as answers } from '../../harness/webhooks/hook-sink';
import type { Answer, Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';
import { expectRecorded, findUncompared, isWaiting, statusAtEnd, timersOf } from '../compare-history';

describe('recorded-histories', () => {
  /**
   * The personal data in these tests contains these words, and no history may contain them. To record new histories:
   * RECORD_HISTORIES=1 npx jest test/workflows/histories
   */
  const words = 'Confidential-Quetzal';

  let interviews: InterviewWorker;
  let mails: MailWorker;
  let issues: IssueWorker;
  let features: FeatureWorker;
  let webhooks: Webhooks;
  let receiver: Receiver;
  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  /** If true, the fake activity fails as if the PDF could not be written. */
  let isUnwritable = false;
  beforeAll(async () => {
    [interviews, mails, issues, features, receiver] = await Promise.all([
      startInterviewWorker(),
      startMailWorker(),
      startIssueWorker(),
      startFeatureWorker(),
      startReceiver(),
    ]);
    webhooks = await openWebhooks(mails.database);
    worker = await startTestWorker({
      ...interviews.activities,
      ...features.activities,
      ...mails.activities,
      ...mails.signInActivities,
      ...mails.pauseActivities,
      ...mails.reportActivities,
      ...issues.activities,
      ...webhooks.retryActivities,
      ...createWebhookReplayActivities({ database: webhooks.worker }),
      renderResultPdf: async () => {
        if (isUnwritable)
          throw ApplicationFailure.nonRetryable('the PDF could not be written', failures.pdfNotMade);
        return { outcome: 'made' };
      },
      renderRequestedPdf: async () => undefined,
    });
  });
  afterEach(async () => {
    await interviews.clearFaults();
    await mails.clear();
    await issues.clear();
    await features.clear();
  });

  describe('interviewCreation', () => {
    it.each<[string, Record<string, unknown> | undefined, string, string[]]>([
      ['completed', undefined, 'COMPLETED', ['accepted']],
      ['failed-by-refusal', { refuse: true }, 'FAILED', ['refused']],
    ])('produces the recorded history: %s', async (name, fault, status, calls) => {
      if (fault) await interviews.fault(fault);
      const id = await interviews.insertUnbuilt(
        { additional_context: { note: words } },
        { name: words, interview_location: words },
      );
      const handle = await worker.startCreation(id);
      expect(await statusAtEnd(handle)).toBe(status);
      expect((await interviews.find(id))?.built).toBe(status === 'COMPLETED');
      expect((await interviews.modelCalls(id)).map(({ outcome: ended }) => ended)).toEqual(calls);
      await expectRecorded(`interview-creation/${name}.json`, handle, id);
    });
  });

  describe('invitationBatch', () => {
    const inTrouble = { status: 503 };
    const off = [null, null];
    const soon = ['0.3 seconds', '1.5 seconds'];

    it.each<[string, object | undefined, (string | null)[], number | undefined, string[]]>([
      ['provider-in-trouble', { ...inTrouble, times: 2 }, off, undefined, ['sent', 'sent']],
      ['reminders', undefined, soon, undefined, ['sent', 'sent', 'sent', 'sent', 'sent', 'sent']],
      ['given-up', { ...inTrouble, times: 1_000 }, off, 1, ['gave_up', 'gave_up']],
    ])('produces the recorded history: %s', async (name, fault, reminders, triedForMs, states) => {
      if (fault) await mails.fault({ ...fault });
      await mails.database.rows(
        'update merchant set reminder_after = $2, final_reminder_after = $3 where id = $1',
        [merchants.main.id, ...reminders],
      );
      const people = [1, 2].map((place) => `${words}-${place}-${randomUUID()}@mail.example`);
      const id = await mails.queue(people, { name: words });
      const handle = await worker.startBatch(
        id,
        triedForMs === undefined ? {} : { tried_for_ms: triedForMs },
      );
      expect(await statusAtEnd(handle)).toBe('COMPLETED');
      expect((await mails.mails(id)).map(({ state }) => state)).toEqual(states);
      await expectRecorded(`invitation-batch/${name}.json`, handle, id);
    });
  });

  describe('signInMail', () => {
    it.each<[string, object | undefined, string]>([
      ['plain', undefined, 'COMPLETED'],
      ['refused', { status: 400 }, 'FAILED'],
    ])('produces the recorded history: %s', async (name, fault, status) => {
      if (fault) await mails.fault({ ...fault });
      const email = `${words}-${randomUUID()}@mail.example`;
      const id = await mails.askForLink(email);
      const handle = await worker.startSignIn(id);
      expect(await statusAtEnd(handle)).toBe(status);
      const received = (await mails.mailbox()).filter(({ to }) => to.includes(email));
      expect(received.length).toBe(status === 'COMPLETED' ? 1 : 0);
      await expectRecorded(`sign-in-mail/${name}.json`, handle, id);
    });
  });

  describe('issueReport', () => {
    it.each<[string, object | undefined, Partial<TechnicalIssueInput>, string, object]>([
      ['sent-at-once', undefined, {}, 'COMPLETED', { status: 'sent', attempts: 1 }],
      ['sent-later', { times: 2 }, { first_pause_ms: 20 }, 'COMPLETED', { status: 'sent', attempts: 3 }],
      [
        'given-up',
        { times: 1_000 },
        { first_pause_ms: 1, tried_for_ms: 0 },
        'FAILED',
        { status: 'queued', given_up: true },
      ],
    ])('produces the recorded history: %s', async (name, fault, more, status, row) => {
      if (fault) await issues.fault({ status: 503, ...fault });
      const id = await issues.report(`The page of ${words} stays blank`);
      expect(await worker.askIssue(id, more)).toBe(name === 'sent-at-once' ? 'sent' : 'queued');
      const handle = worker.client.workflow.getHandle(technicalIssueId(id));
      expect(await statusAtEnd(handle)).toBe(status);
      expect(await issues.row(id)).toMatchObject(row);
      expect(await issues.conversations(id)).toHaveLength(status === 'COMPLETED' ? 1 : 0);
      await expectRecorded(`issue-report/${name}.json`, handle, id);
    });
  });

  describe('issueReport, canceled while it waits', () => {
    it('produces the recorded history: canceled', async () => {
      await issues.fault({ status: 503, times: 1_000 });
      const id = await issues.report(`The page of ${words} stays blank`);
      expect(await worker.askIssue(id, { first_pause_ms: 600_000 })).toBe('queued');
      const handle = worker.client.workflow.getHandle(technicalIssueId(id));
      await waitFor('its wait', () => isWaiting(handle));
      await handle.cancel();
      expect(await statusAtEnd(handle)).toBe('CANCELLED');
      expect(await issues.row(id)).toMatchObject({ status: 'queued', given_up: true });
      await expectRecorded('issue-report/cancelled.json', handle, id);
    });
  });

  describe('featureRequest', () => {
    it.each<[string, object | undefined, string]>([
      ['posted', undefined, 'COMPLETED'],
      ['refused', { status: 401 }, 'FAILED'],
    ])('produces the recorded history: %s', async (name, fault, status) => {
      if (fault) await features.fault({ ...fault });
      const { id } = await features.insert({ title: words, description: `${words} Amsterdam` });
      const handle = await worker.startFeatureRequest(id);
      expect(await statusAtEnd(handle)).toBe(status);
      expect((await features.find(id))?.status).toBe(status === 'COMPLETED' ? 'posted' : undefined);
      expect((await features.posts()).length).toBe(status === 'COMPLETED' ? 1 : 0);
      await expectRecorded(`feature-request/${name}.json`, handle, id);
    });
  });

  describe('webhookRetries', () => {
    const waits = (ms: number) => ({ retry_waits_ms: Array.from({ length: 9 }, () => ms) });

    it.each<[string, Record<string, unknown>, Record<string, unknown>, Answer[], string]>([
      ['recovers', waits(2_000), {}, [answers(500), answers(204)], 'acknowledged'],
      ['given-up', {}, { attempts: 9 }, [answers(500)], 'gave_up'],
      ['retry-now', {}, {}, [answers(204)], 'acknowledged'],
      ['paused-and-resumed', waits(1), {}, [answers(410), answers(204)], 'acknowledged'],
    ])('produces the recorded history: %s', async (name, endpoint, delivery, queue, state) => {
      const script = [...queue];
      receiver.answer = (received, response) => (script.shift() ?? answers(200))(received, response);
      const id = await webhooks.endpoint(`${receiver.url}/${words}`, endpoint, { 'x-key': words });
      const [deliveryId] = await webhooks.deliveries(id, 1, { state: 'retried', attempts: 1, ...delivery });
      if (name === 'retry-now')
        await mails.database.rows(
          `update webhook_delivery set next_attempt_at = now() + interval '1 hour' where id = $1`,
          [deliveryId],
        );
      if (name === 'paused-and-resumed') {
        const email = `${words}-${randomUUID()}@mail.example`;
        await mails.database.rows(
          `insert into profile (merchant_id, role, email, email_key, name, activated_at)
         values ($1, 'merchant_owner', $2, lower($2), $3, now())`,
          [merchants.main.id, email, words],
        );
        // The first fault only delays the first owner's mail. The second one makes the second owner's mail fail once.
        await mails.fault({ delay_ms: 1 });
        await mails.fault({ status: 503 });
      }
      const handle = await worker.signalRetries(id, { settle_ms: 0, check_ms: 3_600_000 });
      /** Lets a sender make the attempt that the workflow has released, and signals that it has ended. */
      const attempt = async () => {
        await waitFor('the release', async () => (await webhooks.rowsOf(id)).some((row) => row.is_released));
        await waitFor('its wait', () => isWaiting(handle));
        const sender = webhooks.send();
        await webhooks.settled(id, 1);
        await sender.stop();
        await handle.signal('changed');
      };
      if (name !== 'retry-now') await attempt();
      if (name === 'recovers') await attempt();
      if (name === 'retry-now') {
        await waitFor('its wait', () => isWaiting(handle));
        await handle.signal('retryNow', { delivery_id: deliveryId });
        await attempt();
      }
      if (name === 'paused-and-resumed') {
        await waitFor('the mails', async () => (await mails.mailbox()).length === 2);
        await waitFor('its wait', () => isWaiting(handle));
        await handle.signal('resume');
        await attempt();
      }
      expect(await statusAtEnd(handle)).toBe('COMPLETED');
      expect((await webhooks.rowsOf(id)).map((row) => row.state)).toEqual([state]);
      expect(new Set((await mails.mailbox()).map(({ to }) => to)).size).toBe((await mails.mailbox()).length);
      await expectRecorded(`webhook-retries/${name}.json`, handle, id);
    });
  });

  describe('webhookReplay', () => {
    const isOver = async (handle: WorkflowHandle) => (await handle.describe()).status.name !== 'RUNNING';

    it.each<[string, number, string, string, string[]]>([
      ['plain', 2, 'STARTED FIRED', 'COMPLETED', ['queued', 'queued', 'queued']],
      ['cancelled', 1, 'STARTED', 'CANCELLED', ['queued', 'gave_up', 'gave_up']],
    ])('produces the recorded history: %s', async (name, perSecond, timers, status, states) => {
      const replay = async () => {
        const endpointId = await webhooks.endpoint(`${receiver.url}/${words}`);
        await webhooks.deliveries(endpointId, 3, { state: 'gave_up' });
        const [{ id } = { id: '' }] = await mails.database.rows<{ id: string }>(
          `insert into webhook_replay (merchant_id, environment, filter, per_second, matched, requested_by)
         values ($1, 'production', $2, $3, 3, $4) returning id`,
          [merchants.main.id, JSON.stringify({ endpoint_id: endpointId }), perSecond, randomUUID()],
        );
        const handle = await worker.startReplay(id);
        if (name === 'cancelled') {
          await waitFor('its wait', async () => (await isWaiting(handle)) || (await isOver(handle)));
          await handle.cancel().catch(() => undefined);
        }
        return { id, endpointId, handle, ended: await statusAtEnd(handle) };
      };
      // A page and the wait after it take 1 s together. After a slower page there is no wait, so the test tries again.
      const { id, endpointId, handle, ended } = await waitFor('one that waited once', async () => {
        const replayed = await replay();
        return (await timersOf(replayed.handle)) === timers && replayed;
      });
      expect(ended).toBe(status);
      expect((await webhooks.rowsOf(endpointId)).map((row) => row.state)).toEqual(states);
      await expectRecorded(`webhook-replay/${name}.json`, handle, id);
    });
  });

  describe('reportDelivery', () => {
    it.each<[string, number, string, string]>([
      ['provider-in-trouble', 1, 'COMPLETED', 'sent'],
      ['given-up', 1_000, 'FAILED', 'failed'],
      ['not-made', 0, 'FAILED', 'failed'],
      ['paused', 0, 'COMPLETED', 'paused'],
    ])('is recorded: %s', async (name, failing, status, state) => {
      const id = await mails.putSchedule(words, name === 'not-made' ? 'gone' : 'block');
      if (failing > 0) await mails.fault({ status: 503, times: failing });
      if (name === 'paused')
        await mails.database.rows('update report set archived_at = now() where title = $1', ['Any']);
      const handle = await worker.startDelivery(id, name === 'given-up' ? { tried_for_ms: 0 } : {});
      expect(await statusAtEnd(handle)).toBe(status);
      const runs = await mails.database.rows('select state from report_delivery where schedule_id = $1', [
        id,
      ]);
      expect(runs).toEqual([{ state }]);
      expect(await mails.mailbox()).toHaveLength(state === 'sent' ? 1 : 0);
      await expectRecorded(`report-delivery/${name}.json`, handle, id);
    });
  });

  describe('resultPdf', () => {
    const request = { name: 'report-0a1b2c3d4e5f6071.pdf', options: { transcript: true } };
    it.each([
      ['automatic', undefined, 'COMPLETED'],
      ['requested', request, 'COMPLETED'],
      ['unwritable', undefined, 'FAILED'],
    ])('produces the recorded history: %s', async (name, requested, status) => {
      const id = randomUUID();
      isUnwritable = name === 'unwritable';
      const handle = await worker.startPdf(id, requested);
      expect(await statusAtEnd(handle)).toBe(status);
      await expectRecorded(`result-pdf/${name}.json`, handle, id);
    });
  });
});

describe('recorded-interviews', () => {
  /** Questions and answers in these tests contain these words, and no history may contain them. */
  const words = 'Confidential-Quetzal';

  let world: AttemptWorld;
  let videos: Awaited<ReturnType<typeof startVideoWorld>>;
  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  beforeAll(async () => {
    [world, videos] = await Promise.all([startAttemptWorld(), startVideoWorld()]);
    worker = await startTestWorker({ ...videos.activities, ...world.activities }, { isLive: true });
  });

  describe('interviewAttempt', () => {
    /**
     * Begins an attempt and its workflow. The template has no speech, because rendering speech at the same time as
     * other activities would change the order of the events.
     */
    async function begin(changes: Record<string, unknown> = {}) {
      const begun = await world.beginInterview([{ question: words }], {
        interview_template_id: platformTemplateIds.offline_avatar_2,
        ...changes,
      });
      const handle = await worker.startAttempt(begun.result_id, begun.attempt);
      await waitFor('its wait', () => isWaiting(handle));
      return { ...begun, handle };
    }
    it('is recorded: follow-up', async () => {
      const { link, result_id, attempt, handle } = await begin();
      const { turn_id } = await world.type(link, words);
      expect(await handle.executeUpdate('nextTurn', { updateId: turn_id, args: [{ turn_id }] })).toBe(
        'follow_up',
      );
      await waitFor('its next wait', () => isWaiting(handle));
      // The last answer needs no decision, so the workflow gets no update about this answer.
      await world.type(link, words);
      await handle.signal('speechMissing');
      expect(await statusAtEnd(handle)).toBe('COMPLETED');
      expect(handle.workflowId).toBe(interviewAttemptId(result_id, attempt));
      await expectRecorded('interview-attempt/follow-up.json', handle, result_id, { inAnyOrder: true });
    });

    it('is recorded: spoken', async () => {
      const { link, result_id, handle } = await begin({ recording: 'audio_all', max_followups: 0 });
      const { turn_id } = await world.say(link, words);
      expect(await handle.executeUpdate('nextTurn', { updateId: turn_id, args: [{ turn_id }] })).toBe(
        'planned',
      );
      expect(await statusAtEnd(handle)).toBe('COMPLETED');
      await expectRecorded('interview-attempt/spoken.json', handle, result_id, { inAnyOrder: true });
    });
  });

  describe('interviewSpeech', () => {
    it('is recorded: rendered', async () => {
      await world.beginInterview([{ question: `${words} and speech` }]);
      const [interview] = await world.database.rows<{ id: string }>(
        `select l.interview_id as id from interview_question l join question q on q.id = l.question_id where q.question = $1`,
        [`${words} and speech`],
      );
      const handle = await worker.startSpeech(interview?.id ?? '');
      expect(await statusAtEnd(handle)).toBe('COMPLETED');
      await expectRecorded('interview-speech/rendered.json', handle, interview?.id ?? '');
    });
  });

  describe('questionVideos', () => {
    it('is recorded: planned', async () => {
      const id = await videos.interviewWith([{ question: words }]);
      const handle = await worker.startVideos(id);
      expect(await statusAtEnd(handle)).toBe('COMPLETED');
      await expectRecorded('question-videos/planned.json', handle, id);
    });

    it.each([
      ['rendered', { status: 503 }, 'ready'],
      ['failed', { video: 'text' }, 'failed'],
    ])('is recorded: %s', async (name, fault, state) => {
      const { id } = await videos.plan(words);
      await videos.fault(fault);
      const handle = await worker.startVideo(id, { pause_ms: 300 });
      expect(await statusAtEnd(handle)).toBe('COMPLETED');
      expect(await videos.row(id)).toMatchObject({ state });
      await expectRecorded(`question-video/${name}.json`, handle, id);
    });
  });
});

describe('recorded-scoring', () => {
  /** The text of the answers that are scored. No history may contain it. */
  const words =
    'Confidential-Quetzal said that I led a project at a bakery, and that my own part was the oven plan.';

  let world: ScoringWorld;
  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  beforeAll(async () => {
    world = await startScoringWorld();
    worker = await startTestWorker(world.scoring);
  });
  afterEach(() => world.clearFaults());

  describe('resultScoring', () => {
    it.each<[string, object | undefined, number | undefined, string]>([
      ['scored', undefined, undefined, 'COMPLETED'],
      ['model-away', { status: 503, times: 1_000 }, 1, 'FAILED'],
    ])('produces the recorded history: %s', async (name, fault, tried_for_ms, status) => {
      const { result_id } = await world.submitted([words, words]);
      if (fault) await world.fault({ ...fault });
      const handle = await worker.startScoring(result_id, {
        first_pause_ms: 50,
        ...(tried_for_ms === undefined ? {} : { tried_for_ms }),
      });
      expect(await statusAtEnd(handle)).toBe(status);
      await expectRecorded(`result-scoring/${name}.json`, handle, result_id, { inAnyOrder: true });
    });
  });
});

describe('the recorded histories', () => {
  it('are all compared by the tests above', () => {
    // Workflows that older builds began are only replayed.
    expect(findUncompared((file) => !file.includes('/older-'))).toEqual([]);
  });
});
