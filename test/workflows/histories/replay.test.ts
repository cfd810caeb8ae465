import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundlePath, quietRuntime } from '../../harness/platform/test-worker';

const folder = path.join(__dirname, '../../histories');
const names = readdirSync(folder)
  .flatMap((workflow) => readdirSync(path.join(folder, workflow)).map((name) => `${workflow}/${name}`))
  .sort();
const historyOf = (name: string) =>
  historyFromJSON(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));

beforeAll(quietRuntime);

/**
 * Replays every recorded history without a server. Returns, by the name of each history, the error of its replay if
 * there is one.
 */
async function replay(workflowBundle: WorkflowBundleOption): Promise<Record<string, Error | undefined>> {
  const histories = names.map((name) => ({ workflowId: name, history: historyOf(name) }));
  const errors: Record<string, Error | undefined> = {};
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories))
    errors[workflowId] = error;
  return errors;
}

describe('the current workflows', () => {
  it('decide as in every recorded history', async () => {
    expect(names.length).toBeGreaterThanOrEqual(31);
    expect(await replay({ codePath: bundlePath })).toEqual(
      Object.fromEntries(names.map((name) => [name, undefined])),
    );
  });

  it('fail on every history when activities are renamed', async () => {
    const code = readFileSync(bundlePath, 'utf8')
      .replaceAll('draftInterview', 'composeInterview')
      .replaceAll('checkAttempt', 'readAttempt')
      .replaceAll('speakInterview', 'readInterview')
      .replaceAll('planQuestionVideos', 'listQuestionVideos')
      .replaceAll('orderVideo', 'requestVideo')
      .replaceAll('postFeatureRequest', 'publishRequest')
      .replaceAll('sendMails', 'postMails')
      .replaceAll('sendSignInMail', 'postSignInMail')
      .replaceAll('sendIssueReport', 'postIssueReport')
      .replaceAll('openReportDelivery', 'beginReportDelivery')
      .replaceAll('openScoring', 'beginScoring')
      .replaceAll('renderResultPdf', 'drawReport')
      .replaceAll('renderRequestedPdf', 'drawRequestedPdf')
      .replaceAll('releaseRetries', 'sendRetries')
      .replaceAll('replayPage', 'playPage');
    const errors = await replay({ code });
    expect(Object.keys(errors).sort()).toEqual(names);
    for (const name of names)
      expect([name, errors[name]]).toEqual([name, expect.any(DeterminismViolationError)]);
  });
});

describe('historyToJSON', () => {
  it('writes a history that reads back the same', () => {
    for (const name of names) {
      const history = historyOf(name);
      const again = historyFromJSON(JSON.parse(historyToJSON(history)));
      expect(again.events?.length).toBeGreaterThan(5);
      expect(historyToJSON(again)).toBe(historyToJSON(history));
    }
  });
});
