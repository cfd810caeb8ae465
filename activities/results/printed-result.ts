import { z } from 'zod';
import { htmlLanguage } from '../../api/platform/text/html';
import { oneLine } from '../../api/platform/text/one-line';
import { writeDuration } from '../../api/platform/text/text-reader';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { bracketOf } from '../../db/results/assessment';
import type { Bracket } from '../../db/results/assessment';
import type { PdfTurn, PdfScoreOverride } from '../../db/results/result-pdf';
import { allowLineBreaks } from '../platform/pdf-text';
import { anonymize } from './anonymous';
import { printAssessment } from './printed-assessment';
import type { PrintedAssessment } from './printed-assessment';
import { findScoreOverride, describeOverride, printDecision } from './printed-decision';
import type { LabeledValue, PrintFormat, PrintedDecision } from './printed-decision';
import { listFiles, printAnalytics } from './printed-parts';
import { printQuestions } from './printed-questions';
import type { PrintedQuestion, QuestionParts } from './printed-questions';
import { clampShare, fitForPrint } from './printed-text';
import { resultTexts } from './result-texts';
import type { ResultTexts, TextKey } from './result-texts';
import type { PdfOptions, ResultToPrint } from './result-to-print';

/*
 * Turns a result into the data for the template (activities/results/result.typ), which only does the layout: numbers
 * are already formatted, and the lengths of bars are fractions of the full length.
 */

export type PrintedResult = {
  language: { code: string; region: string | null; dir: 'ltr' | 'rtl' };
  /** The labels that the template itself uses. */
  labels: Record<(typeof templateLabels)[number], string>;
  title: string;
  merchant: string;
  name: string;
  interview: string;
  /** The candidate, the interview and the merchant, short enough for one line of every page. */
  footer: string[];
  facts: LabeledValue[];
  score: {
    value: string;
    of: string;
    share: number;
    bracket: Bracket;
    label: string;
    /** What the score of the AI means. Null if a person set the score. */
    meaning: string | null;
    /** Who set the score, when and why, and the score of the AI. Empty if the score is the AI's. */
    facts: LabeledValue[];
  } | null;
  /** Says that a person should check the score. Null if a person has set it. */
  check: string | null;
  notes: string[];
  sections: PrintedSection[];
};

type PrintedSection =
  | { kind: 'facts'; title: string; facts: LabeledValue[] }
  | { kind: 'decision'; title: string; decision: PrintedDecision }
  | { kind: 'assessment'; title: string; assessment: PrintedAssessment }
  | { kind: 'questions'; title: string; legend: string | null; questions: PrintedQuestion[] }
  | ({ kind: 'analytics'; title: string } & ReturnType<typeof printAnalytics>)
  | { kind: 'files'; title: string; files: { label: string; url: string | null }[] };

const templateLabels = [
  'score', 'ai_score', 'set_by', 'note', 'no_answer', 'shortened', 'strengths', 'concerns', 'risks', 'key_statement',
  'question_scores', 'met', 'not_met', 'unclear', 'applies', 'not_applies', 'strong', 'moderate', 'weak', 'departments',
] as const; // prettier-ignore

const maxName = 200;
const maxFooterName = 40;
const titleWordLimit = 22;

/**
 * Returns the data for the template. Links to recordings lead to the result's page in the console, `pageUrl`: a reader
 * has to sign in to see or hear a candidate.
 */
export function printResult(
  source: ResultToPrint,
  language: LanguageCode,
  options: PdfOptions,
  { pageUrl }: { pageUrl: string },
): PrintedResult {
  const texts = resultTexts(language);
  const result = options.anonymous ? anonymize(source, texts('candidate')) : source;
  const { lang, dir } = htmlLanguage(language);
  const [code = 'en', region = null] = lang.split('-');
  const frame = frameOf(result, language);
  const name = candidateOf(result, texts);
  const link = (turn: PdfTurn) =>
    options.answer_recording && turn.recording_local_path !== null
      ? `${pageUrl}#part-${result.transcript.indexOf(turn) + 1}`
      : null;
  const sections = sectionsOf(result, options, frame, { session: pageUrl, turn: link });
  const hasLinks =
    (options.answer_recording && result.transcript.some((turn) => link(turn) !== null)) ||
    (options.session_recording &&
      (result.recording_local_path !== null || result.video_introduction_local_path !== null));
  const decision = findScoreOverride(result.decisions, null);
  const notes: TextKey[] = [
    ...(result.is_test ? (['test'] as const) : []),
    result.score === null ? 'no_score' : decision ? 'person_note' : 'ai_note',
    ...(hasLinks ? (['open_recordings'] as const) : []),
  ];
  return {
    language: { code, region, dir },
    labels: Object.fromEntries(templateLabels.map((key) => [key, texts(key)])) as PrintedResult['labels'],
    title: `${texts('report')}: ${oneLine(title(name))}`,
    merchant: title(result.merchant_name),
    name: title(name),
    interview: title(result.interview_name),
    footer: [name, result.interview_name, result.merchant_name].map((each) =>
      fitForPrint(oneLine(each), maxFooterName),
    ),
    facts: factsOf(result, language, texts),
    score: scoreOf(result, decision, frame),
    check: needsReview(result) && !decision ? texts('check') : null,
    notes: notes.map((key) => texts(key)),
    sections,
  };
}

function frameOf({ time_zone: timeZone }: ResultToPrint, language: LanguageCode): PrintFormat {
  const { lang } = htmlLanguage(language);
  // All numbers of a document share one formatter, because creating one takes a third of a millisecond.
  const numbers = new Intl.NumberFormat(lang, { maximumFractionDigits: 2 });
  const times = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle: 'short', timeZone });
  return {
    texts: resultTexts(language),
    format: (value) => numbers.format(value),
    formatTime: (instant) => times.format(new Date(instant)),
  };
}

const candidateOf = ({ candidate }: ResultToPrint, texts: ResultTexts): string =>
  candidate?.name || candidate?.email || texts('candidate');

function scoreOf(
  { score, max_score }: ResultToPrint,
  decision: PdfScoreOverride | undefined,
  frame: PrintFormat,
): PrintedResult['score'] {
  if (score === null) return null;
  const { texts, format } = frame;
  const bracket = bracketOf(score / max_score);
  return {
    value: format(score),
    of: format(max_score),
    share: clampShare(score / max_score),
    bracket,
    label: texts(bracket),
    meaning: decision ? null : texts(`${bracket}_meaning`),
    facts: decision ? describeOverride(decision, max_score, frame) : [],
  };
}

/** Returns the sections that the options ask for and that have content. */
function sectionsOf(
  result: ResultToPrint,
  options: PdfOptions,
  frame: PrintFormat,
  links: { session: string; turn: (turn: PdfTurn) => string | null },
): PrintedSection[] {
  const { texts } = frame;
  const { group_by_question: isGrouped, transcript: hasAnswers } = options;
  const hasRubric = options.ai_scoring_rubric || options.ai_recruiter_assessment;
  /** True if one section has the answers and what belongs to them. The transcript alone shows the scores itself. */
  const isWhole = hasAnswers && (isGrouped || !hasRubric);
  const questions = (parts: QuestionParts) =>
    printQuestions(result, frame, { parts, isGrouped, linkTo: links.turn });
  const assessed = questions({
    rubric: options.ai_scoring_rubric,
    assessment: options.ai_recruiter_assessment,
    answers: isWhole,
  });
  const hasWeak = assessed.some(({ criteria }) => criteria.some(({ bracket }) => bracket === 'weak'));
  const legend = hasWeak ? texts('weak_legend') : null;
  const decision = printDecision(result, frame);
  const all: (PrintedSection | false | undefined)[] = [
    options.contact_details && { kind: 'facts', title: texts('contact'), facts: contactOf(result, texts) },
    decision && { kind: 'decision', title: texts('decision'), decision },
    options.ai_recruiter_assessment && {
      kind: 'assessment',
      title: texts('assessment'),
      assessment: printAssessment(result, frame),
    },
    options.analytics && { kind: 'analytics', title: texts('analytics'), ...printAnalytics(result, frame) },
    {
      kind: 'questions',
      title: texts(isGrouped ? 'questions' : isWhole ? 'transcript' : 'rubric'),
      legend,
      questions: isWhole ? assessed : assessed.filter(hasContent),
    },
    hasAnswers &&
      !isWhole && {
        kind: 'questions',
        title: texts('transcript'),
        legend: null,
        // The transcript highlights the evidence, but does not repeat the criteria of the section above.
        questions: questions({ rubric: options.ai_scoring_rubric, assessment: false, answers: true }).map(
          (question) => ({ ...question, criteria: [], score: null, missing: null, person: null, notes: [] }),
        ),
      },
    (options.files || options.session_recording || (options.answer_recording && !hasAnswers)) && {
      kind: 'files',
      title: texts('files'),
      files: listFiles(result, options, texts, links),
    },
  ];
  return all
    .filter((section) => section !== false && section !== undefined)
    .filter((section) => !isEmpty(section));
}

const title = (text: string): string => allowLineBreaks(oneLine(fitForPrint(text, maxName)), titleWordLimit);

const risks = z.array(z.looseObject({ key: z.string() })).catch([]);
const needsReview = ({ recruiter_risks }: ResultToPrint): boolean =>
  risks.parse(recruiter_risks).some(({ key }) => key === 'needs_review');

function isEmpty(section: PrintedSection): boolean {
  if (section.kind === 'decision') return false;
  if (section.kind === 'facts') return section.facts.length === 0;
  if (section.kind === 'assessment') return section.assessment.is_empty;
  if (section.kind === 'questions') return section.questions.length === 0;
  if (section.kind === 'files') return section.files.length === 0;
  return section.metrics.length === 0 && section.bars.length === 0;
}

/** Returns whether a section without answers has something to print about this question. */
const hasContent = ({ criteria, analysis, score, missing, person, notes }: PrintedQuestion): boolean =>
  criteria.length > 0 || notes.length > 0 || [analysis, score, missing, person].some((each) => each !== null);

const factOf = (label: string, value: string | null | undefined): LabeledValue[] =>
  value ? [{ label, value: fitForPrint(oneLine(value), maxName) }] : [];

const contactOf = ({ candidate }: ResultToPrint, texts: ResultTexts): LabeledValue[] => [
  ...factOf(texts('email'), candidate?.email),
  ...factOf(texts('phone'), candidate?.phone),
  ...factOf(texts('reference'), candidate?.external_id),
];

/** Attempts that ended for another reason cannot be submitted, so they have no PDF. */
const endings: Partial<Record<NonNullable<ResultToPrint['ai_completion_reason']>, TextKey>> = {
  all_questions_answered: 'ended_all',
  time_over: 'ended_time',
  stopped_early: 'ended_early',
  left: 'ended_left',
};

function factsOf(result: ResultToPrint, language: LanguageCode, texts: ResultTexts): LabeledValue[] {
  const { submitted_at, duration, attempt, time_zone: timeZone, ai_completion_reason: reason } = result;
  const ended = result.stopped_because
    ? (`ended_${result.stopped_because}` as const)
    : reason && endings[reason];
  const { lang } = htmlLanguage(language);
  const date =
    submitted_at &&
    new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone }).format(new Date(submitted_at));
  const minutes = duration === null ? null : Math.max(1, Math.round(duration / 600));
  return [
    ...factOf(texts('date'), date),
    ...factOf(texts('duration'), minutes === null ? null : writeDuration(minutes, 'minute', language)),
    ...factOf(texts('ended'), ended && texts(ended)),
    ...(attempt > 1 ? factOf(texts('attempt'), new Intl.NumberFormat(lang).format(attempt)) : []),
  ];
}
