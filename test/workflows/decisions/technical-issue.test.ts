import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { workflowMetadataQuery } from '@temporalio/workflow';
import type { IssueAttempt } from '../../../activities/support/technical-issues';
import { firstOutcomeUpdateName, technicalIssueId } from '../../../workflows/ids';
import { startTestWorker, whileBeating } from '../../harness/platform/test-worker';
import { waitFor } from '../../harness/wait-for';

/** What the fake activity returns for an issue: one entry for each attempt, in order. The last entry is repeated. */
const scripts = new Map<string, (IssueAttempt | 'wait')[]>();
const calls = new Map<string, string[]>();
const callsOf = (id: string) => calls.get(id) ?? [];
const letGo = new Map<string, () => void>();

let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
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
/** Returns how long the workflow has waited between its attempts, in whole seconds. */
const waits = async (handle: Handle) =>
  ((await handle.fetchHistory()).events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Math.round(Number(timer.startToFireTimeout?.seconds ?? 0))] : [],
  );

describe('issueReport', () => {
  it('ends after one attempt when support accepts it at once', async () => {
    const { id, handle } = await start([sent]);
    await handle.result();
    expect(callsOf(id)).toEqual(['send']);
    expect(await seen(handle)).toEqual(['done', '**Sent**: support received it as #1042.']);
  });

  it('pauses for 10 seconds first, and its details say why and until when', async () => {
    const { handle } = await start([failed()]);
    await waitFor('the pause', async () => (await waits(handle)).length > 0);
    expect((await waits(handle))[0]).toBe(10);
    const [status, details] = await seen(handle);
    expect(status).toBe('in_trouble');
    expect(details).toMatch(
      /^\*\*In trouble\*\*, next attempt at \d{4}-[^;]+Z; \d+ attempts, last failure: 503\.$/,
    );
    await handle.terminate();
  });

  it('waits for a longer Retry-After', async () => {
    const { handle } = await start([failed(90_000)]);
    await waitFor('the pause', async () => (await waits(handle)).length > 0);
    expect((await waits(handle))[0]).toBe(90);
    await handle.terminate();
  });

  it('doubles its pauses up to the maximum until it is sent', async () => {
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

  it('gives up when the time is over, and fails with a type and a status that can be searched in Temporal', async () => {
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
    expect(details).toMatch(/^\*\*Given up\*\* after \d+ attempts, last failure: 503\./);
  });

  it('gives up when it is canceled while it waits, and says so', async () => {
    const { id, handle } = await start([failed(3_600_000)]);
    await waitFor('the pause', async () => (await waits(handle)).length > 0);
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(callsOf(id)).toEqual(['send', 'give up']);
    expect(await seen(handle)).toEqual([
      'gave_up',
      '**Cancelled**, so it is not retried. To try again, start a workflow with this id.',
    ]);
  });

  it('gives up when it is canceled before its first attempt has ended, and releases the caller', async () => {
    const { id, handle } = await start(['wait']);
    await waitFor('the attempt', async () => letGo.has(id));
    const asked = ask(id).catch(() => 'no outcome');
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    letGo.get(id)?.();
    expect(await asked).toBe('no outcome');
    expect(callsOf(id)).toEqual(['send', 'give up']);
  });

  it('continues as a new run when its history gets long, with its pauses and its time', async () => {
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

  it('starts the workflow and returns once the issue is sent', async () => {
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

  it('returns queued after a failed first attempt, while the workflow continues', async () => {
    const id = script(failed());
    expect(await ask(id)).toBe('queued');
    const handle = worker.client.workflow.getHandle(technicalIssueId(id));
    expect((await handle.describe()).status.name).toBe('RUNNING');
    expect(await ask(id)).toBe('queued');
    await handle.terminate();
  });

  it('returns queued at once for a workflow that continues as a new run', async () => {
    const id = script(failed());
    const handle = await worker.startIssue(id, {
      progress: { began_at: Date.now(), pause_ms: 60_000, attempts: 3 },
    });
    expect(await handle.executeUpdate(firstOutcomeUpdateName, { args: [] })).toBe('queued');
    await handle.terminate();
  });

  it('does not start a workflow that has ended again', async () => {
    const id = script(sent);
    await ask(id);
    await worker.client.workflow.getHandle(technicalIssueId(id)).result();
    await ask(id).catch(() => undefined);
    expect(callsOf(id)).toEqual(['send']);
  });
});
