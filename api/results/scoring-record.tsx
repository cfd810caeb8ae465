import type { VNode } from 'preact';
import type { ReviewedRun, ScoreReview } from '../../db/scoring/public';
import { Badge, Facts, TimeWithRelative } from '../platform/site/elements';
import { partElementId } from './evidence';
import type { Evidence, PartHref } from './evidence';
import { questionOf } from './result-transcript';
import { roundedText } from './result-words';

type RecordProps = { review: ScoreReview; evidence: Evidence; toPart: PartHref };

/** Shows what the latest scoring changed, and the records of all scorings, the latest first. */
export function ScoringRecord({ review: { runs }, evidence, toPart }: RecordProps): VNode | null {
  const [latest] = runs;
  if (!latest) return null;
  const subject = subjectOf(evidence, toPart);
  const last = runs.find(({ state }) => state === 'scored');
  return (
    <>
      {last && last.run > 1 && (
        <section id="changes">
          <h3>Changed by scoring {last.run}</h3>
          <Changes run={last} subject={subject} />
        </section>
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

export type RenderSubject = (questionId: string | null) => VNode;

/**
 * Returns a function that renders a link to the answer with this question id, or `Result` if there is no such answer.
 */
export const subjectOf =
  (evidence: Evidence, toPart: PartHref): RenderSubject =>
  (questionId) => {
    const index = evidence.parts.findIndex(({ part }) => part.id === questionId);
    const part = evidence.parts[index]?.part;
    if (!part) return <>Result</>;
    return (
      <a href={toPart(index, partElementId(index))}>
        <bdi>{questionOf(part)}</bdi>
      </a>
    );
  };

/** The names of changed fields. Other fields are shown as they are stored, with spaces. */
const fieldNames: Readonly<Record<string, string>> = {
  score_answer_ai: 'computed score',
  score_answer: 'mean score of the answers',
  score_text: 'rating',
  ai_analysis: 'text for the candidate',
  ai_analysis_recruiter: 'text for the recruiter',
  ai_analysis_recruiter_score: 'score of the session',
  ai_analysis_other: 'strengths, concerns and other analyses',
};

const Changes = ({ run: { changes }, subject }: { run: ReviewedRun; subject: RenderSubject }): VNode =>
  changes.length === 0 ? (
    <p class="soft">Nothing</p>
  ) : (
    <ul class="plain-list">
      {changes.map(({ field, question_id, from, to }) => (
        <li>
          {question_id !== null && <>{subject(question_id)}: </>}
          {fieldNames[field] ?? field.replaceAll('_', ' ')}
          {(from !== null || to !== null) && ` from ${shown(from)} to ${shown(to)}`}
        </li>
      ))}
    </ul>
  );

function Run({ run, subject }: { run: ReviewedRun; subject: RenderSubject }): VNode {
  const { failure, tokens, cost_usd, seconds, verified_share: share } = run;
  return (
    <Facts
      entries={[
        ['Requested', <TimeWithRelative at={run.requested_at} />],
        ['Requested by', run.requested_by ?? 'The submit'],
        ['Ended', <TimeWithRelative at={run.ended_at} />],
        ['Duration', seconds === null ? null : `${roundedText(Math.round(seconds * 10) / 10)} s`],
        failure !== null && ['Failure', failure],
        ['Computed score', roundedText(run.score)],
        ['Samples', run.samples],
        ['Spread of samples (of 10)', roundedText(run.spread)],
        ['Quotes found in the answers', share === null ? null : `${Math.round(share * 100)}%`],
        ['Needs review', run.needs_review === null ? null : run.needs_review ? 'Yes' : 'No'],
        ['Model', run.model],
        ['Prompts', run.prompt_version],
        ['Rubric', run.rubric_version],
        ['Tokens', tokens === null ? null : tokens.toLocaleString('en-US')],
        ['Cost', cost_usd === null ? null : `$${cost_usd.toFixed(4)}`],
        ['Changed', <Changes run={run} subject={subject} />],
      ]}
    />
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}
