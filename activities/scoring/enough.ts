import type { ModelCall } from '../../db/interviews/public';
import type { Database } from '../../db/platform/database';
import { findAnswersSoFar } from '../../db/scoring/answers-so-far';
import type { Model } from '../providers/openai';
import { createCallRecorder } from '../taking/public';
import type { AttemptOfCall } from '../taking/public';
import { hasSharedQuotes } from './combine';
import { criteriaOf } from './criteria';
import { withRecordedCalls } from './sample';
import { createScoringThread } from './scoring-thread';
import type { ModelCallLimits, Criterion, QuestionAnswer, SessionSample } from './types';

/**
 * Returns the function that asks the model once whether the answers of a running attempt show every moderate and strong
 * criterion of the session. The thread is not that of the scoring, for which nobody waits.
 */
export function createEnoughEvidenceCheck({
  database,
  model,
  onModelCall,
}: {
  database: Pick<Database, 'writeAsWorker'>;
  model: Pick<Model, 'complete' | 'name'>;
  onModelCall: (call: ModelCall) => void;
}) {
  const beginCall = createCallRecorder(database, onModelCall);
  const thread = createScoringThread();
  return async (attempt: AttemptOfCall, limits: ModelCallLimits): Promise<boolean> => {
    const found = await database.writeAsWorker((trx) =>
      trx.maybeOne(findAnswersSoFar(attempt.result_id, attempt.attempt)),
    );
    if (!found || found.rubric === null || found.answers.length === 0) return false;
    const { rubric, ...said } = found;
    const sample = (await thread.makeSample(
      { kind: 'session', input: { ...said, rubric, wants_polarity: false }, order: 0 },
      withRecordedCalls(model, beginCall, attempt),
      limits,
    )) as SessionSample;
    return isEnoughEvidence(criteriaOf(rubric), sample, said.answers);
  };
}

/**
 * Returns whether every moderate and strong criterion has a verified quote, and nothing tries to direct the assessor. Quotes
 * for which scoring asks for a review, because criteria share them, are not enough: skipped questions are never asked.
 */
export function isEnoughEvidence(
  criteria: readonly Criterion[],
  {
    judgements,
    instructs_the_assessor: instructs,
  }: Pick<SessionSample, 'judgements' | 'instructs_the_assessor'>,
  answers: readonly Pick<QuestionAnswer, 'turn_id' | 'answer'>[],
): boolean {
  const wanted = criteria.filter(({ bracket }) => bracket !== 'weak');
  const shown = wanted.flatMap(({ id, bracket }) =>
    judgements
      .filter(({ met, criterion_id }) => met === 'yes' && criterion_id === id)
      .map((judgement) => ({ ...judgement, bracket })),
  );
  return (
    !instructs && wanted.length > 0 && shown.length === wanted.length && !hasSharedQuotes(shown, answers)
  );
}
