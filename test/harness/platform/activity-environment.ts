import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** Creates an environment that runs an activity without a worker, and adds its log lines to `told`. */
export const activityEnvironment = (told: unknown[] = []) =>
  new MockActivityEnvironment(
    {},
    { logger: new DefaultLogger('INFO', ({ message, meta }) => void told.push({ message, meta })) },
  );
