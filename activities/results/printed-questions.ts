import { oneLine } from '../../api/platform/text/one-line';
import { markEvidence, readAssessment } from '../../db/results/assessment';
import type {
  AnswerAssessment,
  Bracket,
  Criterion,
  NumberedCriterion,
  Segment,
} from '../../db/results/assessment';
import type { PdfTurn, PdfScoreOverride } from '../../db/results/result-pdf';
import { allowLineBreaks } from '../platform/pdf-text';
import { findScoreOverride, describeDecision, actorName } from './printed-decision';
import type { LabeledValue, PrintFormat } from './printed-decision';
import { clampShare, truncate, fitForPrint, fitForPrintOrNull, maxUnbrokenWord } from './printed-text';
import type { TextKey } from './result-texts';
import type { ResultToPrint } from './result-to-print';

export type PrintedQuestion = {
  /** For example `Question 2`, or the label of a follow-up question. In a role-play, with the name of the speaker. */
  label: string;
  is_follow_up: boolean;
  text: string;
  /**
   * The score of the AI. `value` is a text such as `4.2 / 5`, and `share` the length of its bar from 0 to 1.
   */
  score: { value: string; share: number; bracket: Bracket | null; label: string } | null;
  /** Why the AI gave no score. */
  missing: string | null;
  /** The score that a person set instead, and who did so, when and why. */
  person: { value: string; name: string; facts: LabeledValue[] } | null;
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
  /** Null if the section does not show answers. `mode` says how it was given, except for a choice, and whether it is a draft. */
  answer: { segments: Segment[]; mode: string | null; is_empty: boolean; is_cut: boolean } | null;
  /** A link to the recording. */
  recording: { url: string; label: string } | null;
};

export type QuestionParts = { rubric: boolean; assessment: boolean; answers: boolean };

const maxQuestion = 2_000;
const maxSpeaker = 100;
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
const silentViews = new Set(['welcome', 'thank you', 'instructional video']);

/** A turn that the PDF shows. Turns with the same `key` are a question and its follow-ups, and share a number. */
type NumberedTurn = {
  turn: PdfTurn;
  key: string;
  label: string;
  isFollowUp: boolean;
  assessed: AnswerAssessment | undefined;
};

/** Returns the turns that have something to show, with the labels of their questions. */
export function numberTurns(
  transcript: readonly PdfTurn[],
  { texts }: Pick<PrintFormat, 'texts'>,
): NumberedTurn[] {
  const keys = new Set<string>();
  return transcript
    .filter(({ view, answer }) => !silentViews.has(view) || (answer !== null && answer !== ''))
    .slice(0, maxTurns)
    .map((turn) => {
      // The opening line of a role-play has no question. The reactions after it have the same original text.
      const key = turn.question_original_id ?? (turn.speaker && turn.question_original) ?? turn.id;
      const isFollowUp = keys.has(key);
      keys.add(key);
      return {
        turn,
        key,
        label: isFollowUp ? texts('follow_up') : texts('question', { number: keys.size }),
        isFollowUp,
        assessed: readAssessment(turn.answer_assessment_raw_data),
      };
    });
}

/**
 * Returns the questions and answers of an attempt in the order in which they were asked or, if `isGrouped`, with each
 * follow-up after its question. `linkTo` returns the address of the recording of a turn.
 */
export function printQuestions(
  { transcript, decisions }: Pick<ResultToPrint, 'transcript' | 'decisions'>,
  frame: PrintFormat,
  {
    parts,
    isGrouped,
    linkTo,
  }: { parts: QuestionParts; isGrouped: boolean; linkTo?: (turn: PdfTurn) => string | null },
): PrintedQuestion[] {
  let room = maxTranscript;
  const numbered = numberTurns(transcript, frame);
  const isScored = numbered.some(({ turn, assessed }) => assessed !== undefined || turn.score !== null);
  const printed = numbered.map((each) => {
    const { turn, key } = each;
    const limit = Math.min(maxAnswer, Math.max(room, maxLateAnswer));
    room -= Math.min((turn.answer ?? '').length, limit);
    const evidence = numbered
      .filter((other) => other.key === key)
      .flatMap((other) =>
        (other.assessed?.criteria ?? []).filter(({ turn_id }) => (turn_id ?? other.turn.id) === turn.id),
      );
    const decision = findScoreOverride(decisions, turn.id);
    const url = (parts.answers && linkTo?.(turn)) || null;
    return {
      key,
      question: printQuestion(each, frame, { parts, limit, isScored, evidence, decision, url }),
    };
  });
  if (!isGrouped) return printed.map(({ question }) => question);
  return [...new Set(printed.map(({ key }) => key))].flatMap((key) =>
    printed.filter((each) => each.key === key).map(({ question }) => question),
  );
}

function printQuestion(
  { turn, label, isFollowUp, assessed }: NumberedTurn,
  frame: PrintFormat,
  {
    parts,
    limit,
    isScored,
    evidence,
    decision,
    url,
  }: {
    parts: QuestionParts;
    limit: number;
    isScored: boolean;
    /**
     * The criteria that have their evidence in this answer. They can belong to the question or to one of its
     * follow-ups.
     */
    evidence: NumberedCriterion[];
    decision: PdfScoreOverride | undefined;
    url: string | null;
  },
): PrintedQuestion {
  const { texts, format } = frame;
  const criteria = assessed?.criteria ?? [];
  const bracket = assessed?.bracket ?? null;
  const answer = truncate(turn.answer ?? '', limit);
  const ofFive = (score: number) => `${format(score)} / ${format(5)}`;
  const computed = turn.score_answer_ai ?? (decision ? null : turn.score);
  const speaker = fitForPrintOrNull(turn.speaker && oneLine(turn.speaker), maxSpeaker);
  return {
    label: speaker === null ? label : `${label} · ${speaker}`,
    is_follow_up: isFollowUp,
    text: fitForPrint(turn.question_asked ?? turn.question_original ?? '', maxQuestion),
    score:
      computed === null
        ? null
        : {
            value: ofFive(computed),
            share: clampShare(computed / 5),
            bracket,
            label: bracket === null ? '' : texts(bracket),
          },
    missing: isScored && computed === null && !isFollowUp ? texts(reasonOf(turn, assessed)) : null,
    person:
      decision && turn.score !== null
        ? {
            value: ofFive(turn.score),
            name: actorName(decision, frame),
            facts: describeDecision(decision, frame),
          }
        : null,
    notes: assessed?.needs_review && !decision ? [texts('check')] : [],
    // The analysis of a scored answer lists the same criteria, so it is not printed in addition to them.
    analysis:
      parts.assessment && !(parts.rubric && criteria.length > 0)
        ? fitForPrintOrNull(turn.ai_analysis_recruiter, maxAnalysis)
        : null,
    criteria: parts.rubric ? criteria.map((each) => printCriterion(each, frame)) : [],
    answer: parts.answers
      ? {
          segments: markEvidence(answer, parts.rubric ? evidence : []).map((segment) => ({
            ...segment,
            text: allowLineBreaks(segment.text, maxUnbrokenWord),
          })),
          mode: modeOf(turn, frame),
          is_empty: answer.trim() === '',
          is_cut: answer.length < (turn.answer ?? '').length,
        }
      : null,
    recording: url === null ? null : { url, label: texts('recording') },
  };
}

const metLabels = { yes: 'met', no: 'not_met', unclear: 'unclear' } as const;
/** A weak item describes a poor answer, so "met" would read like praise. */
const weakLabels = { yes: 'applies', no: 'not_applies', unclear: 'unclear' } as const;

const printCriterion = (
  each: NumberedCriterion,
  { texts }: PrintFormat,
): PrintedQuestion['criteria'][number] => ({
  number: each.number,
  bracket: each.bracket,
  bracket_label: texts(each.bracket),
  met: each.met,
  met_label: texts((each.bracket === 'weak' ? weakLabels : metLabels)[each.met]),
  text: fitForPrint(oneLine(each.text), maxCriterion),
  // A choice is its own evidence, so its quote would repeat the option.
  quote:
    each.met === 'yes' && each.quote !== each.text
      ? fitForPrintOrNull(oneLine(each.quote ?? ''), maxQuote)
      : null,
});

const answerModes = { typed: 'typed_answer', audio: 'spoken_answer', video: 'video_answer' } as const;

function modeOf(
  { answer_mode: mode, answer_is_draft: isDraft }: PdfTurn,
  { texts }: PrintFormat,
): string | null {
  if (mode === null || mode === 'choice') return null;
  return isDraft ? `${texts(answerModes[mode])} · ${texts('heard_live')}` : texts(answerModes[mode]);
}

const reasons = {
  refused: 'unassessed',
  malformed: 'unassessed',
  too_long: 'unassessed',
  unavailable_transcript: 'no_transcript',
  no_answer: 'no_answer',
  no_rubric: 'no_rubric',
} as const;

/** Returns the text that says why an answer has no score. */
function reasonOf({ answer }: PdfTurn, assessed: AnswerAssessment | undefined): TextKey {
  const reason = assessed?.reason ?? '';
  if (Object.hasOwn(reasons, reason)) return reasons[reason as keyof typeof reasons];
  if (assessed?.status === 'insufficient_evidence') return 'none';
  return (answer ?? '').trim() === '' ? 'no_answer' : 'not_scored';
}
