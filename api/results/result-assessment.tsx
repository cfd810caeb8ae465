import type { VNode } from 'preact';
import { z } from 'zod';
import { brackets, storedDepartments } from '../../db/results/public';
import type { ScoreReview } from '../../db/scoring/public';
import { Badge, Code, Facts, Table } from '../platform/site/elements';
import { Criteria, PassageLinks, Quote } from './criteria';
import { partElementId } from './evidence';
import type { Evidence, LinkedClaim, LinkedCriterion, LinkedPart, PartHref } from './evidence';
import { Measures, ScoreParts } from './result-figures';
import { questionOf, usePartLinks } from './result-transcript';
import { roundedText } from './result-words';
import type { ResultDetails } from './result-words';
import { ScoreForm } from './score-form';
import type { ScoreForms } from './score-form';
import { computedScore, Headline } from './score-headline';
import { BracketBadge, findScoreDecision, flagWords, Unscored } from './score-words';
import { Takeaways } from './takeaways';

type OfResult = { result: ResultDetails };

const analyses = z.object({
  score_rationale: z.record(z.string(), z.unknown()).optional().catch(undefined),
  resume_rationale: z.record(z.string(), z.unknown()).optional().catch(undefined),
  multi_department: storedDepartments,
  score_parts: z
    .array(z.object({ part: z.string(), score: z.number(), weight: z.number() }))
    .optional()
    .catch(undefined),
});
const shownElsewhere = new Set([
  'hiring_reasons',
  'strengths_concerns',
  'evidence',
  'key_statement',
  'session_criteria',
  'resume_criteria',
  'takeaways',
]);

/**
 * Shows the assessment: the score and what it means, flags for a person, strengths and concerns with their quotes, and
 * the score of each answer. Quotes and scores link to the transcript.
 */
export function Assessment(
  props: OfResult & {
    evidence: Evidence;
    review: ScoreReview;
    offset: number;
    /** Undefined if the visitor cannot set scores of this result. */
    forms?: ScoreForms | undefined;
  },
): VNode {
  const { result, evidence, review, offset, forms } = props;
  const toPart = usePartLinks(result, offset);
  const {
    score_rationale,
    resume_rationale,
    multi_department: departments,
    score_parts: parts = [],
    ...others
  } = analyses.loose().parse(result.ai_analysis_other ?? {});
  const more = Object.fromEntries(Object.entries(others).filter(([name]) => !shownElsewhere.has(name)));
  const [statement] = evidence.statement;
  return (
    <>
      <Headline {...{ result, review, evidence }} />
      {forms && (
        <ScoreForm
          {...{ result, forms }}
          computed={computedScore(result, review)}
          max={review.max_score}
          decision={findScoreDecision(review, null)}
        />
      )}
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
      <Departments departments={departments} />
      <Takeaways result={result} toPart={toPart} />
      <AnswerScores parts={evidence.parts} review={review} toPart={toPart} />
      <CriteriaMet
        id="session-criteria"
        title="Criteria of the whole session"
        rationale={score_rationale}
        criteria={evidence.session}
        toPart={toPart}
      />
      <CriteriaMet
        id="resume-criteria"
        title="Criteria of the résumé"
        rationale={resume_rationale}
        criteria={evidence.resume}
        toPart={toPart}
        elsewhere="in the résumé"
      />
      <ScoreParts parts={parts} />
      <Measures
        result={result}
        max={review.max_score}
        hasSession={evidence.session.some(({ foundIn }) => foundIn !== undefined)}
      />
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

const fits = {
  strong: ['Strong fit', 'good'],
  partial: ['Partial fit', 'plain'],
  none: ['No evidence', 'warn'],
} as const;

/** Shows how the answers fit each department, with what was shown. */
function Departments({ departments }: { departments: z.output<typeof storedDepartments> }): VNode | null {
  if (departments.length === 0) return null;
  return (
    <section id="departments">
      <h3>Fit by department</h3>
      <ul class="plain-list">
        {departments.map(({ department, fit, text }) => {
          const [word, tone] = fits[fit];
          return (
            <li>
              <bdi>{department}</bdi> <Badge tone={tone}>{word}</Badge>
              {text !== null && (
                <p class="said" dir="auto">
                  {text}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Shows how many criteria of the session, or of the résumé, are met, and which. */
function CriteriaMet({
  id,
  rationale,
  ...list
}: {
  id: string;
  title: string;
  rationale: Record<string, unknown> | undefined;
  criteria: LinkedCriterion[];
  toPart: PartHref;
  elsewhere?: string;
}): VNode | null {
  if (!rationale) return null;
  return (
    <section id={id}>
      <h3>{list.title}</h3>
      <Facts
        entries={Object.entries({ ...rationaleNames, ...rationale }).flatMap(([name]) =>
          rationale[name] === undefined
            ? []
            : [[rationaleNames[name] ?? name, <Rationale value={rationale[name]} />] as const],
        )}
      />
      {list.criteria.length > 0 && <Criteria {...list} label={list.title} />}
    </section>
  );
}

const rationaleNames: Readonly<Record<string, string>> = {
  score: 'Score (of 10)',
  bracket: 'Rating',
  strong: 'Criteria met for a strong answer',
  moderate: 'Criteria met for a moderate answer',
  weak: 'Criteria met for a weak answer',
};

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

type ClaimsProps = { title: string; claims: LinkedClaim[]; toPart: PartHref };
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

/** Lists the scored answers. Each links to its criteria in the transcript, and to the passages that prove them. */
function AnswerScores(props: { parts: LinkedPart[]; review: ScoreReview; toPart: PartHref }): VNode | null {
  const { parts, review, toPart } = props;
  const rows = parts.flatMap(({ part, assessed, criteria }, index) => {
    if (!assessed && part.score === null) return [];
    const toCriteria = toPart(index, partElementId(index));
    const met = criteria.filter((each) => each.met === 'yes' && each.bracket !== 'weak').length;
    const counted = criteria.filter(({ bracket }) => bracket !== 'weak').length;
    const decision = findScoreDecision(review, part.id);
    return [
      [
        <a href={toCriteria}>
          <bdi>{questionOf(part)}</bdi>
        </a>,
        part.score === null ? (
          <Unscored reason={assessed?.reason} />
        ) : (
          <>
            <span class="word">
              <a href={toCriteria}>{roundedText(part.score)}</a> of 5
            </span>
            {decision && (
              <span class="soft small">
                {' '}
                (set by a person; computed: {roundedText(part.score_answer_ai) ?? 'none'})
              </span>
            )}
          </>
        ),
        assessed?.bracket ? <BracketBadge bracket={assessed.bracket} /> : null,
        counted === 0 ? null : <a href={toCriteria}>{`${met} of ${counted}`}</a>,
        <PassageLinks criteria={criteria} toPart={toPart} />,
        <>
          {assessed?.instructs && <Badge tone="bad">Instructions to the assessor</Badge>}{' '}
          {assessed?.needs_review && <Badge tone="warn">Needs review</Badge>}
        </>,
      ],
    ];
  });
  if (rows.length === 0) return null;
  return (
    <section id="answer-scores">
      <h3>Scores of answers</h3>
      <Table
        caption="Scores of answers"
        columns={['Question', 'Score', 'Rating', 'Criteria met', 'Quotes', 'Flags']}
        rows={rows}
      />
    </section>
  );
}

function Rationale({ value }: { value: unknown }): VNode {
  const bracket = brackets.find((each) => each === value);
  if (bracket) return <BracketBadge bracket={bracket} />;
  return <>{typeof value === 'string' ? value : JSON.stringify(value)}</>;
}

const Text = ({ title, text }: { title: string; text: string | null }): VNode | null =>
  text === null ? null : (
    <>
      <h3>{title}</h3>
      <p class="said" dir="auto">
        {text}
      </p>
    </>
  );
