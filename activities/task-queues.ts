import type { TaskQueues } from '../workflows/ids';
import type { TaskQueueSettings } from './platform/create-workers';

/**
 * The limit of reports that a process runs at a time. `reportMailsAtOnce` limits the reports that it mails at a time.
 * Many reports are due on Mondays at 07:00, and without limits they would slow down webhooks, which use the same
 * database and processor.
 */
const reportsAtOnce = 2;
const reportMailsAtOnce = 4;
/** The limit of results' PDFs that a process renders at a time. Each of them takes a child process and a processor. */
const pdfsAtOnce = 2;

/** Returns the task queues that a worker process works on (docs/operations.md#task-queues). */
export function taskQueueTable(
  queues: TaskQueues,
  {
    workflowBundle,
    aiConcurrency,
    liveConcurrency,
    scoringConcurrency,
  }: { workflowBundle: string; aiConcurrency: number; liveConcurrency: number; scoringConcurrency: number },
): TaskQueueSettings[] {
  const workflows = {
    workflowBundle: { codePath: workflowBundle },
    // If the worker that cached a workflow does not pick up its task within this time, another worker gets the task.
    stickyQueueScheduleToStartTimeout: '3 seconds' as const,
  };
  return [
    { taskQueue: queues.main, ...workflows },
    { taskQueue: queues.signIn, ...workflows },
    { taskQueue: queues.ai, maxConcurrentActivityTaskExecutions: aiConcurrency },
    { taskQueue: queues.live, ...workflows, maxConcurrentActivityTaskExecutions: liveConcurrency },
    { taskQueue: queues.scoring, maxConcurrentActivityTaskExecutions: scoringConcurrency },
    { taskQueue: queues.reports, maxConcurrentActivityTaskExecutions: reportsAtOnce },
    { taskQueue: queues.reportMails, maxConcurrentActivityTaskExecutions: reportMailsAtOnce },
    { taskQueue: queues.pdfs, maxConcurrentActivityTaskExecutions: pdfsAtOnce },
  ];
}
