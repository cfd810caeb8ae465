import { ApplicationFailure } from '@temporalio/common';
import { bracketTexts } from '../../../api/platform/text/language-texts';
import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { overrideScore, rescoreResult } from '../../../db/scoring/requests';
import { resultScoringId, flowStatusKey } from '../../../workflows/ids';
import type { ResultScoringInput } from '../../../workflows/result-scoring';
import { goodAnswer, startScoringWorld } from '../../activities/scoring/scoring-world';
import type { ScoringWorld } from '../../activities/scoring/scoring-world';
import { rubric } from '../../activities/taking/attempt-world';
import { startTestWorker } from '../../harness/platform/test-worker';
import { waitFor } from '../../harness/wait-for';
import { statusAtEnd } from '../compare-history';

let world: ScoringWorld;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
/**
 * The attempts for which a PDF was requested. While `pdfFailure` is set, rendering fails with this message and is not
 * retried.
 */
const rendered: { result_id: string; attempt: number }[] = [];
let pdfFailure: string | undefined;
beforeAll(async () => {
  world = await startScoringWorld();
  worker = await startTestWorker({
    ...world.scoring,
    renderResultPdf: async (key) => {
      rendered.push(key);
      if (pdfFailure !== undefined) throw ApplicationFailure.nonRetryable(pdfFailure);
      return { outcome: 'made' as const };
    },
  });
});
afterEach(() => world.clearFaults());

const soon = { first_pause_ms: 50, longest_pause_ms: 100 };
/** Scores the result, and waits for the end of the workflow. */
async function score(resultId: string, more: Partial<ResultScoringInput> = {}): Promise<string> {
  const handle = await worker.startScoring(resultId, { ...soon, ...more });
  await handle.result().catch(() => undefined);
  return (await handle.describe()).status.name;
}
/**
 * Returns how many deliveries of the event `interview_result` each endpoint got for the result. Endpoints with the
 * same number share one row.
 */
const announced = (resultId: string) =>
  world.database.rows<{ event: string; deliveries: number }>(
    `select distinct event, count(*)::int as deliveries from webhook_delivery
     where result_id = $1 and event = 'interview_result' group by endpoint_id, event`,
    [resultId],
  );
const rescore = (resultId: string, abandoned: number | null = null) =>
  world.asRecruiter((trx) => trx.one(rescoreResult(resultId, abandoned)));

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

  it('waits while the model is away, shows that, and fails after its time; then it can be scored again', async () => {
    const { result_id } = await world.submitted();
    await world.fault({ status: 503, times: 1_000 });
    const handle = await worker.startScoring(result_id, { ...soon, tried_for_ms: 3_000 });
    await waitFor('its status', async () => {
      const { typedSearchAttributes } = await handle.describe();
      return typedSearchAttributes.get(flowStatusKey) === 'waiting_for_the_model';
    });
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'processing' });
    expect(await statusAtEnd(handle)).toBe('FAILED');
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'failed', score: null });
    const [failed] = await world.recordsOf(result_id);
    expect(failed).toMatchObject({ state: 'failed', failure: 'model_away: the model responded with 503' });
    expect(await announced(result_id)).toEqual([]);

    await world.clearFaults();
    expect(await rescore(result_id)).toEqual({ outcome: 'queued', attempt: 1, run: 2 });
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'queued', scoring_run: 2 });
    expect(await score(result_id, { run: 2 })).toBe('COMPLETED');
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'completed' });
    expect((await world.recordsOf(result_id)).map(({ state }) => state)).toEqual(['failed', 'scored']);
    expect(await announced(result_id)).toEqual([{ event: 'interview_result', deliveries: 1 }]);
  });

  // The last one is a cut text, for which the client reports no failure.
  it.each([
    [{ status: 404, code: 'model_not_found' }, 4],
    [{ malformed: true }, 0],
  ])(
    'goes on where it was after the model responded with %j, and repeats no sample',
    async (fault, failed) => {
      const { result_id } = await world.submitted([goodAnswer, goodAnswer]);
      await world.fault({ ...fault, times: 4 });
      expect(await score(result_id)).toBe('COMPLETED');
      const calls = await world.modelCalls(result_id);
      expect(calls.filter(({ outcome }) => outcome === 'failed')).toHaveLength(failed);
      expect(await world.samplesOf(result_id)).toHaveLength(10);
      expect((await world.result(result_id)).score).not.toBeNull();
    },
  );

  it.each([
    ['filters the content', { status: 400, code: 'content_filter' }, 'refused'],
    ['cannot read so long an answer', { status: 400, code: 'context_length_exceeded' }, 'too_long'],
  ])('completes without a score when the model %s', async (_name, fault, reason) => {
    const { result_id } = await world.submitted();
    await world.fault({ ...fault, times: 1_000 });
    expect(await score(result_id)).toBe('COMPLETED');
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'completed', score: null });
    const [question] = await world.questionsOf(result_id);
    expect(question?.['answer_assessment_raw_data']).toMatchObject({
      status: 'insufficient_evidence',
      reason,
      needs_review: true,
    });
  });

  it('fails at once if the model rejects our request, and can be scored again', async () => {
    const { result_id } = await world.submitted();
    await world.fault({ status: 422, code: 'bad_schema', times: 1_000 });
    const handle = await worker.startScoring(result_id, soon);
    expect(await statusAtEnd(handle)).toBe('FAILED');
    expect((await handle.describe()).typedSearchAttributes.get(flowStatusKey)).toBe('gave_up');
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'failed', score: null });
    const failure = 'request_rejected: the model responded with 422 (bad_schema)';
    expect(await world.recordsOf(result_id)).toMatchObject([{ state: 'failed', failure }]);
    await world.clearFaults();
    expect(await rescore(result_id)).toMatchObject({ outcome: 'queued', run: 2 });
    expect(await score(result_id, { run: 2 })).toBe('COMPLETED');
  });

  it('does not wait as long as a provider asks if that is longer than the longest pause', async () => {
    const { result_id } = await world.submitted();
    await world.fault({ status: 429, headers: { 'retry-after': '86400' }, times: 1 });
    expect(await score(result_id)).toBe('COMPLETED');
  });

  it('waits for late transcripts, and marks those that never come', async () => {
    const { result_id } = await world.submitted([goodAnswer, goodAnswer]);
    const [first, second] = await world.questionsOf(result_id);
    await world.change(
      `update result_question set answer = null, answer_kind = 'recording', transcript_status = 'pending' where result_id = $1
         and kind = 'question'`,
      result_id,
    );
    const handle = await worker.startScoring(result_id, soon);
    await waitFor('its wait', async () => {
      const { typedSearchAttributes } = await handle.describe();
      return typedSearchAttributes.get(flowStatusKey) === 'waiting';
    });
    const end = 'update result_question set answer = $2, transcript_status = $3 where id = $1';
    await world.change(end, first?.id, goodAnswer, 'done');
    await world.change(end, second?.id, null, 'failed');
    await handle.result();
    const { recruiter_risks: risks } = await world.result(result_id);
    expect(risks).toContainEqual(expect.objectContaining({ key: 'unavailable_transcript' }));
    const [, unavailable] = await world.questionsOf(result_id);
    expect(unavailable?.['answer_assessment_raw_data']).toMatchObject({ reason: 'unavailable_transcript' });
  });

  it.each([
    [
      'fails, refunds and mails',
      'all',
      {
        status: 'draft',
        interview_status: 'failed',
        ai_completion_reason: 'technical_error',
        processing_status: null,
      },
    ],
    ['scores', 'some', { status: 'active', interview_status: 'completed', processing_status: 'completed' }],
  ] as const)('%s an attempt of which %s answers are lost', async (_what, lost, row) => {
    const { result_id, link } = await world.submitted([goodAnswer, goodAnswer]);
    const [first] = await world.questionsOf(result_id);
    await world.change(
      `update result_question set answer = null, answer_kind = 'recording', transcript_status = 'failed'
       where result_id = $1 and kind = 'question' and ($2 or id = $3)`,
      result_id,
      lost === 'all',
      first?.id,
    );
    await world.change('update attempt_plan set lost_answers = 1 where result_id = $1', result_id);
    await world.change(`update webhook_endpoint set events = '{interview_result,interview_failed}'`);
    expect(await score(result_id)).toBe('COMPLETED');
    expect(await world.result(result_id)).toMatchObject(row);
    const counts = await world.database.rows(
      `select (select sum(amount)::float8 from credit_entry where result_id = $1) as paid,
         (select count(*)::int from mail where enrolment_id = $2 and kind = 'retry_invitation') as mails,
         (select count(*)::int from webhook_delivery where result_id = $1 and event = 'interview_failed') > 0 as is_announced`,
      [result_id, link.enrolmentId],
    );
    const isFailed = lost === 'all';
    expect(counts).toEqual([
      { paid: isFailed ? 0 : expect.any(Number), mails: isFailed ? 1 : 0, is_announced: isFailed },
    ]);
    expect((await world.recordsOf(result_id)).map(({ state }) => state)).toEqual([
      isFailed ? 'superseded' : 'scored',
    ]);
    // The mail has a new link, because the last submit ended the first one.
    const mailed = { ...link, generation: link.generation + 1 };
    if (isFailed) expect((await world.begin(mailed)).attempt).toMatchObject({ attempt: 2, state: 'running' });
  });

  it('writes nothing when the result is reopened meanwhile', async () => {
    const { result_id } = await world.submitted();
    await score(result_id);
    await rescore(result_id);
    await world.fault({ status: 503, times: 1_000 });
    const handle = await worker.startScoring(result_id, { ...soon, run: 2 });
    await waitFor('a failed call', async () =>
      (await world.modelCalls(result_id)).some(({ outcome }) => outcome === 'failed'),
    );
    expect(await world.asRecruiter((trx) => reopenResult(trx, result_id))).toBe(true);
    await world.clearFaults();
    await handle.result();
    expect(await world.result(result_id)).toMatchObject({
      attempt: 2,
      status: 'draft',
      processing_status: null,
      score: null,
      score_text: null,
    });
    expect((await world.recordsOf(result_id)).map(({ state }) => state)).toEqual(['scored', 'superseded']);
  });

  it('uses the rubric of the beginning of the attempt', async () => {
    const { result_id } = await world.submitted();
    const other = JSON.stringify({ weak: ['Another'], moderate: ['Another one'], strong: ['A third one'] });
    await world.change(
      `update question set candidate_expectations_json = $2 where id in (
         select question_original_id from result_question where result_id = $1
       )`,
      result_id,
      other,
    );
    await score(result_id);
    const [question] = await world.questionsOf(result_id);
    const criteria = Object.values(rubric)
      .flat()
      .map((text) => expect.objectContaining({ text }));
    expect(question?.['answer_assessment_raw_data']).toMatchObject({ criteria });
  });

  it('scores an answer of 20,000 characters', async () => {
    const { result_id } = await world.submitted([`${goodAnswer} `.repeat(200).slice(0, 20_000)]);
    expect(await score(result_id)).toBe('COMPLETED');
    expect(await world.recordsOf(result_id)).toMatchObject([{ state: 'scored' }]);
  });

  it('can be scored again after its workflow was terminated', async () => {
    const { result_id } = await world.submitted();
    await world.fault({ status: 503, times: 1_000 });
    const handle = await worker.startScoring(result_id, { ...soon });
    await waitFor('its beginning', async () => (await world.recordsOf(result_id))[0]?.state === 'running');
    await handle.terminate();
    expect(await rescore(result_id)).toMatchObject({ outcome: 'in_progress', run: 1 });
    await world.clearFaults();
    expect(await rescore(result_id, 1)).toMatchObject({ outcome: 'queued', run: 2 });
    expect(await score(result_id, { run: 2 })).toBe('COMPLETED');
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'completed' });
    expect((await world.recordsOf(result_id)).map(({ state }) => state)).toEqual(['superseded', 'scored']);
  });

  it('keeps scores that a person has set, and risks that a person has changed', async () => {
    const { result_id } = await world.submitted();
    await score(result_id);
    const [question] = await world.questionsOf(result_id);
    const decide = (id: string | null, value: number | null) =>
      world.asRecruiter((trx) =>
        trx.one(overrideScore(result_id, id, value, 'Known from the second interview.', bracketTexts)),
      );
    expect(await decide(null, 9.5)).toMatchObject({ outcome: 'decided', score: 9.5 });
    expect(await decide(question?.id ?? '', 4.5)).toMatchObject({ outcome: 'decided', score: 4.5 });
    expect(await decide(null, 11)).toMatchObject({ outcome: 'out_of_range' });
    expect(await decide(question?.id ?? '', 0)).toMatchObject({ outcome: 'out_of_range' });
    const own = [{ key: 'own', severity: 'issue' }];
    await world.asRecruiter((trx) => decideResult(trx, result_id, { recruiter_risks: own }));
    await rescore(result_id);
    await score(result_id, { run: 2 });
    expect(await world.result(result_id)).toMatchObject({ score: '9.5', recruiter_risks: own });
    const [again] = await world.questionsOf(result_id);
    expect(again).toMatchObject({ score: '4.5' });
    const [first] = await world.recordsOf(result_id);
    expect(await decide(null, null)).toMatchObject({
      outcome: 'decided',
      score: first?.scores?.score,
    });
  });
});
