import type { VNode } from 'preact';
import type { ReviewedRun, ScoreReview } from '../../db/scoring/public';
import { Badge, Facts, Moment } from '../platform/site/elements';
import { partId } from './evidence';
import type { Evidence } from './evidence';
import { questionOf } from './result-transcript';
import type { ToPart } from './result-transcript';
import { number } from './result-words';

type RecordProps = { review: ScoreReview; evidence: Evidence; toPart: ToPart };

/** Shows the records of the scoring, the latest run first, and the scores that people have set. */
export function ScoringRecord({ review: { runs, decisions }, evidence, toPart }: RecordProps): VNode | null {
  if (runs.length === 0 && decisions.length === 0) return null;
  const [latest] = runs;
  const subject = (questionId: string | null): VNode => {
    const index = evidence.parts.findIndex(({ part }) => part.id === questionId);
    const part = evidence.parts[index]?.part;
    if (!part) return <>Result</>;
    return (
      <a href={toPart(index, partId(index))}>
        <bdi>{questionOf(part)}</bdi>
      </a>
    );
  };
  return (
    <>
      {decisions.length > 0 && (
        <>
          <h3>Scores set by people</h3>
          <ul class="plain-list">
            {decisions.map((decision) => (
              <li>
                {subject(decision.question_id)}:{' '}
                {decision.score === null ? 'computed score restored' : `set to ${number(decision.score)}`}{' '}
                {decision.score_ai !== null && `(computed: ${number(decision.score_ai)})`} by{' '}
                {decision.decided_by} <Moment at={decision.decided_at} />
                <p class="said">{decision.reason}</p>
              </li>
            ))}
          </ul>
        </>
      )}
      {runs.map((run) => (
        <details id={`scoring-${run.run}`}>
          <summary>
            Scoring {run.run}: <Badge tone={run.state === 'failed' ? 'bad' : undefined}>{run.state}</Badge>
            {run === latest && runs.length > 1 && ' (latest)'}
          </summary>
          <Run run={run} subject={subject} />
        </details>
      ))}
    </>
  );
}

function Run({ run, subject }: { run: ReviewedRun; subject: (id: string | null) => VNode }): VNode {
  const { failure, tokens, cost_usd, seconds, verified_share: share, changes } = run;
  return (
    <Facts
      entries={[
        ['Requested', <Moment at={run.requested_at} />],
        ['Requested by', run.requested_by ?? 'The submit'],
        ['Ended', <Moment at={run.ended_at} />],
        ['Duration', seconds === null ? null : `${number(seconds)} s`],
        failure !== null && ['Failure', failure],
        ['Computed score', number(run.score)],
        ['Samples', run.samples],
        ['Spread of samples (of 10)', number(run.spread)],
        ['Quotes found in the answers', share === null ? null : `${Math.round(share * 100)}%`],
        ['Needs review', run.needs_review === null ? null : run.needs_review ? 'Yes' : 'No'],
        ['Model', run.model],
        ['Prompts', run.prompt_version],
        ['Rubric', run.rubric_version],
        ['Tokens', tokens === null ? null : tokens.toLocaleString('en-US')],
        ['Cost', cost_usd === null ? null : `$${cost_usd.toFixed(4)}`],
        [
          'Changed',
          changes.length === 0 ? (
            'Nothing'
          ) : (
            <ul class="plain-list">
              {changes.map(({ field, question_id, from, to }) => (
                <li>
                  {question_id !== null && <>{subject(question_id)}: </>}
                  {field.replaceAll('_', ' ')}
                  {(from !== null || to !== null) && ` from ${shown(from)} to ${shown(to)}`}
                </li>
              ))}
            </ul>
          ),
        ],
      ]}
    />
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}
