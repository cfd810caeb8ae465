import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WorkflowFailedError } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { rubric } from '../harness/definitions';
import { quietRuntime, startFlowWorker } from '../harness/flow-worker';
import { startInterviewFlow } from '../harness/interview-flow';
import type { InterviewFlow } from '../harness/interview-flow';

/**
 * Runs the flow with the real activities and compares what happened with the recorded histories. To record
 * them anew, on purpose: RECORD_HISTORIES=1 npx jest test/workflows/recorded-histories.test.ts
 */
const folder = path.join(__dirname, '../histories/interview-creation');
const isRecording = process.env['RECORD_HISTORIES'] === '1';
const words = 'Confidential-4711';

let flow: InterviewFlow;
let worker: Awaited<ReturnType<typeof startFlowWorker>>;
beforeAll(async () => {
  quietRuntime();
  flow = await startInterviewFlow();
  worker = await startFlowWorker(flow.activities);
});
afterAll(async () => {
  await worker.stop();
  await flow.stop();
});
afterEach(() => flow.clearFaults());

type Recorded = { events: { eventType: string }[] };
const typesOf = (json: string) => (JSON.parse(json) as Recorded).events.map(({ eventType }) => eventType);
const unavailable = { status: 503, headers: { 'retry-after-ms': '20' } };
const complete = {
  input: { questions: [], candidate_expectations_json: rubric, seniority_level: 'senior' as const },
  row: { description: words, interview_description_long: words },
};

describe('interviewCreation', () => {
  it.each<[string, Record<string, unknown> | undefined, typeof complete | undefined, string, string[]]>([
    ['completed', undefined, undefined, 'COMPLETED', ['accepted']],
    ['completed-after-a-retry', unavailable, undefined, 'COMPLETED', ['failed', 'accepted']],
    ['failed-by-refusal', { refuse: true }, undefined, 'FAILED', ['refused']],
    ['no-model-call-needed', undefined, complete, 'COMPLETED', []],
  ])(
    '%s: the history is as it was recorded, and holds ids only',
    async (name, fault, more, status, calls) => {
      if (fault) await flow.fault(fault);
      const id = await flow.insertUnbuilt(
        { additional_context: { note: words }, ...more?.input },
        { name: words, interview_location: words, ...more?.row },
      );
      const handle = await worker.start(id);
      const outcome = await handle.result().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(outcome === undefined || outcome instanceof WorkflowFailedError).toBe(true);
      expect((await handle.describe()).status.name).toBe(status);
      expect((await flow.find(id))?.built).toBe(status === 'COMPLETED');
      expect((await flow.modelCalls(id)).map(({ outcome: ended }) => ended)).toEqual(calls);

      const json = historyToJSON(await handle.fetchHistory());
      const readable = json.replaceAll(/"data": ?"([^"]+)"/g, (_all, data: string) =>
        Buffer.from(data, 'base64').toString(),
      );
      expect(readable).toContain(id);
      expect(readable).not.toContain('4711');
      expect(readable).not.toMatch(/question|Amsterdam|Northwind/i);

      const file = path.join(folder, `${name}.json`);
      if (isRecording) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, `${json.replaceAll(path.resolve(__dirname, '../..'), '')}\n`);
      }
      expect(typesOf(json)).toEqual(typesOf(readFileSync(file, 'utf8')));
    },
  );

  it('every recorded file is one of these cases', () => {
    expect(readdirSync(folder).sort()).toEqual([
      'completed-after-a-retry.json',
      'completed.json',
      'failed-by-refusal.json',
      'no-model-call-needed.json',
    ]);
  });
});
