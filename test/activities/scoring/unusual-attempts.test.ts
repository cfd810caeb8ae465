import type { RunKey } from '../../../db/scoring/runs';
import { activityEnvironment } from '../../harness/interviews/interview-worker';
import { rubric } from '../taking/attempt-world';
import { startScoringWorld } from './scoring-world';
import type { ScoringWorld } from './scoring-world';

/** An answer that meets every criterion of the rubric, according to the fake model. */
const fullAnswer =
  'In the past I worked for a bakery. I explained my own part, the oven plan, to everybody. ' +
  'The numbers of the result were good: sales grew by 12 percent.';

/** An answer that meets the weak and the moderate criterion, but not the strong one. */
const answerWithGap =
  'I led a project at a bakery in the past. My own part in the project was the new oven plan.';

let world: ScoringWorld;
beforeAll(async () => {
  world = await startScoringWorld();
});
afterEach(() => world.clearFaults());

const run = <Value>(activity: (input: never) => Promise<Value>, input: unknown): Promise<Value> =>
  activityEnvironment().run(activity as (given: unknown) => Promise<Value>, input) as Promise<Value>;
/**
 * Runs all activities of a scoring run, in the order in which the workflow calls them. Calls `afterOpening` after the
 * first one.
 */
async function scoreAll(key: RunKey, afterOpening = async (): Promise<unknown> => undefined) {
  const opened = await run(world.scoring.openScoring, key);
  await afterOpening();
  for (const place of opened?.places ?? []) await run(world.scoring.scoreAnswer, { ...key, place });
  await run(world.scoring.scoreSession, key);
  await run(world.scoring.summarizeResult, key);
  await run(world.scoring.recordScoring, key);
}
type Assessment = {
  status: string;
  reason?: string;
  bracket: string | null;
  criteria: { text: string; met: string; quote: string | null; start: number; end: number }[];
};
/** Returns the text and the stored assessment of the first answer. */
async function firstAnswer(resultId: string) {
  const [question] = await world.questionsOf(resultId);
  const assessment = question?.['answer_assessment_raw_data'] as Assessment;
  return { answer: question?.answer ?? '', assessment };
}
/** Checks that every criterion of the rubric is met and has a quote from the answer as evidence. */
function expectEvidence({ answer, assessment }: Awaited<ReturnType<typeof firstAnswer>>) {
  expect(assessment.criteria.map(({ met }) => met)).toEqual(['yes', 'yes', 'yes']);
  for (const { quote, start, end } of assessment.criteria) expect(answer.slice(start, end)).toBe(quote);
}

describe('the scoring of an attempt', () => {
  it('accepts no evidence from a model that invents quotes, and asks for a review', async () => {
    const { key, result_id } = await world.submitted();
    await world.fault({ assessment: 'invented_quotes', times: 1_000 });
    await scoreAll(key);
    const { assessment } = await firstAnswer(result_id);
    expect(assessment).toMatchObject({ bracket: 'weak' });
    expect(assessment.criteria.map(({ met, quote }) => [met, quote])).toEqual(
      Array.from({ length: 3 }, () => ['unclear', null]),
    );
    expect(await world.recordsOf(result_id)).toMatchObject([{ verified_share: '0', needs_review: true }]);
  });

  it.each(['invented_quotes', 'all_yes', 'wrong_ids'])(
    'writes nothing into a result that a model invents when it ranks the findings: %s',
    async (assessment) => {
      const { key, result_id } = await world.submitted([answerWithGap]);
      await run(world.scoring.openScoring, key);
      await run(world.scoring.scoreAnswer, { ...key, place: 1 });
      await run(world.scoring.scoreSession, key);
      await world.fault({ assessment });
      await run(world.scoring.summarizeResult, key);
      await run(world.scoring.recordScoring, key);
      const written = await world.result(result_id);
      expect(written).toMatchObject({
        ai_analysis_recruiter:
          'Shown: Explains the own part in the project (“My own part in the project was the new oven plan”).\n' +
          'Weak point: Names a project from the past (“I led a project at a bakery in the past”).\n' +
          'Not shown: Backs the result of the project with numbers or feedback.',
      });
      expect(JSON.stringify(written)).not.toMatch(/hired|accent|stealing|pregnant|too old|NASA|evil/i);
    },
  );

  it.each(['wrong_ids', 'missing_ids', 'cut_off', 'empty'])(
    'takes a model that replies with %s for one that is away, and makes one call to see whether it is back',
    async (assessment) => {
      const { key } = await world.submitted();
      await world.fault({ assessment, times: 1_000 });
      const opened = await run(world.scoring.openScoring, key);
      const place = opened?.places[0];
      const away = { state: 'away', reason: 'the model returned a malformed response' };
      expect(await run(world.scoring.scoreAnswer, { ...key, place })).toMatchObject(away);
      const before = (await world.modelCalls(key.result_id)).length;
      expect(await run(world.scoring.scoreAnswer, { ...key, place, is_probe: true })).toMatchObject(away);
      const calls = (await world.modelCalls(key.result_id)).length - before;
      // The first call of a sample is followed by a call for the repair, unless there is nothing to repair.
      expect(calls).toBe(assessment === 'empty' ? 1 : 2);
      await world.clearFaults();
      expect(await run(world.scoring.scoreAnswer, { ...key, place, is_probe: true })).toEqual({
        state: 'done',
      });
      expect(await world.samplesOf(key.result_id)).toHaveLength(3);
    },
  );

  it('asks for a review if too little was said to most questions, because the score then rests on few answers', async () => {
    const flagsAfter = async (answers: string[]) => {
      const { key, result_id } = await world.submitted(answers);
      await scoreAll(key);
      const { score, recruiter_risks } = await world.result(result_id);
      expect(score).not.toBeNull();
      return recruiter_risks;
    };
    // Without these words, the weak criterion is not met. A rubric that is met with its weak criteria is flagged, too.
    const better = fullAnswer.replace('In the past ', '');
    expect(await flagsAfter([better, 'No.', 'No.'])).toMatchObject([{ key: 'needs_review' }]);
    expect(await flagsAfter([better, 'No.'])).toBeNull();
  });

  it('asks for a review if fewer than half of the planned questions were answered', async () => {
    const { key, result_id } = await world.submitted();
    await world.change(
      'update interview_result set ai_interview_coverage_percentage = 33 where id = $1',
      result_id,
    );
    await scoreAll(key);
    expect(await world.result(result_id)).toMatchObject({ recruiter_risks: [{ key: 'needs_review' }] });
  });

  it('finds the evidence at the end of an answer of 100 KiB', async () => {
    const { key, result_id } = await world.submitted();
    const filler = 'Then we talked about the weather for a while. ';
    const long = filler.repeat(Math.ceil((100 * 1_024) / filler.length)) + fullAnswer;
    await world.change(
      `update result_question set answer = $2 where result_id = $1 and kind = 'question'`,
      result_id,
      long,
    );
    await scoreAll(key);
    const first = await firstAnswer(result_id);
    expect(first.answer).toHaveLength(long.length);
    expectEvidence(first);
  });

  it('scores an answer in another language than the interview, and writes in the language of the interview', async () => {
    const german = {
      weak: ['Nennt ein Projekt aus der Vergangenheit'],
      moderate: ['Erklärt den eigenen Anteil am Projekt'],
      strong: ['Belegt das Ergebnis des Projekts mit Zahlen'],
    };
    const answer =
      'Ein Projekt aus der Vergangenheit war die neue Bäckerei. Mein eigener Anteil am Projekt war der Plan für den Ofen. ' +
      'Das Ergebnis des Projekts haben wir mit Zahlen belegt, der Umsatz stieg um 12 Prozent.';
    const { key, result_id } = await world.submitted([answer]);
    await world.change(
      `update attempt_step set rubric = $2 where result_id = $1 and rubric is not null`,
      result_id,
      JSON.stringify(german),
    );
    await world.change(
      'update attempt_plan set session_rubric = $2 where result_id = $1',
      result_id,
      JSON.stringify(german),
    );
    await scoreAll(key);
    expectEvidence(await firstAnswer(result_id));
    expect(await world.result(result_id)).toMatchObject({ score_text: 'Strong' });
  });

  it('uses the rubrics and weights with which the attempt began, also if they change while it is scored', async () => {
    const [unchanged, changed] = [await world.submitted(), await world.submitted()];
    await scoreAll(unchanged.key);
    const other = JSON.stringify({ weak: ['Another'], moderate: ['Another one'], strong: ['A third one'] });
    await scoreAll(changed.key, async () => {
      await world.change(
        `update question set candidate_expectations_json = $2 where id in (
           select question_original_id from result_question where result_id = $1
         )`,
        changed.result_id,
        other,
      );
      await world.change(
        `update interview set candidate_expectations_json = $2, result_scoring = '{"ai_assessment_answer": 0}'
         where id = (select interview_id from interview_result where id = $1)`,
        changed.result_id,
        other,
      );
    });
    const { assessment } = await firstAnswer(changed.result_id);
    expect(assessment.criteria.map(({ text }) => text).toSorted()).toEqual(
      Object.values(rubric).flat().toSorted(),
    );
    const [one, two] = [await world.recordsOf(unchanged.result_id), await world.recordsOf(changed.result_id)];
    expect(two[0]?.scores?.score).toBe(one[0]?.scores?.score);
    expect(two[0]?.['rubric_version']).toBe(one[0]?.['rubric_version']);
  });
});
