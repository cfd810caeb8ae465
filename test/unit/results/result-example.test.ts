import { computeScores } from '../../../activities/scoring/compute-scores';
import { answerAssessment, resultSummary, sessionAssessment } from '../../../activities/scoring/prompts';
import type { VerifiedJudgement } from '../../../activities/scoring/types';
import { resultDetails } from '../../../api/results/result-details';
import { resultDetailsExample as example } from '../../../api/results/result-example';
import type { AttemptInput } from '../../../db/scoring/attempt-input';
import type { StoredSample } from '../../../db/scoring/samples';

const [part] = example.transcript;
const turn_id = part?.id ?? '';
const answer = part?.answer ?? '';
const figures = 'We cut its error rate from two percent to a tenth of that';
const reason = 'every customer goes through it';
const questionRubric = {
  weak: ['Stays general'],
  moderate: ['Says why it matters'],
  strong: ['Measures the result', 'Names who was affected'],
};
const sessionRubric = {
  weak: ['Gives no example'],
  moderate: ['Gives reasons for choices'],
  strong: ['Works with figures', 'Learns from mistakes'],
};

/** The judgements of a sample: those named are met, with their quotes. */
const judgements = (rubric: typeof questionRubric, met: Record<string, string>): VerifiedJudgement[] =>
  (['weak', 'moderate', 'strong'] as const).flatMap((bracket) =>
    rubric[bracket].map((_text, index): VerifiedJudgement => {
      const criterion_id = `${bracket[0]}${index + 1}`;
      const quote = met[criterion_id];
      const nothing = { criterion_id, rejected: null, quote: null, start: null, end: null, turn_id: null };
      if (quote === undefined) return { ...nothing, met: 'no' };
      const start = answer.indexOf(quote);
      return { ...nothing, met: 'yes', quote, start, end: start + quote.length, turn_id };
    }),
  );
const sampleOf = (
  subject: 'answer' | 'session',
  prompt: { version: string; hash: string },
  own: VerifiedJudgement[],
): StoredSample[] =>
  [1, 2, 3].map((number) => ({
    subject,
    place: subject === 'answer' ? 1 : 0,
    number,
    sample: {
      judgements: own,
      instructs_the_assessor: false,
      prompt_version: prompt.version,
      prompt_hash: prompt.hash,
      model: example.scoring?.model,
      prompt_tokens: 1,
      completion_tokens: 1,
      repaired: 0,
      refused: null,
      polarity: null,
    },
  }));

const input: AttemptInput = {
  merchant_id: 'm',
  environment: 'production',
  interview_id: example.interview_id,
  type: 'interview',
  language: 'en',
  max_score: 10,
  coverage: example.ai_interview_coverage_percentage,
  session_rubric: sessionRubric,
  weights: null,
  names: [],
  persona: null,
  previous_steps: [],
  departments: [],
  resume: null,
  steps: [
    {
      place: 1,
      is_scored: true,
      question: part?.question_original ?? '',
      language: 'en',
      rubric: questionRubric,
      choices: null,
      knowledge_base_id: null,
      turns: [
        {
          turn_id,
          asked: part?.question_asked ?? '',
          answer,
          answer_kind: 'text',
          transcript_status: null,
          answer_original: 'Before the change.',
          confidence: null,
          duration: part?.duration ?? null,
        },
      ],
    },
  ],
};
const samples: StoredSample[] = [
  ...sampleOf('answer', answerAssessment, judgements(questionRubric, { m1: reason, s1: figures })),
  ...sampleOf('session', sessionAssessment, judgements(sessionRubric, { m1: reason, s1: figures })),
  {
    subject: 'summary',
    place: 0,
    number: 1,
    sample: {
      order: [1, 2, 3, 4],
      key_statement: 1,
      model: 'any',
      prompt_tokens: 1,
      completion_tokens: 1,
      prompt_version: resultSummary.version,
      prompt_hash: resultSummary.hash,
      refused: null,
    },
  },
];

describe('the example of job-interview-details', () => {
  it('has what the scoring writes about its answer', () => {
    const { scores, questions, facts } = computeScores(input, samples);
    const { risks, ...written } = scores;
    const { strengths_concerns: lists } = example.ai_analysis_other ?? {};
    expect(example).toMatchObject({
      ...written,
      recruiter_risks: risks,
    });
    expect(example.transcript[0]).toMatchObject(questions[0] ?? {});
    expect(example.scoring).toMatchObject({
      prompt_version: facts.prompt_version,
      rubric_version: facts.rubric_version,
      spread: facts.spread,
      verified_share: facts.verified_share,
      needs_review: facts.needs_review,
      score_ai: scores.score,
    });
    expect([example.ai_analysis_recruiter_why_hire, example.ai_analysis_recruiter_why_not_hire]).toEqual([
      lists?.strengths,
      lists?.concerns,
    ]);
  });

  it('has the published form', () => {
    const published = resultDetails.parse(example);
    expect(published).toEqual(example);
  });
});
