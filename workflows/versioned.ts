import { setWorkflowOptions } from '@temporalio/workflow';
import * as workflows from './index';

/*
 * The entry of the bundle for versioned workers (docs/operations.md#builds-of-the-worker). Temporal rejects the work of
 * a worker without a version that sends a behavior, so other workers have a bundle without these.
 */

/**
 * What happens to running workflows when another build of the worker becomes the current one. A pinned workflow ends on
 * the build that began it, so its code may change without `patched`. This suits workflows that end within an hour, even
 * if everything they call is away. All others move to the current build, because old workers cannot be kept for days.
 */
export const versioningBehaviors: Record<keyof typeof workflows, 'PINNED' | 'AUTO_UPGRADE'> = {
  featureRequest: 'PINNED',
  interviewCreation: 'PINNED',
  signInMail: 'PINNED',
  interviewAttempt: 'AUTO_UPGRADE',
  interviewSpeech: 'AUTO_UPGRADE',
  invitationBatch: 'AUTO_UPGRADE',
  issueReport: 'AUTO_UPGRADE',
  questionVideo: 'AUTO_UPGRADE',
  questionVideos: 'AUTO_UPGRADE',
  reportDelivery: 'AUTO_UPGRADE',
  resultPdf: 'AUTO_UPGRADE',
  resultScoring: 'AUTO_UPGRADE',
  webhookReplay: 'AUTO_UPGRADE',
  webhookRetries: 'AUTO_UPGRADE',
};

const types: Record<string, (...args: never[]) => Promise<unknown>> = workflows;
for (const [name, versioningBehavior] of Object.entries(versioningBehaviors)) {
  const workflow = types[name];
  if (workflow) setWorkflowOptions({ versioningBehavior }, workflow);
}

export * from './index';
