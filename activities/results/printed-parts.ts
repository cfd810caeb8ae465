import { oneLine } from '../../api/platform/text/one-line';
import type { Frame } from './printed-decision';
import { printQuestions } from './printed-questions';
import type { PrintedQuestion } from './printed-questions';
import { clamp, readableOrNull } from './printed-text';
import type { ResultTexts } from './result-texts';
import type { PdfOptions, ResultToPrint, SpokenTurn } from './result-to-print';

type Metric = { label: string; value: string; share: number | null };

/** A bar for the score that the AI gave a question, or why it gave none, and the score that a person set instead. */
type Bar = Pick<PrintedQuestion, 'label' | 'score' | 'missing' | 'person'>;

const maxFiles = 200;

/** Returns the metrics of an attempt, and a bar for each question. */
export function printAnalytics(result: ResultToPrint, frame: Frame): { metrics: Metric[]; bars: Bar[] } {
  const { texts, format } = frame;
  const metric = (label: string, value: number | null, of: number | null, unit = ''): Metric[] =>
    value === null
      ? []
      : [{ label, value: `${format(value)}${unit}`, share: of === null ? null : clamp(value / of) }];
  const questions = printQuestions(result, frame, {
    parts: { rubric: false, assessment: false, answers: false },
    isGrouped: true,
  });
  return {
    metrics: [
      ...metric(texts('answer_score'), result.score_answer, 5, ` / ${format(5)}`),
      ...metric(texts('coverage'), result.ai_interview_coverage_percentage, 100, ' %'),
      ...metric(texts('words_per_minute'), result.score_words_per_minute, null),
      ...metric(texts('pronunciation'), result.score_pronunciation, 100, ` / ${format(100)}`),
      ...metric(texts('sentiment'), result.score_sentiment, null),
    ],
    bars: questions
      .filter(({ score, missing, person }) => score !== null || missing !== null || person !== null)
      .map(({ label, score, missing, person }) => ({ label, score, missing, person })),
  };
}

/** Returns the stored recordings of an attempt, with links to those that the options ask for. */
export function listFiles(
  result: ResultToPrint,
  options: PdfOptions,
  texts: ResultTexts,
  { session, turn: linkTo }: { session: string; turn: (turn: SpokenTurn) => string | null },
): { label: string; url: string | null }[] {
  const file = (label: string, path: string | null, url: string | null) =>
    path !== null && (options.files || url !== null) ? [{ label, url }] : [];
  const sessionUrl = options.session_recording ? session : null;
  return [
    ...file(texts('session_recording'), result.recording_local_path, sessionUrl),
    ...file(texts('introduction'), result.video_introduction_local_path, sessionUrl),
    ...result.transcript
      .filter(({ recording_local_path: path }) => path !== result.video_introduction_local_path)
      .flatMap((turn) =>
        file(
          `${texts('recording')}: ${readableOrNull(oneLine(turn.question_asked ?? turn.question_original ?? ''), 120) ?? ''}`,
          turn.recording_local_path,
          linkTo(turn),
        ),
      ),
  ].slice(0, maxFiles);
}
