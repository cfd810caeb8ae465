import { breakable } from '../platform/pdf-text';
import { markEvidence, readAssessment } from '../../db/results/assessment';
import type {
  AnswerAssessment,
  Bracket,
  Criterion,
  NumberedCriterion,
  Segment,
} from '../../db/results/assessment';
import type { ResultTexts } from './result-texts';

/** The data of a turn (a question and its answer) that a PDF can show. */
export type SpokenTurn = {
  id: string;
  is_answer: boolean;
  view: string;
  question_original_id: string | null;
  question_original: string | null;
  question_asked: string | null;
  answer: string | null;
  ai_analysis_recruiter: string | null;
  score: number | null;
  answer_assessment_raw_data: unknown;
  recording_local_path: string | null;
};

export type PrintedQuestion = {
  /** For example `Question 2`, or the label of a follow-up question. */
  label: string;
  is_follow_up: boolean;
  text: string;
  /** `value` is a text such as `4.2 / 5`, and `share` the length of its bar from 0 to 1. */
  score: { value: string; share: number; bracket: Bracket | null; label: string } | null;
  notes: string[];
  analysis: string | null;
  criteria: {
    number: number;
    bracket: Bracket;
    bracket_label: string;
    met: Criterion['met'];
    met_label: string;
    text: string;
    quote: string | null;
  }[];
  /** Null if the section does not show answers. */
  answer: { segments: Segment[]; is_empty: boolean; is_cut: boolean } | null;
  /** A link to the recording. */
  recording: { url: string; label: string } | null;
};

export type QuestionParts = { rubric: boolean; assessment: boolean; answers: boolean };

type Frame = { texts: ResultTexts; format: (value: number) => string };

const maxQuestion = 2_000;
const maxAnalysis = 5_000;
const maxCriterion = 500;
const maxQuote = 1_000;
/**
 * `maxAnswer` is also the portal's limit for an answer. When the answers together exceed `maxTranscript` characters,
 * each further answer is cut to `maxLateAnswer` characters.
 */
const maxAnswer = 20_000;
const maxTranscript = 300_000;
const maxLateAnswer = 300;
const maxTurns = 200;
/**
 * Words that are longer than this can be broken. A line fits this many of the widest letters in the normal font size.
 */
export const wordLimit = 36;

const silentViews = new Set(['welcome', 'thank you', 'instructional video']);

/**
 * Returns the questions and answers of an attempt in the order in which they were asked or, if `isGrouped`, with each
 * follow-up after its question.
 */
export function printQuestions(
  transcript: readonly SpokenTurn[],
  recordings: ReadonlyMap<string, string>,
  { texts, format }: Frame,
  { parts, isGrouped }: { parts: QuestionParts; isGrouped: boolean },
): PrintedQuestion[] {
  const asked = transcript
    .filter(({ view, answer }) => !silentViews.has(view) || (answer !== null && answer !== ''))
    .slice(0, maxTurns);
  const numbers = new Map<string, number>();
  let count = 0;
  let room = maxTranscript;
  const keyed = asked.map((turn) => ({
    turn,
    key: turn.question_original_id ?? turn.id,
    assessed: readAssessment(turn.answer_assessment_raw_data),
  }));
  const printed = keyed.map(({ turn, key, assessed }) => {
    const isFollowUp = numbers.has(key);
    if (!isFollowUp) numbers.set(key, ++count);
    const limit = Math.min(maxAnswer, Math.max(room, maxLateAnswer));
    room -= Math.min((turn.answer ?? '').length, limit);
    const evidence = keyed
      .filter((other) => other.key === key)
      .flatMap((other) =>
        (other.assessed?.criteria ?? []).filter(({ turn_id }) => (turn_id ?? other.turn.id) === turn.id),
      );
    const frame = { texts, format, parts, limit, isFollowUp, count, assessed, evidence };
    return { key, question: printQuestion(turn, recordings, frame) };
  });
  if (!isGrouped) return printed.map(({ question }) => question);
  return [...numbers.keys()].flatMap((key) =>
    printed.filter((each) => each.key === key).map(({ question }) => question),
  );
}

function printQuestion(
  turn: SpokenTurn,
  recordings: ReadonlyMap<string, string>,
  {
    texts,
    format,
    parts,
    limit,
    isFollowUp,
    count,
    assessed,
    evidence,
  }: Frame & {
    parts: QuestionParts;
    limit: number;
    isFollowUp: boolean;
    count: number;
    assessed: AnswerAssessment | undefined;
    /**
     * The criteria that have their evidence in this answer. They can belong to the question or to one of its
     * follow-ups.
     */
    evidence: NumberedCriterion[];
  },
): PrintedQuestion {
  const criteria = assessed?.criteria ?? [];
  const bracket = assessed?.bracket ?? null;
  const isInsufficient = assessed?.status === 'insufficient_evidence';
  const answer = cut(turn.answer ?? '', limit);
  const url = parts.answers ? recordings.get(turn.recording_local_path ?? '') : undefined;
  return {
    label: isFollowUp ? texts('follow_up') : texts('question', { number: count }),
    is_follow_up: isFollowUp,
    text: readable(turn.question_asked ?? turn.question_original ?? '', maxQuestion),
    score:
      turn.score === null
        ? null
        : {
            value: `${format(turn.score)} / ${format(5)}`,
            share: clamp(turn.score / 5),
            bracket,
            label: bracket === null ? '' : texts(bracket),
          },
    notes: [
      ...(isInsufficient ? [texts('insufficient')] : []),
      ...(assessed?.needs_review ? [texts('check')] : []),
    ],
    // The analysis of a scored answer lists the same criteria, so it is not printed in addition to them.
    analysis:
      parts.assessment && !(parts.rubric && criteria.length > 0)
        ? readableOrNull(turn.ai_analysis_recruiter, maxAnalysis)
        : null,
    criteria: parts.rubric
      ? criteria.map((each) => ({
          number: each.number,
          bracket: each.bracket,
          bracket_label: texts(each.bracket),
          met: each.met,
          met_label: texts(({ yes: 'met', no: 'not_met', unclear: 'unclear' } as const)[each.met]),
          text: readable(each.text, maxCriterion),
          quote: each.met === 'yes' ? readableOrNull(each.quote ?? null, maxQuote) : null,
        }))
      : [],
    answer: parts.answers
      ? {
          segments: markEvidence(answer, parts.rubric ? evidence : []).map((segment) => ({
            ...segment,
            text: breakable(segment.text, wordLimit),
          })),
          is_empty: answer.trim() === '',
          is_cut: answer.length < (turn.answer ?? '').length,
        }
      : null,
    recording: url === undefined ? null : { url, label: texts('recording') },
  };
}

export const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** Returns at most `limit` UTF-16 units, without half of a surrogate pair at the end. */
const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');

/** Returns a text that is cut to a limit and whose long words can be broken. */
export const readable = (text: string, limit: number): string => {
  const short = cut(text, limit);
  return breakable(short.length < text.length ? `${short}…` : short, wordLimit);
};
export const readableOrNull = (text: string | null, limit: number): string | null =>
  text === null || text.trim() === '' ? null : readable(text, limit);
