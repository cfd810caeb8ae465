import { randomUUID } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { workflowMetadataQuery } from '@temporalio/workflow';
import type { MailChunkReport } from '../../../activities/people/invitations';
import type { ReminderPlan } from '../../../db/people/reminders';
import { startTestWorker, whileBeating } from '../../harness/platform/test-worker';
import { until, waitFor } from '../../harness/wait-for';

describe('featureRequest', () => {
  type Run = { activity: 'post' | 'record' | 'remove'; id: string; attempt: number };
  type Play = (run: Run) => Promise<void> | void;
  /** `seen` lists the calls of the fake activities. Each call for a request runs the request's function in `plays`. */
  const seen: Run[] = [];
  const plays = new Map<string, Play>();
  const note = async (activity: Run['activity'], id: string) => {
    const run = { activity, id, attempt: Context.current().info.attempt };
    seen.push(run);
    await whileBeating(() => plays.get(id)?.(run));
  };
  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  beforeAll(async () => {
    worker = await startTestWorker({
      postFeatureRequest: async (input) => {
        expect(Object.keys(input)).toEqual(['feature_request_id']);
        await note('post', input.feature_request_id);
        return { post_id: 'post-1' };
      },
      recordFeaturePost: async ({ feature_request_id, post_id }) => {
        expect(post_id).toBe('post-1');
        await note('record', feature_request_id);
      },
      removeFeatureRequest: ({ feature_request_id }) => note('remove', feature_request_id),
    });
  });

  async function run(play?: Play) {
    const id = randomUUID();
    if (play) plays.set(id, play);
    const handle = await worker.startFeatureRequest(id);
    const error = await handle.result().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { handle, error, runs: seen.filter((each) => each.id === id).map(({ activity }) => activity) };
  }
  const failure = (nonRetryable: boolean) =>
    ApplicationFailure.create({ message: 'no', type: 'Test', nonRetryable, nextRetryDelay: 1 });

  it('posts the request and then records the post', async () => {
    const { error, runs } = await run();
    expect(error).toBeUndefined();
    expect(runs).toEqual(['post', 'record']);
  });

  it('records the third attempt when the board fails twice', async () => {
    const { error, runs } = await run(({ activity, attempt }) => {
      if (activity === 'post' && attempt < 3) throw failure(false);
    });
    expect(error).toBeUndefined();
    expect(runs).toEqual(['post', 'post', 'post', 'record']);
  });

  it.each([
    ['fails three times', false, ['post', 'post', 'post', 'remove']],
    ['refuses', true, ['post', 'remove']],
  ])('removes the request and fails when the board %s', async (_how, nonRetryable, expected) => {
    const { error, runs } = await run(({ activity }) => {
      if (activity === 'post') throw failure(nonRetryable);
    });
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect(runs).toEqual(expected);
  });

  it('removes the request and fails when its time was over before it was posted', async () => {
    const { error, runs } = await run(({ activity }) => {
      if (activity === 'record') throw failure(true);
    });
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect(runs).toEqual(['post', 'record', 'remove']);
  });

  it('retries the removal until it succeeds', async () => {
    const { runs } = await run(({ activity, attempt }) => {
      if (activity === 'post') throw failure(true);
      if (activity === 'remove' && attempt < 3) throw failure(false);
    });
    expect(runs).toEqual(['post', 'remove', 'remove', 'remove']);
  });

  it('removes the request also when the workflow is canceled', async () => {
    const id = randomUUID();
    plays.set(id, async ({ activity }) => {
      if (activity !== 'post') return;
      await worker.client.workflow.getHandle(`feature-request/${id}`).cancel();
      await Context.current().cancelled.catch(() => undefined);
      throw failure(false);
    });
    const handle = await worker.startFeatureRequest(id);
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(seen.filter((each) => each.id === id).map(({ activity }) => activity)).toEqual(['post', 'remove']);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
  });

  it('shows in Temporal whose workflow it is, what it does and its progress', async () => {
    const details: unknown[] = [];
    const id = randomUUID();
    plays.set(id, async () => {
      const { currentDetails } = await worker.client.workflow
        .getHandle(`feature-request/${id}`)
        .query(workflowMetadataQuery);
      details.push(currentDetails);
    });
    const handle = await worker.startFeatureRequest(id);
    await handle.result();
    details.push((await handle.query(workflowMetadataQuery)).currentDetails);
    expect(details).toEqual([
      '**Posting**: the board is asked, three times at most.',
      '**Recording**: the board has it as post-1.',
      '**Posted**: the board’s users see it.',
    ]);
    const description = await handle.describe();
    expect(description.searchAttributes).toMatchObject({
      MerchantId: ['00000000-0000-4000-8000-000000000001'],
      Environment: ['production'],
    });
    expect(await description.staticSummary()).toBe('Posts a feature request on the board');
  });
});

describe('invitationBatch', () => {
  /**
   * What the fake activities return for a batch. The n-th call that sends mails returns entry n of `chunks`; the last
   * entry is repeated.
   */
  type Script = {
    chunks?: Partial<MailChunkReport>[];
    plan?: Partial<ReminderPlan>;
    queued?: number;
    /** Called during each call of an activity. `n` is the number of earlier calls for this batch. */
    during?: (call: string, n: number) => Promise<void>;
  };
  const scripts = new Map<string, Script>();
  const calls = new Map<string, string[]>();
  const callsOf = (id: string) => calls.get(id) ?? [];
  const script = (id: string) => scripts.get(id) ?? {};

  async function note(call: string, id: string): Promise<void> {
    const sofar = callsOf(id);
    calls.set(id, [...sofar, call]);
    await whileBeating(() => script(id).during?.(call, sofar.length));
  }
  const answer: MailChunkReport = {
    sent: 0,
    rejected: 0,
    failed: 0,
    unsent: 0,
    retry_after_ms: 0,
    last_error: null,
  };
  const fakes = {
    sendMails: async ({ batch_id }: { batch_id: string }): Promise<MailChunkReport> => {
      const chunks = script(batch_id).chunks ?? [{}];
      const n = callsOf(batch_id).filter((call) => call === 'sendMails').length;
      await note('sendMails', batch_id);
      return { ...answer, ...chunks[Math.min(n, chunks.length - 1)] };
    },
    giveUpMails: ({ batch_id }: { batch_id: string }) => note('giveUpMails', batch_id),
    planReminders: async ({ batch_id }: { batch_id: string }): Promise<ReminderPlan> => {
      await note('planReminders', batch_id);
      return { reminder: null, final_reminder: null, ...script(batch_id).plan };
    },
    queueReminders: async ({ batch_id, kind }: { batch_id: string; kind: string }) => {
      await note(`queue ${kind}`, batch_id);
      return { queued: script(batch_id).queued ?? 1 };
    },
  };

  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  beforeAll(async () => {
    worker = await startTestWorker(fakes);
  });

  async function start(given: Script, more: { tried_for_ms?: number } = {}) {
    const id = randomUUID();
    scripts.set(id, given);
    return { id, handle: await worker.startBatch(id, more) };
  }
  async function run(given: Script, more: { tried_for_ms?: number } = {}) {
    const { id, handle } = await start(given, more);
    await handle.result();
    return { id, handle, calls: callsOf(id) };
  }
  /** Returns what Temporal's page of the workflow shows: its status, and its details without the times. */
  async function seen(handle: WorkflowHandle): Promise<[unknown, string | undefined]> {
    const { currentDetails } = await handle.query(workflowMetadataQuery);
    const { searchAttributes } = await handle.describe();
    return [
      searchAttributes['FlowStatus']?.[0],
      currentDetails?.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
    ];
  }
  /** Returns the durations of the workflow's timers in milliseconds. */
  async function waits(handle: WorkflowHandle): Promise<number[]> {
    const { events } = await handle.fetchHistory();
    return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer
        ? [
            Number(timer.startToFireTimeout?.seconds ?? 0) * 1_000 +
              Math.round((timer.startToFireTimeout?.nanos ?? 0) / 1e6),
          ]
        : [],
    );
  }

  const away = { failed: 100, unsent: 100, last_error: 'the mail provider responded with 503' };

  const reminders: [string, Partial<ReminderPlan>, number, string[], number[]][] = [
    ['both turned off', {}, 1, [], []],
    [
      'both due',
      { reminder: 400, final_reminder: 12_400 },
      1,
      ['queue reminder', 'sendMails', 'queue final_reminder', 'sendMails'],
      [400, 12_000],
    ],
    ['the first one turned off', { final_reminder: 200 }, 1, ['queue final_reminder', 'sendMails'], [200]],
    ['the final one turned off', { reminder: 200 }, 1, ['queue reminder', 'sendMails'], [200]],
    ['due long ago', { reminder: -86_400_000 }, 1, ['queue reminder', 'sendMails'], [1]],
    [
      'both due long ago: the final one alone',
      { reminder: -172_800_000, final_reminder: -86_400_000 },
      1,
      ['queue final_reminder', 'sendMails'],
      [1, 1],
    ],
    [
      'nobody to remind',
      { reminder: 100, final_reminder: 12_100 },
      0,
      ['queue reminder', 'queue final_reminder'],
      [100, 12_000],
    ],
  ];
  const slow: Record<string, [Script, { tried_for_ms?: number }?]> = {
    trouble: [{ chunks: [away, away, { ...away, sent: 5 }, away, { sent: 80, unsent: 15 }, { sent: 15 }] }],
    'told to wait': [{ chunks: [{ ...away, retry_after_ms: 1_700 }, { ...away, retry_after_ms: 300 }, {}] }],
    'given up': [
      { chunks: [{ ...away, retry_after_ms: 60_000 }], plan: { reminder: 0 }, queued: 0 },
      { tried_for_ms: 12_000 },
    ],
    ...Object.fromEntries(reminders.map(([what, plan, queued]) => [what, [{ plan, queued }]])),
  };
  /** The outcomes of the slow workflows, which all run at the same time before the tests. The tests only check them. */
  const outcomes = new Map<string, Awaited<ReturnType<typeof run>>>();
  beforeAll(async () => {
    await Promise.all(
      Object.entries(slow).map(async ([name, [given, more]]) => outcomes.set(name, await run(given, more))),
    );
  });
  function outcomeOf(name: string) {
    const outcome = outcomes.get(name);
    if (!outcome) throw new Error(`${name} was not run`);
    return outcome;
  }

  it('sends chunk by chunk, without a pause, until no mail is left', async () => {
    const { handle, calls } = await run({
      chunks: [{ sent: 100, unsent: 101 }, { sent: 99, rejected: 1, unsent: 1 }, { sent: 1 }],
    });
    expect(calls).toEqual(['sendMails', 'sendMails', 'sendMails', 'planReminders']);
    expect(await waits(handle)).toEqual([]);
    expect(await seen(handle)).toEqual([
      'done',
      'invitations: 200 sent, 1 rejected.\n\n**Done**: all mails and reminders are sent.',
    ]);
  });

  it('doubles its pauses while the provider fails, resets them after some progress and continues at once after a good chunk', async () => {
    const { handle } = outcomeOf('trouble');
    expect(await waits(handle)).toEqual([1_000, 2_000, 1_000, 2_000]);
    expect((await seen(handle))[1]).toMatch(/^invitations: 100 sent, 0 rejected\./);
  });

  it('waits as long as the provider says, or its own pause when that is longer', async () => {
    const { handle } = outcomeOf('told to wait');
    expect(await waits(handle)).toEqual([1_700, 2_000]);
  });

  it('gives up after a last attempt when the time is over, and continues with the rest of the workflow', async () => {
    const { handle, calls } = outcomeOf('given up');
    expect(calls).toEqual(['sendMails', 'sendMails', 'giveUpMails', 'planReminders', 'queue reminder']);
    const [wait, ...others] = await waits(handle);
    expect(wait).toBeLessThanOrEqual(12_000);
    expect(others).toEqual([1]);
    expect(await seen(handle)).toEqual([
      'done',
      'invitations: 0 sent, 0 rejected, 100 **given up**. Last: the mail provider responded with 503.\n\n**Done**: all mails and reminders are sent.',
    ]);
  });

  it('tries for 24 hours by default', async () => {
    const { id, handle } = await start({ chunks: [{ ...away, retry_after_ms: 10 * 86_400_000 }] });
    const [wait = 0] = await waitFor('the pause', async () => {
      const found = await waits(handle);
      return found.length > 0 && found;
    });
    expect(86_400_000 - wait).toBeGreaterThanOrEqual(0);
    expect(86_400_000 - wait).toBeLessThan(600_000);
    await handle.cancel();
    await handle.result().catch(() => undefined);
    expect(callsOf(id)).toEqual(['sendMails', 'giveUpMails']);
  });

  it.each(reminders)(
    'queues the reminders that are due: %s',
    async (what, _plan, _queued, expected, pauses) => {
      const { handle, calls } = outcomeOf(what);
      expect(calls.slice(2)).toEqual(expected);
      const waited = await waits(handle);
      expect(waited).toHaveLength(pauses.length);
      // Each reminder is due at a fixed time, so a delay before a wait makes this wait shorter.
      for (const [index, pause] of pauses.entries()) expect(waited[index]).toBeLessThanOrEqual(pause);
      expect(waited[0]).toBe(pauses[0]);
    },
  );

  it('shows in Temporal whose workflow it is, what it does and its progress', async () => {
    const read: unknown[][] = [];
    const { handle } = await run({
      chunks: [{ sent: 100, unsent: 50 }, away, { sent: 50 }, { sent: 3 }],
      plan: { reminder: 1_000 },
      during: async (call) => {
        const id = Context.current().info.workflowExecution?.workflowId ?? '';
        read.push([call, ...(await seen(worker.client.workflow.getHandle(id)))]);
      },
    });
    const over = 'invitations: 150 sent, 0 rejected.';
    expect(read).toEqual([
      ['sendMails', 'sending', '**Sending** invitations.'],
      ['sendMails', 'sending', '**Sending** invitations: 100 sent, 0 rejected, 50 unsent.'],
      [
        'sendMails',
        'in_trouble',
        '**In trouble** (the mail provider responded with 503), next attempt at <time>; invitations: 100 sent, 0 rejected, 100 unsent.',
      ],
      ['planReminders', 'in_trouble', over],
      ['queue reminder', 'waiting', `${over}\n\n**Waiting** until <time> for the reminder.`],
      ['sendMails', 'sending', `${over}\n\n**Sending** reminders.`],
    ]);
    expect(await seen(handle)).toEqual([
      'done',
      `${over}\n\nreminders: 3 sent, 0 rejected.\n\n**Done**: all mails and reminders are sent.`,
    ]);
    const description = await handle.describe();
    expect(description.searchAttributes).toMatchObject({
      MerchantId: ['00000000-0000-4000-8000-000000000001'],
      Environment: ['production'],
    });
    expect(await description.staticSummary()).toBe('Sends the mails of one call and their reminders');
  });

  it.each<[string, Script, string]>([
    [
      'a chunk is sent',
      { during: (call) => (call === 'sendMails' ? Context.current().cancelled : Promise.resolve()) },
      'sendMails',
    ],
    ['the provider is waited for', { chunks: [{ ...away, retry_after_ms: 60_000 }] }, 'sendMails'],
    ['a reminder is waited for', { plan: { reminder: 86_400_000 } }, 'planReminders'],
  ])('gives up unsent mails once when it is canceled while %s', async (_what, given, last) => {
    const { id, handle } = await start(given);
    await waitFor(last, async () => callsOf(id).at(-1) === last);
    await handle.cancel();
    const error: unknown = await handle.result().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    expect(callsOf(id).filter((call) => call === 'giveUpMails')).toHaveLength(1);
    expect(callsOf(id).at(-1)).toBe('giveUpMails');
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(await seen(handle)).toEqual([
      'done',
      expect.stringContaining('**Cancelled**: unsent mails are given up.'),
    ]);
  });
});

describe('reportDelivery', () => {
  /**
   * `started` lists the deliveries in the order in which the creation of their files began. `opened` contains the ids
   * of the schedules whose delivery was opened.
   */
  const started: string[] = [];
  const opened = new Set<string>();
  const seen: { activity: string; queue: string; merchant: string | undefined }[] = [];
  let isOpen = false;
  const releases: (() => void)[] = [];

  const note = (activity: string) => {
    const { taskQueue, priority } = Context.current().info;
    seen.push({ activity, queue: taskQueue, merchant: priority?.fairnessKey });
  };
  const mailed = { sent: 1, rejected: 0, failed: 0, unsent: 0, retry_after_ms: 0, last_error: null };

  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  beforeAll(async () => {
    worker = await startTestWorker({
      openReportDelivery: async ({ schedule_id: id }) => {
        opened.add(id);
        return { delivery_id: id, obstacle: null, mails: 1 };
      },
      makeReportFile: ({ delivery_id: id }) =>
        whileBeating(async () => {
          note('make');
          started.push(id);
          if (!isOpen) await new Promise<void>((resolve) => releases.push(resolve));
          return { obstacle: null };
        }),
      mailReportFile: async () => {
        note('mail');
        return mailed;
      },
      draftInterview: async () => undefined,
      storeInterview: async () => undefined,
    });
  });

  it('lets other merchants and other work pass while many runs of one merchant wait', async () => {
    const [busy, other] = [randomUUID(), randomUUID()];
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const runs = await Promise.all(ids.map((id) => worker.startDelivery(id, {}, busy)));
    await until('the runs', () => opened.size === ids.length && releases.length === 2, Boolean);

    const creation = await worker.startCreation(randomUUID());
    await creation.result();
    const last = randomUUID();
    runs.push(await worker.startDelivery(last, {}, other));
    await until('the run of the other merchant', () => opened.has(last), Boolean);
    expect(started).toHaveLength(2);

    while (!started.includes(last)) {
      const before = started.length;
      releases.shift()?.();
      await until('the next file', () => started.length > before, Boolean);
    }
    expect(started.length).toBeLessThan(20);
    isOpen = true;
    for (const release of releases) release();
    await Promise.all(runs.map((run) => run.result()));
    for (const [activity, queue] of [
      ['make', worker.queues.reports],
      ['mail', worker.queues.reportMails],
    ] as const)
      expect(new Set(seen.filter((each) => each.activity === activity).map((each) => each.queue))).toEqual(
        new Set([queue]),
      );
    expect(new Set(seen.map(({ merchant }) => merchant))).toEqual(new Set([busy, other]));
  });
});
