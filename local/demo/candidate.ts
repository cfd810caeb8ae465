import { openDatabase } from '../../db/platform/database';
import type { Database, Transaction } from '../../db/platform/database';
import { openPool } from '../../db/platform/pool';
import type { Statement } from '../../db/platform/statement';
import type { ResultKey, Scores } from '../../db/results/results';
import { writeScores } from '../../db/scoring/write-scores';
import type { QuestionScores } from '../../db/scoring/write-scores';
import {
  answerTurn,
  beginAttempt,
  askFallbackTurn,
  finishAttempt,
  getAttempt,
  submitAttempt,
} from '../../db/taking/attempts';
import type { GivenAnswer, AttemptRow, TurnRow } from '../../db/taking/attempts';

/** The same database opened with two logins, the API's and the worker's. */
type Databases = { api: Database; worker: Database };

export function openDatabases(database: { apiUrl: string; workerUrl: string }) {
  const open = (url: string) =>
    openDatabase(openPool({ url, size: 4, applicationName: 'candidate', onIdleError: () => undefined }));
  const databases: Databases = { api: open(database.apiUrl), worker: open(database.workerUrl) };
  return { ...databases, close: () => Promise.all([databases.api.close(), databases.worker.close()]) };
}

/** Returns the newest link of an enrolment. The link leads to the interview that is now stored in the enrolment. */
export async function readNewestLink({ worker }: Databases, enrolmentId: string, isTest = false) {
  const [enrolment] = await worker.queryAsWorker<{ interview_id: string; link_generation: number }>({
    text: 'select interview_id, link_generation from enrolment where id = $1',
    values: [enrolmentId],
  });
  if (!enrolment) throw new Error('there is no such enrolment');
  const { interview_id: interviewId, link_generation: generation } = enrolment;
  return { kind: 'interview_link' as const, enrolmentId, interviewId, generation, isTest };
}

/** Runs one SQL statement with the rights of a candidate's newest link. */
export const queryWithLink = async <Row>(
  databases: Databases,
  enrolmentId: string,
  statement: Statement<Row>,
  isTest = false,
): Promise<Row> => {
  const link = await readNewestLink(databases, enrolmentId, isTest);
  return databases.api.write(link, (trx) => trx.one<Row>(statement));
};

export const demoScores: Scores = {
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

export const typedAnswer = (text: string): GivenAnswer => ({
  kind: 'text',
  text,
  recordingId: null,
  durationMs: null,
});
export const seenAnswer: GivenAnswer = { kind: 'seen', text: null, recordingId: null, durationMs: null };

/**
 * Returns how a candidate answers a turn: with the text, with a choice or, if the turn needs no answer, with `seenAnswer`.
 */
function replyTo({ answer, choices }: TurnRow, text: string): GivenAnswer {
  if (answer.mode === 'none') return seenAnswer;
  return answer.mode === 'choice'
    ? { ...typedAnswer(choices?.[0] ?? ''), kind: 'choice' }
    : typedAnswer(text);
}

/**
 * Writes scores into a submitted attempt with the statement of the worker, without a run of the scoring. Returns false
 * if the attempt is not submitted.
 */
export async function recordScores(
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  given: Scores,
  answers: readonly QuestionScores[],
): Promise<boolean> {
  const { run } = await trx.one<{ run: number | null }>({
    text: 'select scoring_run as run from interview_result where id = $1',
    values: [result_id],
  });
  const { written } = await trx.one(
    writeScores(
      { result_id, attempt, run: run ?? 0 },
      given,
      { is_decided: false, keeps_risks: true, risks: null },
      answers.map((answer) => ({ ...answer, is_decided: false })),
    ),
  );
  return written > 0;
}

/**
 * Takes an interview as its candidate, with the SQL statements that the product uses, until the state `until`. Gives
 * `answers` to the first questions and then finishes the attempt early. Without `answers`, answers every question. In
 * the state `started`, only the first question is answered. The last state, `scored`, includes the scoring.
 */
export async function takeInterview(
  databases: Databases,
  {
    enrolment,
    answers,
    until = 'scored',
    is_test = false,
    ...more
  }: {
    enrolment: string;
    answers?: string[];
    until?: 'started' | 'collected' | 'submitted' | 'scored';
    is_test?: boolean;
    scores?: Partial<Scores>;
  },
): Promise<ResultKey> {
  const run = <Row>(statement: Statement<Row>) => queryWithLink(databases, enrolment, statement, is_test);
  const begun = await run(beginAttempt({ consentVersion: 'demo', language: null }));
  if (begun.outcome !== 'begun' || !begun.attempt) throw new Error(`the attempt is ${begun.outcome}`);
  const { result_id, attempt } = begun.attempt;
  const key = { result_id, attempt };

  const given = answers ?? ['We measured both ways and kept the better one.'];
  const limit = until === 'started' ? Math.min(1, given.length) : (answers?.length ?? Infinity);
  await answerTurns(run, begun.attempt, given, limit);
  if (until === 'started') return key;
  await run(finishAttempt);
  if (until === 'collected') return key;
  await run(submitAttempt);
  if (until === 'submitted') return key;
  await databases.worker.writeAsWorker(async (trx) => {
    const spoken = await trx.rows<{ id: string }>({
      text: 'select id from result_question where result_id = $1 and attempt = $2 and is_answer',
      values: [result_id, attempt],
    });
    const interactions = spoken.map(({ id }) => ({ id, ...interactionScores }));
    await recordScores(trx, key, { ...demoScores, ...more.scores }, interactions);
  });
  return key;
}

const interactionScores = {
  ai_analysis: 'Clear.',
  ai_analysis_recruiter: 'One example.',
  score_answer_ai: 4,
  score_answer_ai_simulation: 3.5,
  answer_assessment_raw_data: { bracket: 'moderate' },
};

/**
 * Answers up to `limit` questions while the attempt runs. No model decides about the turns; the next planned turn
 * always follows.
 */
async function answerTurns(
  run: <Row>(statement: Statement<Row>) => Promise<Row>,
  begun: AttemptRow,
  answers: string[],
  limit: number,
): Promise<void> {
  let { turn } = begun;
  let answered = 0;
  while (turn && turn.kind !== 'thank_you') {
    if (turn.answer.mode !== 'none') answered += 1;
    if (answered > limit) return;
    const text = answers[Math.min(answered, answers.length) - 1] ?? '';
    const outcome = await run(answerTurn(turn.turn_id, replyTo(turn, text)));
    if (outcome.outcome !== 'stored') throw new Error(`the answer is ${outcome.outcome}`);
    if (outcome.needs_decision) await run(askFallbackTurn(turn.turn_id));
    const { attempt } = await run(getAttempt);
    turn = attempt?.turn ?? null;
  }
}
