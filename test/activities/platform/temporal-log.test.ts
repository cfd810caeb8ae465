import { runInNewContext } from 'node:vm';
import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import pino from 'pino';
import { temporalLog } from '../../../activities/platform/temporal-log';
import { startTestWorker } from '../../harness/platform/test-worker';

const lines: string[] = [];
const logger = temporalLog(pino({ base: null }, { write: (line: string) => void lines.push(line) }));
beforeEach(() => void lines.splice(0));
const lastLine = (): unknown => JSON.parse(lines.at(-1) ?? 'null');

describe('the log of Temporal', () => {
  it('contains the type, the message and the causes of an error', () => {
    const refused = ApplicationFailure.nonRetryable('the board answered 401', 'FeatureBoardUnavailable');
    const error = new ActivityFailure(
      'Activity task failed',
      'postFeatureRequest',
      '1',
      RetryState.NON_RETRYABLE_FAILURE,
      'test',
      refused,
    );
    logger.warn('Workflow failed', { workflowId: 'feature-request/1', error });
    expect(lastLine()).toMatchObject({
      msg: 'Workflow failed',
      temporal: {
        workflowId: 'feature-request/1',
        error: {
          type: 'ActivityFailure',
          message: 'Activity task failed',
          cause: {
            type: 'ApplicationFailure',
            failure: 'FeatureBoardUnavailable',
            message: 'the board answered 401',
          },
        },
      },
    });
  });

  it('contains an error of another realm, and no values of a database error', () => {
    logger.error('Failed', { error: runInNewContext(`new TypeError('no such thing')`) });
    expect(lastLine()).toMatchObject({
      temporal: { error: { type: 'TypeError', message: 'no such thing' } },
    });
    const told = Object.assign(new Error('invalid input: Quetzal'), { code: '22P02', severity: 'ERROR' });
    logger.error('Failed', { error: told });
    expect(lines.at(-1)).not.toContain('Quetzal');
    expect(lastLine()).toMatchObject({ temporal: { error: { message: 'database error 22P02' } } });
  });

  it('contains a workflow and an activity that fail in a worker', async () => {
    Runtime.install({ logger });
    const worker = await startTestWorker(
      {
        postFeatureRequest: () =>
          Promise.reject(ApplicationFailure.nonRetryable('a known reason', 'Refused')),
        removeFeatureRequest: async () => undefined,
      },
      { isQuiet: false },
    );
    const handle = await worker.startFeatureRequest('00000000-0000-4000-8000-00000000e709');
    await handle.result().catch(() => undefined);
    const told = lines.map((line): { msg: string; temporal: { error?: unknown } } => JSON.parse(line));
    expect(told.find(({ msg }) => msg === 'Activity failed')?.temporal.error).toMatchObject({
      failure: 'Refused',
      message: 'a known reason',
    });
    expect(told.find(({ msg }) => msg === 'Workflow failed')?.temporal.error).toMatchObject({
      message: 'Activity task failed',
      cause: { type: 'ApplicationFailure', message: 'a known reason' },
    });
  });
});
