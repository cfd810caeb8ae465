import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { pdfFonts } from '../../../activities/platform/pdf-fonts';
import { toPdfText } from '../../../activities/platform/pdf-text';
import { printResult } from '../../../activities/results/printed-result';
import type { PrintedResult } from '../../../activities/results/printed-result';
import type { PdfOptions, ResultToPrint } from '../../../activities/results/result-to-print';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import type { PdfTurn } from '../../../db/results/result-pdf';

const activities = path.resolve(__dirname, '../../../activities');
const source = ['platform/pdf-prelude.typ', 'results/result.typ']
  .map((file) => readFileSync(path.join(activities, file), 'utf8'))
  .join('');

/**
 * Compiles a document as the worker's thread does. With `ua-1`, Typst rejects a document with a letter that none of
 * the platform's fonts has.
 */
export function compileResult(
  printed: PrintedResult,
  { standard }: { standard?: 'ua-1' } = {},
): { pages: number; pdf: Buffer; headings: string } {
  const json = JSON.stringify(printed, (_key, value: unknown) =>
    typeof value === 'string' ? toPdfText(value) : value,
  );
  const { files, families } = pdfFonts(json);
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: files }] });
  const inputs = { data: json, fonts: JSON.stringify(families) };
  const strict = source.replace('text(font: fonts', 'text(font: fonts, fallback: false');
  const compiled = compiler.compile({ mainFileContent: standard ? strict : source, inputs });
  if (!compiled.result) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics));
  const pdf = compiler.pdf(compiled.result, standard ? { pdfStandard: standard } : { pdfTags: true });
  const headings = JSON.stringify(compiler.query(compiled.result, { selector: 'heading' }));
  return { pages: compiled.result.numOfPages, pdf, headings };
}

export const everySection: PdfOptions = {
  contact_details: true,
  ai_recruiter_assessment: true,
  ai_scoring_rubric: true,
  analytics: true,
  files: true,
  transcript: true,
  answer_recording: true,
  session_recording: true,
  group_by_question: false,
  anonymous: false,
};

const answer = 'First I look at what changed. We compared the traces of both releases.';
const quote = 'We compared the traces of both releases';
const criterion = (bracket: string, met: string) => ({
  id: `${bracket}1`,
  bracket,
  text: `Compares releases (${bracket})`,
  met,
  quote: met === 'yes' ? quote : null,
  start: met === 'yes' ? answer.indexOf(quote) : null,
  end: met === 'yes' ? answer.indexOf(quote) + quote.length : null,
});

export const session =
  '01a1fcf7-b13e-74de-bd85-c2fc18761800/production/01a1fcf7-b13e-74de-bd85-c2fc18761801/1/s.webm';

export const turn = (more: Partial<PdfTurn> = {}): PdfTurn => ({
  id: randomUUID(),
  is_answer: true,
  view: 'with listening',
  question_original_id: null,
  question_original: 'Why did it become slow?',
  question_asked: null,
  speaker: null,
  answer,
  answer_mode: 'audio',
  answer_is_draft: false,
  ai_analysis_recruiter: 'Compares with measurements.',
  score: 4.2,
  score_answer_ai: 4.2,
  answer_assessment_raw_data: {
    status: 'scored',
    bracket: 'strong',
    criteria: [criterion('weak', 'no'), criterion('strong', 'yes'), criterion('moderate', 'unclear')],
  },
  recording_local_path: null,
  ...more,
});

export const resultToPrint = (more: Partial<ResultToPrint> = {}): ResultToPrint => ({
  result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
  attempt: 2,
  is_test: true,
  submitted_at: '2026-11-20T10:00:00.000Z',
  merchant_name: 'Acme',
  time_zone: 'Europe/Amsterdam',
  interview_name: 'Backend engineer',
  candidate: { name: 'Ann Lind', email: 'ann@example.com', phone: '+31 20 123', external_id: 'C-1' },
  max_score: 10,
  score: 7.4,
  score_sentiment: 0.5,
  score_words_per_minute: 128,
  score_pronunciation: 88,
  score_answer: 3.9,
  ai_interview_coverage_percentage: 100,
  duration: 7_400,
  ai_completion_reason: 'all_questions_answered',
  stopped_because: null,
  ai_analysis_recruiter: 'Answers were on topic.\n\nSecond paragraph.',
  ai_analysis_other: {
    strengths_concerns: { strengths: ['Measures first'], concerns: ['Few examples'] },
    evidence: { strengths: [quote], concerns: [null] },
    key_statement: { quote },
  },
  recruiter_risks: [{ key: 'needs_review', severity: 'warning' }],
  recording_local_path: session,
  video_introduction_local_path: null,
  resume_name: null,
  transcript: [
    turn(),
    turn({
      question_original: 'And then?',
      answer: null,
      score: null,
      score_answer_ai: null,
      answer_assessment_raw_data: null,
    }),
  ],
  recruiter_go_next_round: null,
  recruiter_shortlist: false,
  user_feedback_recruiter: null,
  acts: {},
  decisions: [],
  ...more,
});

export const pageUrl = 'https://api.example.com/console/results/1?attempt=2';

export const printed = (
  more: Partial<ResultToPrint> = {},
  options: Partial<PdfOptions> = {},
  language: LanguageCode = 'en',
): PrintedResult => printResult(resultToPrint(more), language, { ...everySection, ...options }, { pageUrl });

/** Returns the questions in a section of an English PDF with everything. */
export const questionsOf = (title: string, more: Partial<ResultToPrint>) =>
  printed(more).sections.flatMap((section) =>
    section.kind === 'questions' && section.title === title ? section.questions : [],
  );
