import type { VNode } from 'preact';
import { markPassages } from '../../db/results/assessment';
import type { MarkedSegment } from '../../db/results/assessment';
import type { ScoreReview } from '../../db/scoring/public';
import { Badge, Pager } from '../platform/site/elements';
import { useVisitor } from '../platform/site/visitor-context';
import { ChosenOptions, Criteria } from './criteria';
import { partElementId } from './evidence';
import type { Evidence, LinkedPart, PassageMark, TranscriptEntry, PartHref } from './evidence';
import { Player } from './player';
import { duration, roundedText } from './result-words';
import type { ResultDetails } from './result-words';
import { ScoreForm } from './score-form';
import type { ScoreForms } from './score-form';
import { BracketBadge, findScoreDecision, Unscored } from './score-words';

/**
 * The maximum number of characters of a transcript on one page. Rendering two million of them blocked the process for
 * half a second.
 */
export const maxTranscriptCharacters = 200_000;

const charactersOf = ({
  question_asked,
  question_original,
  answer,
  ai_analysis_recruiter,
}: TranscriptEntry): number =>
  (question_asked ?? question_original ?? '').length +
  (answer ?? '').length +
  (ai_analysis_recruiter ?? '').length;

/** Returns the page number of each part of a transcript, counted from 0. */
function pageNumbers(transcript: readonly TranscriptEntry[]): number[] {
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

/** Returns a function that builds links to parts of the transcript, for use on page `offset` of the transcript. */
export function usePartLinks(result: ResultDetails, offset: number): PartHref {
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

type OfTranscript = {
  result: ResultDetails;
  evidence: Evidence;
  review: ScoreReview;
  offset: number;
  /** Undefined if the visitor cannot set scores of this result. */
  forms?: ScoreForms | undefined;
};

/**
 * Shows one page of the transcript, with its recordings, the highlighted evidence and the criteria of each answer.
 * Most transcripts have one page.
 */
export function Transcript({ result, evidence, review, offset, forms }: OfTranscript): VNode {
  const pages = pageNumbers(result.transcript);
  const toPart = usePartLinks(result, offset);
  const last = pages.at(-1);
  if (last === undefined) return <p class="soft">No transcript.</p>;
  const page = Math.min(offset, last);
  return (
    <div id="transcript">
      {evidence.parts.map(
        (linked, index) =>
          pages[index] === page && <Part {...{ result, linked, review, index, toPart, forms }} />,
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
    </div>
  );
}

/** The question of a part as it was asked. */
export const questionOf = ({ question_asked, question_original, view }: TranscriptEntry): string =>
  question_asked ?? question_original ?? view;

type OfPart = Pick<OfTranscript, 'result' | 'review' | 'forms'> & {
  linked: LinkedPart;
  index: number;
  toPart: PartHref;
};

const answerModes = { typed: 'Typed', audio: 'Spoken', video: 'Video' } as const;

function Part({ result, review, forms, linked, index, toPart }: OfPart): VNode {
  const { part, assessed, criteria, passages } = linked;
  const decision = findScoreDecision(review, part.id);
  const values = [
    part.score !== null && `Score: ${roundedText(part.score)} of 5`,
    decision && `set by ${decision.decided_by ?? 'a person'}`,
    decision && part.score_answer_ai !== null && `Computed score: ${roundedText(part.score_answer_ai)} of 5`,
    part.answer_mode !== null && part.answer_mode !== 'choice' && answerModes[part.answer_mode],
    part.answer_is_draft && 'As heard in the conversation, not from the recording',
    duration(part.duration),
  ].filter(Boolean);
  return (
    <article class="spoken" id={partElementId(index)}>
      {part.speaker !== null && (
        <p class="soft small">
          <bdi>{part.speaker}</bdi>, played by the AI
        </p>
      )}
      {part.ai_generated && part.speaker === null && <p class="soft small">Written by the AI</p>}
      <h3 dir="auto">{questionOf(part)}</h3>
      {part.answer !== null && <MarkedAnswer answer={part.answer} passages={passages} toPart={toPart} />}
      {assessed?.status === 'insufficient_evidence' && (
        <p>
          <Unscored reason={assessed.reason} isLong />
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
          {!!assessed.spread &&
            ` Repeated assessments differ by up to ${roundedText(assessed.spread)} points of 10.`}
        </p>
      )}
      {criteria.length > 0 && part.answer_mode === 'choice' ? (
        <ChosenOptions criteria={criteria} label={`Options: ${questionOf(part)}`} />
      ) : criteria.length > 0 ? (
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
      {forms && (assessed !== undefined || part.score !== null) && (
        <ScoreForm
          {...{ result, forms, decision }}
          questionId={part.id}
          place={index + 1}
          computed={part.score_answer_ai}
          max={5}
        />
      )}
    </article>
  );
}

/**
 * Shows an answer with its evidence highlighted. Each passage has a link to the criterion or claim that it supports.
 * Passages that overlap are one run, which is outlined as a whole when a link leads to one of them.
 */
const MarkedAnswer = (props: {
  answer: string;
  passages: LinkedPart['passages'];
  toPart: PartHref;
}): VNode => (
  <p class="answer" dir="auto">
    {toRuns(markPassages(props.answer, props.passages)).map((run) => {
      const pieces = run.map((piece) => <Piece piece={piece} toPart={props.toPart} />);
      return run[0]?.isMarked ? <span class="evidence">{pieces}</span> : pieces;
    })}
  </p>
);

type MarkedPiece = MarkedSegment<PassageMark>;

/** Joins the pieces of passages that overlap or contain each other. */
function toRuns(pieces: readonly MarkedPiece[]): MarkedPiece[][] {
  const runs: MarkedPiece[][] = [];
  for (const piece of pieces)
    if (piece.goesOn) runs.at(-1)?.push(piece);
    else runs.push([piece]);
  return runs;
}

const Piece = ({
  piece: { text, isMarked, bracket, starts, marks },
  toPart,
}: {
  piece: MarkedPiece;
  toPart: PartHref;
}): VNode => (
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
      <Back mark={mark} toPart={toPart} />
    ))}
  </>
);

function Back({ mark, toPart }: { mark: PassageMark; toPart: PartHref }): VNode {
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
