import path from 'node:path';
import { createPdfWriter } from '../activities/platform/pdf-writer';
import { printResult } from '../activities/results/printed-result';
import type { PdfOptions, ResultToPrint } from '../activities/results/result-to-print';
import type { LanguageCode } from '../db/platform/vocabulary';
import { createBars } from './bars';
import { machine, median, scaled } from './stack';

const template = path.join(__dirname, '../activities/results/result.typ');
const runs = scaled(20);
const goalMs = 150;
const pageUrl = 'https://console.example.com/console/results/1';

const transcriptOnly: PdfOptions = {
  contact_details: true,
  ai_recruiter_assessment: false,
  ai_scoring_rubric: false,
  analytics: false,
  files: false,
  transcript: true,
  answer_recording: false,
  session_recording: false,
  group_by_question: false,
  anonymous: false,
};
const everySection: PdfOptions = {
  ...transcriptOnly,
  ai_recruiter_assessment: true,
  ai_scoring_rubric: true,
  analytics: true,
  files: true,
};

const sentences: Partial<Record<LanguageCode, string>> = {
  en: 'First I look at what changed, and then I compare the traces of both releases. ',
  ar: 'أولًا أنظر إلى ما تغيّر ثم أقارن بين آثار الإصدارين. ',
  ja: 'まず何が変わったかを見て、二つのリリースのトレースを比較します。',
};

/** Returns a result with 60 answers of six sentences, each with a rubric of nine items. */
function sixtyTurns(language: LanguageCode): ResultToPrint {
  const sentence = sentences[language] ?? '';
  const answer = sentence.repeat(6).trim();
  const criteria = ['strong', 'moderate', 'weak'].flatMap((bracket) =>
    [1, 2, 3].map((number) => ({
      id: `${bracket}${number}`,
      bracket,
      text: sentence.trim(),
      met: number === 1 && bracket !== 'weak' ? 'yes' : 'no',
      quote: number === 1 ? answer.slice(0, 40) : null,
      start: number === 1 ? 0 : null,
      end: number === 1 ? 40 : null,
    })),
  );
  return {
    result_id: 'ffffffff-ffff-7fff-8fff-ffffffffffff',
    attempt: 1,
    is_test: false,
    submitted_at: new Date().toISOString(),
    merchant_name: 'Acme',
    time_zone: 'Europe/Amsterdam',
    interview_name: 'Backend engineer',
    candidate: { name: 'Ann Lind', email: 'ann@example.com', phone: null, external_id: null },
    max_score: 10,
    score: 7.4,
    score_sentiment: null,
    score_words_per_minute: 128,
    score_pronunciation: null,
    score_answer: 4,
    ai_interview_coverage_percentage: 100,
    ai_completion_reason: 'all_questions_answered',
    stopped_because: null,
    duration: 18_000,
    ai_analysis_recruiter: answer,
    ai_analysis_other: null,
    recruiter_risks: null,
    recording_local_path: null,
    video_introduction_local_path: null,
    resume_name: null,
    transcript: Array.from({ length: 60 }, (_, at) => ({
      id: String(at),
      is_answer: true,
      view: 'with listening',
      question_original_id: null,
      question_original: sentence.trim(),
      question_asked: null,
      speaker: null,
      answer,
      answer_mode: 'audio' as const,
      answer_is_draft: false,
      ai_analysis_recruiter: null,
      score: 4,
      score_answer_ai: 4,
      answer_assessment_raw_data: { status: 'scored', bracket: 'strong', criteria },
      recording_local_path: null,
    })),
    recruiter_go_next_round: null,
    recruiter_shortlist: false,
    user_feedback_recruiter: null,
    acts: {},
    decisions: [],
  };
}

/**
 * `npm run bench:pdf`: renders the PDF of 60 answers, first with the transcript alone, then with all sections. A
 * process renders several documents, as in the worker. Prints the median time.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bars = createBars();
  const pdfs = createPdfWriter({ onFailedTry: (reason) => console.log(reason) });
  for (const [name, options] of Object.entries({ transcript: transcriptOnly, 'all sections': everySection }))
    for (const language of ['en', 'ar', 'ja'] as const) {
      const result = sixtyTurns(language);
      const times: number[] = [];
      let bytes = 0;
      for (let run = 0; run < runs; run += 1) {
        const begun = performance.now();
        const document = printResult(result, language, options, { pageUrl });
        bytes = (await pdfs.write(template, document)).length;
        times.push(performance.now() - begun);
      }
      const p50 = median(times);
      console.log(`\n${name}, ${language}: ${(bytes / 1_000).toFixed(0)} KB`);
      if (options === transcriptOnly) bars.atMost('PDF of 60 answers, p50', p50, goalMs, ' ms');
      else console.log(`  p50 ${p50.toFixed(0)} ms`);
    }
  pdfs.close();
  bars.judge();
}

void main();
