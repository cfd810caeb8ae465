import { oneLine } from '../../api/platform/text/one-line';
import { clamp, printQuestions, readableOrNull } from './printed-questions';
import type { ResultTexts } from './result-texts';
import type { PdfOptions, ResultToPrint } from './result-to-print';

export type Metric = { label: string; value: string; share: number | null };

const maxFiles = 200;

/** Returns the metrics of an attempt, and a bar with the score of each scored question. */
export function printAnalytics(
  result: ResultToPrint,
  { texts, format }: { texts: ResultTexts; format: (value: number) => string },
): { metrics: Metric[]; bars: Metric[] } {
  const metric = (label: string, value: number | null, of: number | null, unit = ''): Metric[] =>
    value === null
      ? []
      : [{ label, value: `${format(value)}${unit}`, share: of === null ? null : clamp(value / of) }];
  const scored = printQuestions(
    result.transcript,
    new Map(),
    { texts, format },
    {
      parts: { rubric: false, assessment: false, answers: false },
      isGrouped: true,
    },
  ).filter(({ score }) => score !== null);
  return {
    metrics: [
      ...metric(texts('answer_score'), result.score_answer, 5, ` / ${format(5)}`),
      ...metric(texts('coverage'), result.ai_interview_coverage_percentage, 100, ' %'),
      ...metric(texts('words_per_minute'), result.score_words_per_minute, null),
      ...metric(texts('pronunciation'), result.score_pronunciation, 100, ` / ${format(100)}`),
      ...metric(texts('sentiment'), result.score_sentiment, null),
    ],
    bars: scored.flatMap(({ label, score }) =>
      score ? [{ label, value: score.value, share: score.share }] : [],
    ),
  };
}

/** Returns the stored recordings of an attempt, with links to those that the options ask for. */
export function listFiles(
  result: ResultToPrint,
  options: PdfOptions,
  texts: ResultTexts,
  recordings: ReadonlyMap<string, string>,
): { label: string; url: string | null }[] {
  const file = (label: string, path: string | null, isLinked: boolean) =>
    path !== null && (options.files || isLinked)
      ? [{ label, url: (isLinked && recordings.get(path)) || null }]
      : [];
  return [
    ...file(texts('session_recording'), result.recording_local_path, options.session_recording),
    ...file(texts('introduction'), result.video_introduction_local_path, options.session_recording),
    ...result.transcript
      .filter(({ recording_local_path: path }) => path !== result.video_introduction_local_path)
      .flatMap(({ recording_local_path, question_asked, question_original }) =>
        file(
          `${texts('recording')}: ${readableOrNull(oneLine(question_asked ?? question_original ?? ''), 120) ?? ''}`,
          recording_local_path,
          options.answer_recording,
        ),
      ),
  ].slice(0, maxFiles);
}
