import type { VNode } from 'preact';
import { z } from 'zod';
import type { ScoreReview } from '../../db/scoring/public';
import { Badge, Code, Facts, Table } from '../platform/site/elements';
import { partId } from './evidence';
import type { Evidence, LinkedClaim, LinkedPart } from './evidence';
import { Quote, questionOf, useLinks } from './result-transcript';
import type { ToPart } from './result-transcript';
import { number } from './result-words';
import type { ResultDetails } from './result-words';
import { BracketBadge, bracketMeaning, flagWords, reasonWords } from './score-words';

type OfResult = { result: ResultDetails };

const analyses = z.object({
  score_rationale: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const shownElsewhere = new Set(['hiring_reasons', 'strengths_concerns', 'evidence', 'key_statement']);

/**
 * Shows the assessment: the score and what it means, flags for a person, strengths and concerns with their quotes, and
 * the score of each answer. Quotes and scores link to the transcript.
 */
export function Assessment(
  props: OfResult & { evidence: Evidence; review: ScoreReview; offset: number },
): VNode {
  const { result, evidence, review, offset } = props;
  const toPart = useLinks(result, offset);
  const { score_rationale, ...others } = analyses.loose().parse(result.ai_analysis_other ?? {});
  const more = Object.fromEntries(Object.entries(others).filter(([name]) => !shownElsewhere.has(name)));
  const [statement] = evidence.statement;
  return (
    <>
      <Headline result={result} review={review} bracket={score_rationale?.['bracket']} />
      <Flags result={result} />
      {statement && (
        <section id={statement.mark.claimId}>
          <h3>Key statement</h3>
          <Quote quoted={statement} toPart={toPart} />
        </section>
      )}
      <Text title="For the recruiter" text={result.ai_analysis_recruiter} />
      <div class="two">
        <Claims title="Strengths" claims={evidence.strengths} toPart={toPart} />
        <Claims title="Concerns" claims={evidence.concerns} toPart={toPart} />
      </div>
      <AnswerScores parts={evidence.parts} toPart={toPart} />
      {score_rationale && (
        <>
          <h3>Criteria of the whole session</h3>
          <Facts
            entries={Object.entries(score_rationale)
              .filter(([name]) => name !== 'bracket')
              .map(([name, value]) => [rationaleNames[name] ?? name, asText(value)])}
          />
        </>
      )}
      <Measures result={result} />
      <Text title="For the candidate" text={result.ai_analysis} />
      {Object.keys(more).length > 0 && (
        <details id="more-analyses">
          <summary>More analyses</summary>
          <Code label="More analyses" text={JSON.stringify(more)} />
        </details>
      )}
    </>
  );
}

const rationaleNames: Readonly<Record<string, string>> = {
  strong: 'Strong criteria met',
  moderate: 'Moderate criteria met',
  weak: 'Weak criteria met',
};
const bracketName = z.enum(['strong', 'moderate', 'weak']);

function Headline({ result, review, bracket }: OfResult & { review: ScoreReview; bracket: unknown }): VNode {
  const { score, score_text, scoring, processing_status } = result;
  const shown = bracketName.safeParse(bracket).data;
  if (score === null) {
    if (scoring?.state === 'scored')
      return (
        <p class="lead warn">
          <Badge tone="warn">Insufficient evidence</Badge> The candidate said too little to compute a score.
          This is not a low score.
        </p>
      );
    const why =
      processing_status === 'failed'
        ? `Scoring failed${scoring?.failure ? `: ${scoring.failure}` : '.'}`
        : 'No score yet.';
    return <p class="lead">{why}</p>;
  }
  const computed = scoring?.score_ai ?? null;
  return (
    <>
      <p class="lead">
        <strong class="score">{number(score)}</strong> of {number(review.max_score)}{' '}
        {shown ? <BracketBadge bracket={shown} /> : score_text && <Badge>{score_text}</Badge>}
      </p>
      {scoring !== null && computed !== null && computed !== score && (
        <p>
          A person has set this score. The computed score is {number(computed)} of {number(review.max_score)}.
        </p>
      )}
      {shown && <p class="soft">{bracketMeaning[shown]}</p>}
      {typeof scoring?.spread === 'number' && (
        <p class="soft">
          Each answer was assessed three times. These assessments differ by up to {number(scoring.spread)}{' '}
          points of 10.
        </p>
      )}
    </>
  );
}

/** Lists what a person should look at, in plain words. */
export function Flags({ result: { recruiter_risks } }: OfResult): VNode | null {
  if (recruiter_risks === null || recruiter_risks.length === 0) return null;
  return (
    <>
      <h3>Check before you decide</h3>
      <ul class="plain-list">
        {recruiter_risks.map(({ key, severity, confidence, note }) => {
          const words = flagWords(key);
          return (
            <li>
              <Badge tone={severity === 'issue' ? 'bad' : 'warn'}>
                {words?.title ?? key.replaceAll('_', ' ')}
              </Badge>{' '}
              {words?.advice ?? note}
              {typeof confidence === 'number' && ` (${Math.round(confidence * 100)}% confidence)`}
            </li>
          );
        })}
      </ul>
    </>
  );
}

type ClaimsProps = { title: string; claims: LinkedClaim[]; toPart: ToPart };
const Claims = ({ title, claims, toPart }: ClaimsProps): VNode | null =>
  claims.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul>
        {claims.map((claim) => (
          <li id={claim.mark.claimId}>
            <bdi>{claim.text}</bdi>
            <Quote quoted={claim} toPart={toPart} />
          </li>
        ))}
      </ul>
    </section>
  );

/** Lists the scored answers. Each links to its criteria in the transcript. */
function AnswerScores({ parts, toPart }: { parts: LinkedPart[]; toPart: ToPart }): VNode | null {
  const rows = parts.flatMap(({ part, assessed, criteria }, index) => {
    if (!assessed && part.score === null) return [];
    const met = criteria.filter((each) => each.met === 'yes' && each.bracket !== 'weak').length;
    const counted = criteria.filter(({ bracket }) => bracket !== 'weak').length;
    return [
      [
        <a href={toPart(index, partId(index))}>
          <bdi>{questionOf(part)}</bdi>
        </a>,
        part.score === null ? (
          <span title={reasonWords(assessed?.reason)}>
            <Badge tone="warn">Insufficient evidence</Badge>
          </span>
        ) : (
          `${number(part.score)} of 5`
        ),
        assessed?.bracket ? <BracketBadge bracket={assessed.bracket} /> : null,
        counted === 0 ? null : `${met} of ${counted}`,
        <>
          {assessed?.instructs && <Badge tone="bad">Instructions to the assessor</Badge>}{' '}
          {assessed?.needs_review && <Badge tone="warn">Needs review</Badge>}
        </>,
      ],
    ];
  });
  if (rows.length === 0) return null;
  return (
    <>
      <h3>Scores of answers</h3>
      <Table
        caption="Scores of answers"
        columns={['Question', 'Score', 'Rating', 'Criteria met', 'Flags']}
        rows={rows}
      />
    </>
  );
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const Text = ({ title, text }: { title: string; text: string | null }): VNode | null =>
  text === null ? null : (
    <>
      <h3>{title}</h3>
      <p class="said">{text}</p>
    </>
  );

/** Shows the figures that are computed or judged besides the score. Figures without a value are left out. */
function Measures({ result }: OfResult): VNode | null {
  const coverage = number(result.ai_interview_coverage_percentage);
  const entries = [
    ['Session (of 10)', number(result.ai_analysis_recruiter_score)],
    ['Answers (of 5)', number(result.score_answer)],
    ['Simulation (of 10)', number(result.score_simulation)],
    ['Sentiment (−1 to 1)', number(result.score_sentiment)],
    ['Words per minute', number(result.score_words_per_minute)],
    ['Pronunciation (of 100)', number(result.score_pronunciation)],
    ['Coverage', coverage && `${coverage}%`],
  ] as const;
  const known = entries.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return (
    <>
      <h3>Figures</h3>
      <Facts entries={known} />
    </>
  );
}
