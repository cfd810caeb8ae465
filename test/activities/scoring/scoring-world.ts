import { createModel } from '../../../activities/providers/openai';
import { createScoringActivities } from '../../../activities/scoring/score-activities';
import type { ModelCall } from '../../../db/interviews/public';
import { platformTemplateIds } from '../../../local/seed/templates';
import { rubric, startAttemptWorld } from '../taking/attempt-world';

export type ScoringWorld = Awaited<ReturnType<typeof startScoringWorld>>;
export type ScoringRow = Record<string, unknown> & { processing_status: string | null; score: number | null };

/** An answer that meets every criterion of the rubric of `startAttemptWorld`. */
export const goodAnswer =
  'I led a project at a bakery last year. My own part in the project was the new oven plan. ' +
  'We backed the result of the project with numbers: sales grew by twelve percent.';

/** Creates a database with interviews to take and score, and the real activities of the scoring with the fake model. */
export async function startScoringWorld() {
  const world = await startAttemptWorld();
  const calls: ModelCall[] = [];
  const outcomes: string[] = [];
  const provider = { apiKey: 'test', baseUrl: `${world.fakes.url}/openai/v1` };
  const scoring = createScoringActivities({
    database: world.worker,
    model: createModel({ ...provider, model: 'gpt-4.1-mini' }),
    prices: { prompt: 1, completion: 2 },
    onModelCall: (call) => void calls.push(call),
    onScored: (outcome) => void outcomes.push(outcome),
  });

  /** Creates a submitted attempt with these typed answers, one for each question, which has the fields of `question`. */
  async function submitted(
    answers: string[] = [goodAnswer],
    changes: Record<string, unknown> = {},
    question: Record<string, unknown> = {},
  ) {
    const questions = answers.map((_answer, index) => ({
      question: `Question ${index + 1} about a project?`,
      ...question,
    }));
    const { link, result_id, attempt } = await world.beginInterview(questions, {
      interview_template_id: platformTemplateIds.offline_avatar_3,
      max_followups: 0,
      candidate_expectations_json: JSON.stringify(rubric),
      ...changes,
    });
    for (const answer of answers) await world.answerOpen(link, answer);
    await world.submit(link);
    return { link, result_id, attempt, key: { result_id, attempt, run: 1 } };
  }
  const result = async (id: string): Promise<ScoringRow> => {
    const [row] = await world.database.rows<ScoringRow>('select * from interview_result where id = $1', [id]);
    if (!row) throw new Error('there is no such result');
    return row;
  };
  const questionsOf = (id: string) =>
    world.database.rows<Record<string, unknown> & { id: string; answer: string | null }>(
      `select * from result_question where result_id = $1 and kind in ('question', 'conditional') order by attempt, step_order`,
      [id],
    );
  const recordsOf = (id: string) =>
    world.database.rows<
      Record<string, unknown> & { run: number; state: string; scores: { score: number | null } | null }
    >('select * from score_record where result_id = $1 order by attempt, run', [id]);
  const startsOf = (id: string) =>
    world.database.rows<{ workflow_id: string; argument: Record<string, unknown> }>(
      `select workflow_id, argument from workflow_start where workflow_type = 'resultScoring'
         and argument ->> 'result_id' = $1 order by workflow_id`,
      [id],
    );
  const samplesOf = (id: string) =>
    world.database.rows<{ run: number; subject: string; place: number; number: number }>(
      'select run, subject, place, number from score_sample where result_id = $1 order by run, subject, place, number',
      [id],
    );
  const chargesOf = (id: string) =>
    world.database.rows('select from credit_entry where result_id = $1', [id]);

  return {
    ...world,
    scoring,
    scoringCalls: calls,
    outcomes,
    submitted,
    result,
    questionsOf,
    recordsOf,
    startsOf,
    samplesOf,
    chargesOf,
  };
}
