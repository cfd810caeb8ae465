import type { RunKey } from '../../../db/scoring/runs';
import { platformTemplateIds } from '../../../local/seed/templates';
import { activityEnvironment } from '../../harness/platform/activity-environment';
import { goodAnswer, startScoringWorld } from './scoring-world';
import type { ScoringWorld } from './scoring-world';

describe('the scoring of choices', () => {
  let world: ScoringWorld;
  beforeAll(async () => {
    world = await startScoringWorld();
  });

  const key = { weak: ['MySQL'], moderate: ['SQLite'], strong: ['Postgres', 'MariaDB'] };
  const choice = (rubric: object | null = key) => ({
    question: 'Which database?',
    is_multiple_choice: true,
    question_alternatives: ['MySQL', 'SQLite', 'Redis', 'Postgres', 'MariaDB'],
    candidate_expectations_json: rubric && JSON.stringify(rubric),
  });

  /** Takes an interview with these questions, answers each, scores the attempt and returns what was stored. */
  async function scored(
    given: [Record<string, unknown> & { question: string }, string][],
    changes: Record<string, unknown> = {},
    afterBegin = async (_resultId: string): Promise<unknown> => undefined,
  ) {
    const { link, result_id, attempt } = await world.beginInterview(
      given.map(([question]) => question),
      {
        interview_template_id: platformTemplateIds.offline_avatar_3,
        max_followups: 0,
        candidate_expectations_json: JSON.stringify({
          weak: ['Names a project from the past'],
          moderate: ['Explains the own part in the project'],
          strong: ['Backs the result of the project with numbers or feedback'],
        }),
        ...changes,
      },
    );
    await afterBegin(result_id);
    for (const [, answer] of given) await world.answerOpen(link, answer);
    await world.submit(link);
    const run = { result_id, attempt, run: 1 };
    const act = <Value>(activity: (input: never) => Promise<Value>, more = {}): Promise<Value> =>
      activityEnvironment().run(activity as (input: RunKey) => Promise<Value>, { ...run, ...more });
    const opened = await act(world.scoring.openScoring);
    for (const place of opened?.places ?? []) await act(world.scoring.scoreAnswer, { place });
    await act(world.scoring.scoreSession);
    await act(world.scoring.summarizeResult);
    await act(world.scoring.recordScoring);
    return {
      result: await world.result(result_id),
      answers: await world.questionsOf(result_id),
      calls: await world.modelCalls(result_id),
      record: (await world.recordsOf(result_id))[0],
    };
  }

  it('gives 5, 3 and 1 points by the key, without a call of the model and without a flag', async () => {
    const none = await scored([
      [choice(), 'Postgres'],
      [choice(), 'MariaDB'],
      [choice(), 'SQLite'],
      [choice(), 'MySQL'],
      [choice(), 'Redis'],
      [choice(null), 'Redis'],
      [choice({ weak: [], moderate: ['Gives a reason'], strong: ['Compares several'] }), 'Redis'],
    ]);
    expect(none.calls).toEqual([]);
    expect(
      none.answers.map((row) => {
        const { bracket, reason, criteria } = row['answer_assessment_raw_data'] as {
          bracket: string;
          reason: string;
          criteria: { id: string; text: string; met: string; quote: string | null }[];
        };
        return [
          row['score_answer_ai'] && Number(row['score_answer_ai']),
          row['ai_analysis'],
          bracket ?? reason,
          criteria.map(({ id, text, met, quote }) => [id, text, met, quote].join()).join(' '),
        ];
      }),
    ).toEqual([
      [5, 'Right answer.', 'strong', 's1,Postgres,yes,Postgres'],
      [5, 'Right answer.', 'strong', 's2,MariaDB,yes,MariaDB'],
      [3, 'Half right answer.', 'moderate', 'm1,SQLite,yes,SQLite s1,Postgres,no, s2,MariaDB,no,'],
      [1, 'Wrong answer.', 'weak', 'w1,MySQL,yes,MySQL s1,Postgres,no, s2,MariaDB,no,'],
      [1, 'Wrong answer.', 'weak', 'w2,Redis,yes,Redis s1,Postgres,no, s2,MariaDB,no,'],
      [null, null, 'no_rubric', ''],
      [null, null, 'no_rubric', ''],
    ]);
    const { score, score_answer: mean, ai_interview_coverage_percentage: coverage } = none.result;
    expect([score, mean, coverage].map(Number)).toEqual([5, 3, 100]);
    expect(none.result).toMatchObject({
      processing_status: 'completed',
      score_text: 'Moderate',
      ai_analysis: 'Right choices: 2 of 5.',
      ai_analysis_recruiter: 'Right choices: 2 of 5.',
      ai_analysis_other: { score_parts: [{ part: 'answers', score: 5, weight: 1 }] },
      recruiter_risks: null,
    });
    expect(none.record).toMatchObject({ state: 'scored', model: null, samples: 0, needs_review: false });
  });

  it('shows the model the other answers only, also as the session', async () => {
    const { calls, answers, result } = await scored([
      [choice(), 'Postgres'],
      [{ question: 'Which project?' }, goodAnswer],
    ]);
    const [three, one] = [Array.from({ length: 3 }), Array.from({ length: 1 })];
    expect(calls.map(({ purpose }) => purpose).toSorted()).toEqual([
      ...three.map(() => 'answer_assessment'),
      ...one.map(() => 'result_summary'),
      ...three.map(() => 'session_assessment'),
    ]);
    const prompts = JSON.stringify(await world.requests());
    expect(prompts).toContain('led a project');
    expect(prompts).not.toContain('Postgres');
    expect(Number(answers[0]?.['score_answer_ai'])).toBe(5);
    expect(Number(result.score)).toBeGreaterThan(6);
    expect(String(result['ai_analysis'])).toMatch(/^What went well: .*\nRight choices: 1 of 1\.$/s);
  });

  it('uses the key with which the attempt began', async () => {
    const { answers } = await scored([[choice(), 'Postgres']], {}, (resultId) =>
      world.change(
        `update question set candidate_expectations_json = $2 where id in (
           select question_id from attempt_step where result_id = $1)`,
        resultId,
        JSON.stringify({ weak: [], moderate: [], strong: ['Redis'] }),
      ),
    );
    expect(Number(answers[0]?.['score_answer_ai'])).toBe(5);
  });
});
