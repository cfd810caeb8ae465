import { z } from 'zod';
import { oneLine } from '../../api/platform/text/one-line';
import type { PdfTurn } from '../../db/results/result-pdf';
import type { PrintFormat } from './printed-decision';
import { printQuestions } from './printed-questions';
import type { PrintedQuestion } from './printed-questions';
import { clampShare, fitForPrintOrNull } from './printed-text';
import type { ResultTexts, TextKey } from './result-texts';
import type { PdfOptions, ResultToPrint } from './result-to-print';

type Metric = { label: string; value: string; share: number | null };

/** A bar for the score that the AI gave a question, or why it gave none, and the score that a person set instead. */
type Bar = Pick<PrintedQuestion, 'label' | 'score' | 'missing' | 'person'>;

const maxFiles = 200;

const scoreParts = z.object({
  score_parts: z.array(z.object({ part: z.string(), score: z.number(), weight: z.number() })).catch([]),
});

/** Returns the metrics of an attempt with their shares of the score, and a bar for each question. */
export function printAnalytics(
  result: ResultToPrint,
  frame: PrintFormat,
): { metrics: Metric[]; bars: Bar[] } {
  const { texts, format } = frame;
  const { score_parts: scored = [] } = scoreParts.safeParse(result.ai_analysis_other).data ?? {};
  const session = scored.find(({ part }) => part === 'session')?.score ?? null;
  const metric = (
    name: TextKey,
    value: number | null,
    { of = null, unit = '', part = null }: { of?: number | null; unit?: string; part?: string | null },
  ): Metric[] => {
    if (value === null) return [];
    const weight = scored.find((one) => one.part === part)?.weight;
    const label =
      weight === undefined
        ? texts(name)
        : `${texts(name)} · ${texts('score_share', { number: Math.round(weight * 100) })}`;
    return [{ label, value: `${format(value)}${unit}`, share: of === null ? null : clampShare(value / of) }];
  };
  const questions = printQuestions(result, frame, {
    parts: { rubric: false, assessment: false, answers: false },
    isGrouped: true,
  });
  return {
    metrics: [
      ...metric('answer_score', result.score_answer, { of: 5, unit: ` / ${format(5)}`, part: 'answers' }),
      ...metric('session_score', session, { of: 10, unit: ` / ${format(10)}`, part: 'session' }),
      ...metric('resume', scored.find(({ part }) => part === 'resume')?.score ?? null, {
        of: 10,
        unit: ` / ${format(10)}`,
        part: 'resume',
      }),
      ...metric('coverage', result.ai_interview_coverage_percentage, { of: 100, unit: ' %' }),
      ...metric('words_per_minute', result.score_words_per_minute, { part: 'cadence' }),
      ...metric('pronunciation', result.score_pronunciation, {
        of: 100,
        unit: ` / ${format(100)}`,
        part: 'pronunciation',
      }),
      ...metric('sentiment', result.score_sentiment, { part: 'sentiment' }),
    ],
    bars: questions
      .filter(({ score, missing, person }) => score !== null || missing !== null || person !== null)
      .map(({ label, score, missing, person }) => ({ label, score, missing, person })),
  };
}

/** Returns the résumé and the stored recordings of an attempt, with links to the recordings that the options ask for. */
export function listFiles(
  result: ResultToPrint,
  options: PdfOptions,
  texts: ResultTexts,
  { session, turn: linkTo }: { session: string; turn: (turn: PdfTurn) => string | null },
): { label: string; url: string | null }[] {
  const file = (label: string, path: string | null, url: string | null) =>
    path !== null && (options.files || url !== null) ? [{ label, url }] : [];
  const sessionUrl = options.session_recording ? session : null;
  return [
    ...file(
      `${texts('resume')}: ${fitForPrintOrNull(oneLine(result.resume_name ?? ''), 120) ?? ''}`,
      result.resume_name,
      null,
    ),
    ...file(texts('session_recording'), result.recording_local_path, sessionUrl),
    ...file(texts('introduction'), result.video_introduction_local_path, sessionUrl),
    ...result.transcript
      .filter(({ recording_local_path: path }) => path !== result.video_introduction_local_path)
      .flatMap((turn) =>
        file(
          `${texts('recording')}: ${fitForPrintOrNull(oneLine(turn.question_asked ?? turn.question_original ?? ''), 120) ?? ''}`,
          turn.recording_local_path,
          linkTo(turn),
        ),
      ),
  ].slice(0, maxFiles);
}
