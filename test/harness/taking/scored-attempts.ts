import { platformTemplateIds } from '../../../local/seed/templates';
import type { Platform } from '../platform/platform';
import { waitFor } from '../wait-for';
import { candidateCalls } from './candidate';

/** The rubric of the interview and of each of its questions. */
const rubric = {
  weak: ['Names a project from the past'],
  moderate: ['Explains the own part in the project'],
  strong: ['Backs the result of the project with numbers or feedback'],
};
/** An answer that meets every criterion of the rubric. */
export const goodAnswer =
  'I led a project at a bakery last year. My own part in the project was the new oven plan. ' +
  'We backed the result of the project with numbers: sales grew by twelve percent.';

type ScoredRun = Record<string, unknown> & {
  run: number;
  state: string;
  scores: { score: number | null } | null;
};

/** Returns functions that take interviews with a rubric through the portal and read their scoring runs and events. */
export function scoredAttempts(platform: Platform) {
  const calls = candidateCalls(platform);
  const { rows } = platform.database;

  const makeInterview = (questions = 1, changes: Record<string, unknown> = {}): Promise<string> =>
    calls.makeInterview(
      Array.from({ length: questions }, (_, index) => ({
        question: `Question ${index + 1} about a project?`,
        candidate_expectations_json: rubric,
      })),
      {
        interview_template_id: platformTemplateIds.offline_avatar_1,
        candidate_expectations_json: rubric,
        ...changes,
      },
    );
  /** Takes an interview as a new candidate, who answers all questions and does not submit the answers yet. */
  async function collect(interviewId: string): Promise<{ token: string; result_id: string }> {
    const { token, enrolmentId } = await calls.register(interviewId);
    await calls.takeAll(token, goodAnswer);
    const [result] = await rows<{ id: string }>('select id from interview_result where enrolment_id = $1', [
      enrolmentId,
    ]);
    return { token, result_id: result?.id ?? '' };
  }
  const submit = async (token: string): Promise<void> => {
    const reply = await calls.call('attempt-submit', { token, body: {} });
    if (reply.status !== 200) throw new Error(reply.text);
  };
  /** Returns the records of all scoring runs of a result. */
  const runsOf = (resultId: string) =>
    rows<ScoredRun>('select * from score_record where result_id = $1 order by run', [resultId]);
  const scored = (resultId: string, run = 1) =>
    waitFor(`the end of run ${run}`, async () => {
      const record = (await runsOf(resultId)).find((one) => one.run === run);
      return record?.state === 'scored' && record;
    });
  return {
    makeInterview,
    collect,
    submit,
    runsOf,
    /** Waits until this scoring run has written its scores, and returns the record of the run. */
    scored,
    /** Takes an interview as a new candidate and waits for the scores. Returns the id of the result. */
    takeScored: async (interviewId: string): Promise<string> => {
      const { token, result_id } = await collect(interviewId);
      await submit(token);
      await scored(result_id);
      return result_id;
    },
    /** Returns the event and the reason of each delivery of a result, oldest first. */
    eventsOf: (resultId: string) =>
      rows<{ id: string; event: string; reason: string }>(
        'select id, event, reason from webhook_delivery where result_id = $1 order by id',
        [resultId],
      ),
  };
}
