import { ApplicationFailure } from '@temporalio/common';
import { resultScoringId } from '../../workflows/ids';
import type { ResultScoringInput } from '../../workflows/result-scoring';
import { goodAnswer, startScoringWorld } from '../activities/scoring/scoring-world';
import type { ScoringWorld } from '../activities/scoring/scoring-world';
import { quietRuntime, startTestWorker } from '../harness/platform/test-worker';

let world: ScoringWorld;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
/** The attempts whose PDF was asked for. `pdfFailure` makes the next ones fail for good. */
const rendered: { result_id: string; attempt: number }[] = [];
let pdfFailure: string | undefined;
beforeAll(async () => {
  quietRuntime();
  world = await startScoringWorld();
  worker = await startTestWorker({
    ...world.scoring,
    renderReport: async (key) => {
      rendered.push(key);
      if (pdfFailure !== undefined) throw ApplicationFailure.nonRetryable(pdfFailure);
      return { outcome: 'made' as const };
    },
  });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
});
afterEach(() => world.clearFaults());

const soon = { first_pause_ms: 50, longest_pause_ms: 100 };
/** Scores the result, and waits for the end of the workflow. */
async function score(resultId: string, more: Partial<ResultScoringInput> = {}): Promise<string> {
  const handle = await worker.startScoring(resultId, { ...soon, ...more });
  await handle.result().catch(() => undefined);
  return (await handle.describe()).status.name;
}
/** Returns how often each endpoint got each event of the scoring. */
const announced = (resultId: string) =>
  world.database.rows<{ event: string; deliveries: number }>(
    `select distinct event, count(*)::int as deliveries from webhook_delivery
     where result_id = $1 and event = 'interview_result' group by endpoint_id, event`,
    [resultId],
  );

describe('resultScoring', () => {
  it('is queued by the submit, once, with the id that the workflow has', async () => {
    const { result_id, attempt, link } = await world.submitted();
    await Promise.all([world.submit(link), world.submit(link)]);
    expect(await world.startsOf(result_id)).toEqual([
      {
        workflow_id: resultScoringId(result_id, attempt, 1),
        argument: { result_id, attempt, run: 1 },
      },
    ]);
    expect(await world.recordsOf(result_id)).toMatchObject([{ run: 1, state: 'queued', requested_by: null }]);
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'queued', scoring_run: 1 });
  });

  it('scores every answer three times, announces the result once and charges it once', async () => {
    const { result_id } = await world.submitted([goodAnswer, goodAnswer]);
    const charges = await world.chargesOf(result_id);
    expect(await score(result_id)).toBe('COMPLETED');
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'completed', status: 'active' });
    expect((await world.samplesOf(result_id)).map(({ subject }) => subject)).toEqual([
      ...Array.from({ length: 6 }, () => 'answer'),
      ...Array.from({ length: 3 }, () => 'session'),
      'summary',
    ]);
    expect(await world.recordsOf(result_id)).toMatchObject([{ run: 1, state: 'scored', samples: 10 }]);
    expect(await announced(result_id)).toEqual([{ event: 'interview_result', deliveries: 1 }]);
    expect(await world.chargesOf(result_id)).toEqual(charges);
  });

  it.each([undefined, 'the document could not be written'])(
    'has the PDF rendered after the scores if the interview asks for it, and keeps the scores if that fails: %s',
    async (failure) => {
      const { result_id, attempt } = await world.submitted([goodAnswer]);
      await world.database.rows(
        `update interview set pdf_export_auto_config = '{}' where id = (select interview_id from interview_result where id = $1)`,
        [result_id],
      );
      pdfFailure = failure;
      expect(await score(result_id)).toBe('COMPLETED');
      pdfFailure = undefined;
      expect(rendered.filter((key) => key.result_id === result_id)).toEqual([{ result_id, attempt }]);
      expect(await world.result(result_id)).toMatchObject({ processing_status: 'completed' });
      // The event waits for the address of the PDF.
      expect(await announced(result_id)).toEqual([]);
    },
  );

  it('renders no PDF if the interview does not ask for one', async () => {
    const { result_id } = await world.submitted([goodAnswer]);
    expect(await score(result_id)).toBe('COMPLETED');
    expect(rendered.some((key) => key.result_id === result_id)).toBe(false);
  });
});
