import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { workflowMetadataQuery } from '@temporalio/workflow';
import type { IssueAttempt } from '../../activities/support/issue-reports';
import { firstOutcome, issueReportId } from '../../workflows/ids';
import { quietRuntime, startTestWorker, whileBeating } from '../harness/test-worker';
import { waitFor } from '../harness/wait-for';

/** Attempts that the fake answers for a report, one after the other, the last one ever after. */
const scripts = new Map<string, (IssueAttempt | 'wait')[]>();
const calls = new Map<string, string[]>();
const callsOf = (id: string) => calls.get(id) ?? [];
const letGo = new Map<string, () => void>();

let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  quietRuntime();
  worker = await startTestWorker({
    sendIssueReport: async ({ report_id }) => {
      const attempts = scripts.get(report_id) ?? [];
      const attempt = attempts[Math.min(callsOf(report_id).length, attempts.length - 1)] ?? sent;
      calls.set(report_id, [...callsOf(report_id), 'send']);
      if (attempt !== 'wait') return attempt;
      await whileBeating(() => new Promise<void>((resolve) => letGo.set(report_id, resolve)));
      return sent;
    },
    giveUpIssueReport: async ({ report_id }) => void calls.set(report_id, [...callsOf(report_id), 'give up']),
  });
});
afterAll(() => worker.stop());

const sent: IssueAttempt = { reference: '#1042' };
const failed = (retryAfterMs = 0): IssueAttempt => ({
  reference: null,
  failure: '503',
  retry_after_ms: retryAfterMs,
});
type Script = (IssueAttempt | 'wait')[];
const start = async (script: Script, more: Parameters<typeof worker.startIssue>[1] = {}) => {
  const id = randomUUID();
  scripts.set(id, script);
  return { id, handle: await worker.startIssue(id, more) };
};
type Handle = Awaited<ReturnType<typeof start>>['handle'];
const ask = (id: string) => worker.askIssue(id);
const seen = async (handle: Handle) => [
  (await handle.describe()).searchAttributes['FlowStatus']?.[0],
  (await handle.query(workflowMetadataQuery)).currentDetails,
];
/** How long the workflow waited between its attempts, in whole seconds. */
const waits = async (handle: Handle) =>
  ((await handle.fetchHistory()).events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Math.round(Number(timer.startToFireTimeout?.seconds ?? 0))] : [],
  );

describe('issueReport', () => {
  it('support takes it at once: one attempt, done', async () => {
    const { id, handle } = await start([sent]);
    await handle.result();
    expect(callsOf(id)).toEqual(['send']);
    expect(await seen(handle)).toEqual(['done', '**Sent**: support has it as #1042.']);
  });

  it('the first pause is 10 seconds, and its details say why and when', async () => {
    const { handle } = await start([failed()]);
    await waitFor('the pause', async () => (await waits(handle)).length > 0);
    expect((await waits(handle))[0]).toBe(10);
    const [status, details] = await seen(handle);
    expect(status).toBe('in_trouble');
    expect(details).toMatch(/^\*\*In trouble\*\*, next try \d{4}-[^;]+Z; \d+ attempts, the last: 503\.$/);
    await handle.terminate();
  });

  it('a longer Retry-After goes before', async () => {
    const { handle } = await start([failed(90_000)]);
    await waitFor('the pause', async () => (await waits(handle)).length > 0);
    expect((await waits(handle))[0]).toBe(90);
    await handle.terminate();
  });

  it('pauses double up to the longest, then it is sent', async () => {
    const { id, handle } = await start([failed(), failed(), failed(), failed(), sent], {
      first_pause_ms: 1,
      longest_pause_ms: 3,
    });
    await handle.result();
    expect(callsOf(id)).toEqual(['send', 'send', 'send', 'send', 'send']);
    const pauses = ((await handle.fetchHistory()).events ?? []).flatMap(
      ({ timerStartedEventAttributes: timer }) =>
        timer ? [(timer.startToFireTimeout?.nanos ?? 0) / 1_000_000] : [],
    );
    expect(pauses).toEqual([1, 2, 3, 3]);
  });

  it('the time is over: given up, and failed by a type that operators find', async () => {
    const { id, handle } = await start([failed()], {
      first_pause_ms: 1,
      longest_pause_ms: 5,
      tried_for_ms: 20,
    });
    const error: unknown = await handle.result().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    const { cause } = error as WorkflowFailedError;
    expect(cause).toBeInstanceOf(ApplicationFailure);
    expect(cause).toMatchObject({ type: 'IssueReportGivenUp', nonRetryable: true });
    expect(callsOf(id).length).toBeGreaterThanOrEqual(2);
    expect(callsOf(id).at(-1)).toBe('give up');
    const [status, details] = await seen(handle);
    expect(status).toBe('gave_up');
    expect(details).toMatch(/^\*\*Given up\*\* after \d+ attempts, the last: 503\./);
  });

  it('cancelled while it waits: given up, and it says so', async () => {
    const { id, handle } = await start([failed(3_600_000)]);
    await waitFor('the pause', async () => (await waits(handle)).length > 0);
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(callsOf(id)).toEqual(['send', 'give up']);
    expect(await seen(handle)).toEqual([
      'gave_up',
      '**Cancelled**, so nobody tries it any more. Start a workflow of this id anew to try again.',
    ]);
  });

  it('cancelled before its first attempt has ended: given up, nobody waits for the outcome any more', async () => {
    const { id, handle } = await start(['wait']);
    await waitFor('the attempt', async () => letGo.has(id));
    const asked = ask(id).catch(() => 'no outcome');
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    letGo.get(id)?.();
    expect(await asked).toBe('no outcome');
    expect(callsOf(id)).toEqual(['send', 'give up']);
  });

  it('a history that gets long: goes on in a new one, with its pauses and its time', async () => {
    const { id, handle } = await start([...Array.from({ length: 6 }, () => failed()), sent], {
      first_pause_ms: 1,
      longest_pause_ms: 2,
      limit_events: 20,
    });
    const first = (await handle.describe()).runId;
    await handle.result();
    expect(callsOf(id)).toHaveLength(7);
    const last = await worker.client.workflow.getHandle(handle.workflowId).describe();
    expect(last.runId).not.toBe(first);
    expect(last.searchAttributes).toMatchObject({ FlowStatus: ['done'], Environment: ['production'] });
  });
});

describe('firstOutcome', () => {
  const script = (...attempts: Script) => {
    const id = randomUUID();
    scripts.set(id, attempts);
    return id;
  };

  it('starts the workflow and answers once it is sent', async () => {
    const id = script(sent);
    expect(await ask(id)).toBe('sent');
    expect(callsOf(id)).toEqual(['send']);
  });

  it('waits for the first attempt, whoever started the workflow', async () => {
    const id = script('wait');
    const handle = await worker.startIssue(id);
    await waitFor('the attempt', async () => letGo.has(id));
    const asked = ask(id);
    await waitFor('the question', async () =>
      ((await handle.fetchHistory()).events ?? []).some(
        ({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted,
      ),
    );
    letGo.get(id)?.();
    expect(await asked).toBe('sent');
    await handle.result();
  });

  it('a failed first attempt: queued, while the workflow goes on', async () => {
    const id = script(failed());
    expect(await ask(id)).toBe('queued');
    const handle = worker.client.workflow.getHandle(issueReportId(id));
    expect((await handle.describe()).status.name).toBe('RUNNING');
    expect(await ask(id)).toBe('queued');
    await handle.terminate();
  });

  it('of a workflow that goes on in a new history: queued at once', async () => {
    const id = script(failed());
    const handle = await worker.startIssue(id, {
      progress: { began_at: Date.now(), pause_ms: 60_000, attempts: 3 },
    });
    expect(await handle.executeUpdate(firstOutcome, { args: [] })).toBe('queued');
    await handle.terminate();
  });

  it('asked again when the workflow has ended: it is not started anew', async () => {
    const id = script(sent);
    await ask(id);
    await worker.client.workflow.getHandle(issueReportId(id)).result();
    await ask(id).catch(() => undefined);
    expect(callsOf(id)).toEqual(['send']);
  });
});
