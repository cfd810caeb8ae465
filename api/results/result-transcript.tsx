import type { VNode } from 'preact';
import { markPassages } from '../../db/results/assessment';
import { Badge, Pager } from '../platform/site/elements';
import { useVisitor } from '../platform/site/visitor-context';
import { partId } from './evidence';
import type { Evidence, LinkedClaim, LinkedCriterion, LinkedPart, Mark, Spoken } from './evidence';
import { Player } from './player';
import { duration, number } from './result-words';
import type { ResultDetails } from './result-words';
import { BracketBadge, reasonWords } from './score-words';

/** The most characters of a transcript on a page. Rendering two million of them blocked the process for half a second. */
export const maxTranscriptCharacters = 200_000;

const charactersOf = ({ question_asked, question_original, answer, ai_analysis_recruiter }: Spoken): number =>
  (question_asked ?? question_original ?? '').length +
  (answer ?? '').length +
  (ai_analysis_recruiter ?? '').length;

/** Returns the page number of each part of a transcript, counted from 0. */
function pageNumbers(transcript: readonly Spoken[]): number[] {
  let [page, characters] = [-1, Infinity];
  return transcript.map((part) => {
    characters += charactersOf(part);
    if (characters > maxTranscriptCharacters) {
      characters = charactersOf(part);
      page++;
    }
    return page;
  });
}

/** Returns the address of an element in a part, which may be on another page of the transcript. */
export type ToPart = (index: number, id: string) => string;

/** Returns a function that links to parts of the transcript from page number `offset`. */
export function useLinks(result: ResultDetails, offset: number): ToPart {
  const { href } = useVisitor();
  const pages = pageNumbers(result.transcript);
  const shown = Math.min(offset, pages.at(-1) ?? 0);
  return (index, id) => {
    const page = pages[index] ?? 0;
    if (page === shown) return `#${id}`;
    const query = { attempt: attemptOf(result), transcript: page || undefined };
    return `${href(`/results/${result.interview_result_id}`, query)}#${id}`;
  };
}

const attemptOf = ({ attempt, latest_attempt }: ResultDetails): number | undefined =>
  attempt === latest_attempt ? undefined : attempt;

type OfTranscript = { result: ResultDetails; evidence: Evidence; offset: number };

/**
 * Shows one page of the transcript, with its recordings, the highlighted evidence and the criteria of each answer.
 * Most transcripts have one page.
 */
export function Transcript({ result, evidence, offset }: OfTranscript): VNode {
  const pages = pageNumbers(result.transcript);
  const toPart = useLinks(result, offset);
  const last = pages.at(-1);
  if (last === undefined) return <p class="soft">No transcript.</p>;
  const page = Math.min(offset, last);
  return (
    <>
      {evidence.parts.map(
        (linked, index) =>
          pages[index] === page && <Part result={result} linked={linked} index={index} toPart={toPart} />,
      )}
      {last > 0 && (
        <Pager
          path={`/results/${result.interview_result_id}`}
          total={last + 1}
          limit={1}
          offset={page}
          offsetName="transcript"
          query={{ attempt: attemptOf(result) }}
        />
      )}
    </>
  );
}

/** The question of a part as it was asked. */
export const questionOf = ({ question_asked, question_original, view }: Spoken): string =>
  question_asked ?? question_original ?? view;

type OfPart = { result: ResultDetails; linked: LinkedPart; index: number; toPart: ToPart };

function Part({ result, linked, index, toPart }: OfPart): VNode {
  const { part, assessed, criteria, passages } = linked;
  const isUnscored = assessed?.status === 'insufficient_evidence';
  const values = [
    part.score !== null && `Score: ${number(part.score)} of 5`,
    part.score_answer_ai !== null &&
      part.score_answer_ai !== part.score &&
      `Computed score: ${number(part.score_answer_ai)} of 5`,
    duration(part.duration),
  ].filter(Boolean);
  return (
    <article class="spoken" id={partId(index)}>
      <h3 dir="auto">{questionOf(part)}</h3>
      {part.answer !== null && <MarkedAnswer answer={part.answer} passages={passages} toPart={toPart} />}
      {isUnscored && (
        <p>
          <Badge tone="warn">Insufficient evidence</Badge> {reasonWords(assessed?.reason)}
        </p>
      )}
      {(values.length > 0 || assessed?.bracket) && (
        <p class="soft small">
          {assessed?.bracket && <BracketBadge bracket={assessed.bracket} />} {values.join(' · ')}
        </p>
      )}
      {assessed?.instructs && (
        <p class="small">
          <Badge tone="bad">Instructions to the assessor</Badge> Not counted as evidence.
        </p>
      )}
      {assessed?.needs_review && (
        <p class="small">
          <Badge tone="warn">Needs review</Badge>
          {typeof assessed.spread === 'number' &&
            ` Repeated assessments differ by up to ${number(assessed.spread)} points of 10.`}
        </p>
      )}
      {criteria.length > 0 ? (
        <Criteria criteria={criteria} toPart={toPart} label={`Criteria: ${questionOf(part)}`} />
      ) : (
        part.ai_analysis_recruiter && <p class="soft">{part.ai_analysis_recruiter}</p>
      )}
      <Player
        result={result}
        part={part}
        url={part.recording_url}
        isVideo={part.recording_is_video === true}
        label={`Answer: ${questionOf(part)}`}
      />
    </article>
  );
}

/**
 * Shows an answer with its evidence highlighted. Each passage has a link to the criterion or claim that it supports.
 */
export const MarkedAnswer = (props: {
  answer: string;
  passages: LinkedPart['passages'];
  toPart: ToPart;
}): VNode => (
  <p class="answer" dir="auto">
    {markPassages(props.answer, props.passages).map(({ text, isMarked, bracket, starts, marks }) => (
      <>
        {isMarked ? (
          <mark class={bracket ?? undefined}>
            {starts.map(({ passageId }) => (
              <span id={passageId} />
            ))}
            {text}
          </mark>
        ) : (
          text
        )}
        {marks.map((mark) => (
          <Back mark={mark} toPart={props.toPart} />
        ))}
      </>
    ))}
  </p>
);

function Back({ mark, toPart }: { mark: Mark; toPart: ToPart }): VNode {
  const { claimId, label, name, criterionOf } = mark;
  return (
    <sup>
      <a
        class="mark-link"
        href={criterionOf === undefined ? `#${claimId}` : toPart(criterionOf, claimId)}
        aria-label={name}
      >
        {label}
      </a>
    </sup>
  );
}

const verdicts = {
  yes: ['Met', 'good'],
  no: ['Not met', 'plain'],
  unclear: ['Unclear', 'warn'],
} as const;

const Criteria = (props: { criteria: LinkedCriterion[]; toPart: ToPart; label: string }): VNode => (
  <ol class="criteria" aria-label={props.label}>
    {props.criteria.map((each) => {
      const [word, tone] = verdicts[each.met];
      return (
        <li id={each.mark.claimId}>
          <Badge tone={each.met === 'yes' && each.bracket === 'weak' ? 'warn' : tone}>{word}</Badge>{' '}
          <span class="soft small">{each.bracket}</span> <bdi>{each.text}</bdi>
          {each.met === 'yes' && <Quote quoted={each} toPart={props.toPart} />}
        </li>
      );
    })}
  </ol>
);

/** Shows a quote as a link to its highlighted passage, or as text if the transcript does not have it. */
export function Quote({
  quoted,
  toPart,
}: {
  quoted: LinkedCriterion | LinkedClaim;
  toPart: ToPart;
}): VNode | null {
  const { quote, foundIn, mark } = quoted;
  if (!quote && foundIn === undefined) return null;
  const text = <bdi>{quote ? `“${quote}”` : 'Show in the transcript'}</bdi>;
  return (
    <div class="quote">
      {foundIn === undefined ? (
        <span class="soft">{text} (not in the transcript)</span>
      ) : (
        <a href={toPart(foundIn, mark.passageId)}>{text}</a>
      )}
    </div>
  );
}
