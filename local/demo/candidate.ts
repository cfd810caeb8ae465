import { randomUUID } from 'node:crypto';
import { openPool } from '../../db/platform/pool';
import {
  storeAnswers,
  collectResult,
  recordScores,
  startResult,
  submitResult,
} from '../../db/results/results';
import type { Collected, Interaction, ResultKey, Scores } from '../../db/results/results';
import { openDatabase } from '../../db/platform/database';
import type { Database, Transaction } from '../../db/platform/database';

/** The databases of the API's login and of the worker's login. */
type Databases = { api: Database; worker: Database };

export function openDatabases(database: { apiUrl: string; workerUrl: string }) {
  const open = (url: string) =>
    openDatabase(openPool({ url, size: 4, applicationName: 'candidate', onIdleError: () => undefined }));
  const databases: Databases = { api: open(database.apiUrl), worker: open(database.workerUrl) };
  return { ...databases, close: () => Promise.all([databases.api.close(), databases.worker.close()]) };
}

/** Returns the newest link of an enrolment, to the interview that it names. */
export async function linkOf({ worker }: Databases, enrolmentId: string, isTest = false) {
  const [enrolment] = await worker.queryAsWorker<{ interview_id: string; link_generation: number }>({
    text: 'select interview_id, link_generation from enrolment where id = $1',
    values: [enrolmentId],
  });
  if (!enrolment) throw new Error('there is no such enrolment');
  const { interview_id: interviewId, link_generation: generation } = enrolment;
  return { kind: 'interview_link' as const, enrolmentId, interviewId, generation, isTest };
}

/** Runs `work` in the scope of the newest link of one candidate. */
export const asLink = async <T>(
  databases: Databases,
  enrolmentId: string,
  work: (trx: Transaction) => Promise<T>,
) => databases.api.write(await linkOf(databases, enrolmentId), work);

/** Starts the candidate's next attempt, as the newest link of the enrolment does. */
export const startAsLink = (databases: Databases, enrolmentId: string, is_test = false) =>
  asLink(databases, enrolmentId, async (trx) => {
    const enrolment = await trx.maybeOne<{ link_generation: number }>({
      text: 'select link_generation from enrolment',
    });
    return startResult(trx, { is_test, link_generation: enrolment?.link_generation ?? 0 });
  });

export const collected: Collected = {
  interview_status: 'completed',
  duration: 3_000,
  ai_completion_reason: 'All questions were answered.',
  ai_interview_coverage_percentage: 90,
};

export const scores: Scores = {
  score: 7.5,
  score_simulation: 7,
  score_text: 'Strong',
  score_sentiment: 0.4,
  score_words_per_minute: 128,
  score_pronunciation: 88,
  score_answer: 4,
  ai_analysis: 'You answered calmly.',
  ai_analysis_recruiter: 'Answers were on topic.',
  ai_analysis_recruiter_score: 7.8,
  ai_analysis_other: {
    strengths_concerns: { strengths: ['Explains decisions with figures'], concerns: ['Few examples'] },
  },
};

export const interactionOf = (answer: string, step_order: number): Interaction => ({
  id: randomUUID(),
  step_order,
  is_answer: true,
  view: 'with listening',
  question_original_id: null,
  question_original: `Question ${step_order}?`,
  question_asked: `Question ${step_order}?`,
  answer,
  duration: 450,
  platform_language_code: 'en',
  recording_local_path: null,
  recording_is_video: null,
});

/**
 * Takes an interview as its candidate, up to the state `until`, with the product's own state transitions. The last
 * state, `scored`, includes the scoring. The interview must be open and the attempt not started.
 */
export async function takeInterview(
  databases: Databases,
  {
    enrolment,
    answers = ['We measured both ways and kept the better one.'],
    until = 'scored',
    ...more
  }: {
    enrolment: string;
    answers?: string[];
    until?: 'started' | 'collected' | 'submitted' | 'scored';
    is_test?: boolean;
    collected?: Partial<Collected>;
    scores?: Partial<Scores>;
  },
): Promise<ResultKey> {
  const key = await startAsLink(databases, enrolment, more.is_test);
  if (!key) throw new Error('the attempt cannot be begun');
  const spoken = answers.map((answer, place) => interactionOf(answer, place + 1));
  await asLink(databases, enrolment, (trx) => storeAnswers(trx, key, spoken));
  if (until === 'started') return key;
  const outcome = await asLink(databases, enrolment, (trx) =>
    collectResult(trx, key, { ...collected, ...more.collected }),
  );
  if (until === 'collected') return key;
  if (outcome === 'collected') await asLink(databases, enrolment, (trx) => submitResult(trx, key));
  if (until === 'submitted') return key;
  await databases.worker.writeAsWorker((trx) =>
    recordScores(
      trx,
      key,
      { ...scores, ...more.scores },
      spoken.map(({ id }) => ({
        id,
        ai_analysis: 'Clear.',
        ai_analysis_recruiter: 'One example.',
        score: 4,
        score_simulation: 4,
        score_answer_ai: 4,
        score_answer_ai_simulation: 3.5,
        answer_assessment_raw_data: { bracket: 'moderate' },
      })),
    ),
  );
  return key;
}
