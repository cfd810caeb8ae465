import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { quietRuntime, startTestWorker, whileBeating } from '../../harness/platform/test-worker';
import { until } from '../../harness/wait-for';

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
  quietRuntime();
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
afterAll(() => worker.stop());

describe('reportDelivery', () => {
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
