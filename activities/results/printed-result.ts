import { z } from 'zod';
import { htmlLanguage } from '../../api/platform/text/html';
import { oneLine } from '../../api/platform/text/one-line';
import { writeDuration } from '../../api/platform/text/text-reader';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { breakable } from '../platform/pdf-text';
import { bracketOf } from '../../db/results/assessment';
import type { Bracket } from '../../db/results/assessment';
import { listFiles, printAnalytics } from './printed-parts';
import type { Metric } from './printed-parts';
import { clamp, printQuestions, readable } from './printed-questions';
import type { PrintedQuestion } from './printed-questions';
import { printAssessment } from './printed-assessment';
import type { PrintedAssessment } from './printed-assessment';
import { resultTexts } from './result-texts';
import type { PdfOptions, ResultToPrint } from './result-to-print';

/*
 * Turns a result into the data for the template (activities/results/result.typ), which only does the layout: numbers
 * are already formatted, and the lengths of bars are fractions of the full length.
 */

type Fact = { label: string; value: string };

export type PrintedResult = {
  language: { code: string; region: string | null; dir: 'ltr' | 'rtl' };
  /** The labels that the template itself uses. */
  labels: Record<'score' | 'report' | 'no_answer' | 'shortened' | 'strengths' | 'concerns' | 'risks' | 'key_statement' | 'question_scores' | 'links', string>; // prettier-ignore
  title: string;
  merchant: string;
  name: string;
  interview: string;
  facts: Fact[];
  score: {
    value: string;
    of: string;
    share: number;
    bracket: Bracket;
    label: string;
    meaning: string;
  } | null;
  notes: string[];
  sections: PrintedSection[];
};

export type PrintedSection =
  | { kind: 'facts'; title: string; facts: Fact[] }
  | { kind: 'assessment'; title: string; assessment: PrintedAssessment }
  | { kind: 'questions'; title: string; questions: PrintedQuestion[] }
  | { kind: 'analytics'; title: string; metrics: Metric[]; bars: Metric[] }
  | { kind: 'files'; title: string; files: { label: string; url: string | null }[] };

const maxName = 200;
const titleWordLimit = 22;

/**
 * Returns the data for the template. `recordings` contains the signed address of each recording to which the PDF may
 * link, and `linksUntil` is the time when these addresses expire.
 */
export function printResult(
  result: ResultToPrint,
  language: LanguageCode,
  options: PdfOptions,
  { recordings, linksUntil }: { recordings: ReadonlyMap<string, string>; linksUntil: Date },
): PrintedResult {
  const texts = resultTexts(language);
  const { lang, dir } = htmlLanguage(language);
  // All numbers of a document share one formatter, because creating one takes a third of a millisecond.
  const numbers = new Intl.NumberFormat(lang, { maximumFractionDigits: 2 });
  const format = (value: number) => numbers.format(value);
  const frame = { texts, format };
  const { candidate, score, max_score } = result;
  const name = title(candidate?.name || candidate?.email || texts('candidate'));
  const [code = 'en', region = null] = lang.split('-');
  const sections = { rubric: options.ai_scoring_rubric, assessment: options.ai_recruiter_assessment };
  const questions = (answers: boolean, others: typeof sections) =>
    printQuestions(result.transcript, answers && options.answer_recording ? recordings : new Map(), frame, {
      parts: { ...others, answers },
      isGrouped: options.group_by_question,
    });
  const { group_by_question: isGrouped, transcript: hasAnswers } = options;
  const assessed = questions(isGrouped && hasAnswers, sections);
  const none = { rubric: false, assessment: false };
  const bracket = score === null ? null : bracketOf(score / max_score);
  const linked = [
    ...(options.session_recording ? [result.recording_local_path, result.video_introduction_local_path] : []),
    ...(options.answer_recording ? result.transcript.map((turn) => turn.recording_local_path) : []),
  ].filter((path) => path !== null && recordings.has(path));
  const all: (PrintedSection | false)[] = [
    options.contact_details && { kind: 'facts', title: texts('contact'), facts: contactOf(result, texts) },
    options.ai_recruiter_assessment && {
      kind: 'assessment',
      title: texts('assessment'),
      assessment: printAssessment(result),
    },
    options.analytics && { kind: 'analytics', title: texts('analytics'), ...printAnalytics(result, frame) },
    isGrouped
      ? { kind: 'questions', title: texts('questions'), questions: hasContent(assessed, hasAnswers) }
      : { kind: 'questions', title: texts('rubric'), questions: hasContent(assessed, false) },
    !isGrouped &&
      hasAnswers && {
        kind: 'questions',
        title: texts('transcript'),
        // The transcript highlights the evidence, but does not repeat the criteria of the section above.
        questions: questions(true, { ...none, rubric: options.ai_scoring_rubric }).map((question) => ({
          ...question,
          criteria: [],
          score: null,
          notes: [],
        })),
      },
    (options.files || options.session_recording || (options.answer_recording && !hasAnswers)) && {
      kind: 'files',
      title: texts('files'),
      files: listFiles(result, options, texts, recordings),
    },
  ];
  return {
    language: { code, region, dir },
    labels: {
      report: texts('report'),
      score: texts('score'),
      no_answer: texts('no_answer'),
      shortened: texts('shortened'),
      strengths: texts('strengths'),
      concerns: texts('concerns'),
      risks: texts('risks'),
      key_statement: texts('key_statement'),
      question_scores: texts('question_scores'),
      links:
        linked.length === 0 ? '' : texts('links_until', { date: linksUntil, timeZone: result.time_zone }),
    },
    title: `${texts('report')}: ${oneLine(name)}`,
    merchant: title(result.merchant_name),
    name,
    interview: title(result.interview_name),
    facts: factsOf(result, language, texts),
    score:
      score === null || bracket === null
        ? null
        : {
            value: format(score),
            of: format(max_score),
            share: clamp(score / max_score),
            bracket,
            label: texts(bracket),
            meaning: texts(`${bracket}_meaning`),
          },
    notes: [
      ...(result.is_test ? [texts('test')] : []),
      ...(score === null ? [texts('no_score')] : [texts('ai_note')]),
      ...(needsReview(result) ? [texts('check')] : []),
    ],
    sections: all.filter((section) => section !== false).filter((section) => !isEmpty(section)),
  };
}

const title = (text: string): string => breakable(oneLine(readable(text, maxName)), titleWordLimit);

const risks = z.array(z.looseObject({ key: z.string() })).catch([]);
const needsReview = ({ recruiter_risks }: ResultToPrint): boolean =>
  risks.parse(recruiter_risks).some(({ key }) => key === 'needs_review');

function isEmpty(section: PrintedSection): boolean {
  if (section.kind === 'facts') return section.facts.length === 0;
  if (section.kind === 'assessment') return section.assessment.is_empty;
  if (section.kind === 'questions') return section.questions.length === 0;
  if (section.kind === 'files') return section.files.length === 0;
  return section.metrics.length === 0 && section.bars.length === 0;
}

/**
 * Leaves out questions for which the section has nothing to print. With answers, the section prints every question.
 */
const hasContent = (questions: PrintedQuestion[], hasAnswers: boolean): PrintedQuestion[] =>
  questions.filter(
    ({ criteria, analysis, score, notes }) =>
      hasAnswers || criteria.length > 0 || analysis !== null || score !== null || notes.length > 0,
  );

const factOf = (label: string, value: string | null | undefined): Fact[] =>
  value ? [{ label, value: readable(oneLine(value), maxName) }] : [];

const contactOf = ({ candidate }: ResultToPrint, texts: ReturnType<typeof resultTexts>): Fact[] => [
  ...factOf(texts('email'), candidate?.email),
  ...factOf(texts('phone'), candidate?.phone),
  ...factOf(texts('reference'), candidate?.external_id),
];

function factsOf(
  result: ResultToPrint,
  language: LanguageCode,
  texts: ReturnType<typeof resultTexts>,
): Fact[] {
  const { submitted_at, duration, attempt, time_zone: timeZone } = result;
  const { lang } = htmlLanguage(language);
  const date =
    submitted_at &&
    new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone }).format(new Date(submitted_at));
  const minutes = duration === null ? null : Math.max(1, Math.round(duration / 600));
  return [
    ...factOf(texts('date'), date),
    ...factOf(texts('duration'), minutes === null ? null : writeDuration(minutes, 'minute', language)),
    ...(attempt > 1 ? factOf(texts('attempt'), new Intl.NumberFormat(lang).format(attempt)) : []),
  ];
}
