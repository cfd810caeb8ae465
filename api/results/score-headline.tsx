import type { VNode } from 'preact';
import { bracketOf } from '../../db/results/assessment';
import type { ScoreReview } from '../../db/scoring/public';
import { Badge, Link, Time } from '../platform/site/elements';
import type { Evidence } from './evidence';
import { roundedText } from './result-words';
import type { ResultDetails } from './result-words';
import { BracketBadge, bracketMeaning, findScoreDecision, noScoreReason } from './score-words';

/**
 * Returns the score of the AI, also if a person's score counts instead. If there is no record of a scoring, this is the
 * score that the result had when the person set theirs.
 */
export function computedScore({ score, scoring }: ResultDetails, review: ScoreReview): number | null {
  const decision = findScoreDecision(review, null);
  return decision ? (scoring?.score_ai ?? decision.score_ai) : score;
}

type HeadlineProps = { result: ResultDetails; review: ScoreReview; evidence: Evidence };

/**
 * Shows the score on its scale and the meaning of the score, or says why there is no score. The score links to the
 * criteria or the answers that support it.
 */
export function Headline({ result, review, evidence }: HeadlineProps): VNode {
  const { score, scoring } = result;
  if (score === null) return <NoScore result={result} evidence={evidence} />;
  const bracket = bracketOf(score / review.max_score);
  const decision = findScoreDecision(review, null);
  const computed = computedScore(result, review);
  const hasQuotes = evidence.session.some(({ foundIn }) => foundIn !== undefined);
  const source = hasQuotes ? '#session-criteria' : '#answer-scores';
  const hasChoices = evidence.parts.some(({ part }) => part.answer_mode === 'choice');
  const usedModel = scoring?.model !== null;
  return (
    <>
      <p class="lead">
        <strong class="score">
          <a href={source}>{roundedText(score)}</a>
        </strong>{' '}
        of {roundedText(review.max_score)} <BracketBadge bracket={bracket} />
      </p>
      {decision && (
        <p>
          Set by <bdi>{decision.decided_by ?? 'a person'}</bdi>, <Time at={decision.decided_at} />. The
          computed score is{' '}
          {computed === null ? 'missing' : `${roundedText(computed)} of ${roundedText(review.max_score)}`}.
        </p>
      )}
      {!decision && usedModel && <p class="soft">{bracketMeaning[bracket]}</p>}
      {hasChoices && <p class="soft">Choices are scored by their key, without AI.</p>}
      {usedModel && typeof scoring?.spread === 'number' && (
        <p class="soft">
          Each {hasChoices && 'other '}answer was assessed three times. These assessments{' '}
          {scoring.spread === 0 ? 'agree' : `differ by up to ${roundedText(scoring.spread)} points of 10`}.
        </p>
      )}
    </>
  );
}

/** Says why a result has no score. */
function NoScore({ result, evidence }: Pick<HeadlineProps, 'result' | 'evidence'>): VNode {
  const { result_status, processing_status, scoring } = result;
  if (processing_status === 'failed')
    return (
      <p class="lead bad">
        <Badge tone="bad">Scoring failed</Badge> {scoring?.failure ? `${scoring.failure}. ` : ''}Use “Score
        again” to repeat it.
      </p>
    );
  if (result_status !== 'active') return <p class="lead">No score: the answers are not submitted yet.</p>;
  if (processing_status !== 'completed') return <p class="lead">Not scored yet. Scoring is in progress.</p>;
  if (scoring?.state !== 'scored') return <p class="lead">No score.</p>;
  const unscored = evidence.parts.filter(({ part, assessed }) => assessed && part.score === null);
  const [label, sentence] = noScoreReason(unscored.map(({ assessed }) => assessed?.reason));
  return (
    <p class="lead warn">
      <Badge tone="warn">{label}</Badge> {sentence}
    </p>
  );
}

/** Shows the progress of the latest scoring that a person requested. The page reloads this part by itself. */
export function ScoringProgress({
  result: { interview_result_id: id, scoring },
}: {
  result: ResultDetails;
}): VNode | null {
  if (!scoring || scoring.run === 1) return null;
  const { run, state, requested_at, ended_at, failure } = scoring;
  if (state === 'queued' || state === 'running')
    return (
      <p class="note" role="status">
        <Badge tone="warn">{state === 'queued' ? 'Queued' : 'Running'}</Badge> Scoring {run}, requested{' '}
        <Time at={requested_at} />. The scores below are those of the scoring before.
      </p>
    );
  if (state === 'failed')
    return (
      <p class="note" role="status">
        <Badge tone="bad">Failed</Badge> Scoring {run} ended <Time at={ended_at} />
        {failure && `: ${failure}`}. The earlier scores are kept.
      </p>
    );
  if (state !== 'scored') return null;
  return (
    <p class="note" role="status">
      <Badge tone="good">Scored again</Badge> Scoring {run} ended <Time at={ended_at} />.{' '}
      <Link to={`/results/${id}`}>Show the latest scores</Link>
    </p>
  );
}
