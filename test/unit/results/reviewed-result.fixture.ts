import { resultDetailsExample } from '../../../api/results/result-example';
import type { ResultDetails } from '../../../api/results/result-words';
import type { ReviewedRun, ScoreReview } from '../../../db/scoring/public';

/* A scored result, and parts of its assessment, for tests of the review pages. */

export const turn = '01a1fcf7-b13e-74de-bd85-c2fc187618f1';
export const followUp = '01a1fcf7-b13e-74de-bd85-c2fc187618f2';
export const said = 'I led four people 👍 and we cut waste by half <b>here</b>.';
export const quoteOf = (quote: string) => ({
  quote,
  start: said.indexOf(quote),
  end: said.indexOf(quote) + quote.length,
});
export const criterion = (more: object) => ({
  id: 's1',
  bracket: 'strong',
  text: 'Names a figure.',
  met: 'yes',
  turn_id: turn,
  ...quoteOf('cut waste by half'),
  ...more,
});
const [spoken] = resultDetailsExample.transcript;

type Given = { raw?: unknown; answer?: string; analyses?: Record<string, unknown> | null; more?: object };
export const resultOf = ({ raw = null, answer = said, analyses = null, more = {} }: Given) =>
  ({
    ...resultDetailsExample,
    attempt: 1,
    latest_attempt: 1,
    attempt_count: 1,
    score: 7.5,
    score_answer: 4,
    ai_analysis_other: analyses,
    recruiter_risks: null,
    transcript: [
      { ...spoken, id: turn, answer, score: 4.2, score_answer_ai: 4.2, answer_assessment_raw_data: raw },
      {
        ...spoken,
        id: followUp,
        answer: 'We saved 20 tons.',
        score: null,
        score_answer_ai: null,
        answer_assessment_raw_data: null,
      },
    ],
    ...more,
  }) as unknown as ResultDetails;
export const scored = (criteria: object[], more = {}) => ({
  status: 'scored',
  bracket: 'strong',
  spread: 0.4,
  needs_review: false,
  instructs: false,
  criteria,
  ...more,
});
export const noReview: ScoreReview = { max_score: 10, runs: [], decisions: [] };
export const run: ReviewedRun = {
  run: 2,
  state: 'scored',
  failure: null,
  requested_at: '2026-07-01T10:00:00.000Z',
  requested_by: 'Olivia Brandt',
  ended_at: '2026-07-01T10:00:02.000Z',
  seconds: 1.26,
  model: 'model-1',
  prompt_version: 'answer/1',
  rubric_version: 'rubric/1:abc',
  samples: 7,
  spread: 0.4,
  verified_share: 0.95,
  needs_review: true,
  tokens: 12_345,
  cost_usd: 0.01234,
  score: 7.4,
  changes: [
    { field: 'score', question_id: null, from: 6.9, to: 7.4 },
    { field: 'score_answer_ai', question_id: turn, from: null, to: 4.2 },
    { field: 'ai_analysis', question_id: null, from: null, to: null },
  ],
};
