import { createHash } from 'node:crypto';
import { languageTexts } from '../../api/platform/text/language-texts';
import { isPractice } from '../../db/platform/vocabulary';
import { bracketOf } from '../../db/results/public';
import type { AttemptInput } from '../../db/scoring/attempt-input';
import type { StoredSample } from '../../db/scoring/samples';
import type { QuestionScores, RunFacts, RunScores } from '../../db/scoring/write-scores';
import { defaultThresholds, roundTo } from './combine';
import { composeRightChoices, addChoicesToTakeaways } from './compose-choices';
import { composeDepartments } from './compose-departments';
import { composeContradictions, composeSummary } from './compose-summary';
import { judgeSession, judgeSteps, resultFindings, resultParts, samplesOf } from './judged-steps';
import {
  joinGivenTexts,
  questionScoresOf,
  scoresOfUnscoredQuestions,
  feedbackWithoutQuotes,
} from './question-scores';
import { countMet, judgeResume, resumeAnalyses } from './resume';
import { findRisks } from './risks';
import {
  cadenceScore,
  pronunciationOf,
  sentimentOf,
  sentimentScore,
  totalOfParts,
  wantsSentiment,
  wordsPerMinute,
} from './total';
import type {
  CombinedScore,
  KnowledgeBaseComparison,
  KnowledgeBaseContradiction,
  Sample,
  SessionSample,
  RankedFindingsReply,
  SummaryTexts,
  CoachingTakeaways,
  TotalScore,
} from './types';

/** What a run has computed before anything is written. */
export type ComputedRun = {
  scores: RunScores;
  questions: QuestionScores[];
  facts: Omit<RunFacts, 'cost_usd'>;
};

/**
 * Computes everything that a run writes. The result depends only on the arguments, so the same samples give the same
 * scores.
 */
export function computeScores(input: AttemptInput, samples: readonly StoredSample[]): ComputedRun {
  const judged = judgeSteps(input, samples);
  const session = judgeSession(input, samples);
  const resume = judgeResume(input, samples);
  const [summary] = samplesOf<RankedFindingsReply>(samples, 'summary', 0);
  const spokenSamples = samples
    .filter(({ subject }) => subject === 'answer' || subject === 'session' || subject === 'resume')
    .map((one) => one.sample as Sample);
  const comparisons = samples.filter(({ subject }) => subject === 'comparison');
  const prompted = [
    ...spokenSamples,
    ...comparisons.map((one) => one.sample as KnowledgeBaseComparison),
    ...(summary ? [summary] : []),
  ];
  const contradictionsOf = (place: number): KnowledgeBaseContradiction[] =>
    samplesOf<KnowledgeBaseComparison>(comparisons, 'comparison', place).flatMap((one) => one.contradictions);
  const combined = [...judged.map((one) => one.combined), session, resume].filter((one) => one !== null);
  const answerScores = judged.flatMap(({ combined: one }) => one?.answer_score ?? []);
  const isPersona = input.type.startsWith('persona');
  const spoken = input.steps
    .flatMap(({ turns }) => turns)
    .filter(({ answer_kind: kind }) => kind === 'recording')
    .map(({ answer, answer_original: original, duration, confidence }) => ({
      duration_ms: (duration ?? 0) * 100,
      heard: original ?? answer ?? '',
      confidence,
    }));
  const speed = wordsPerMinute(spoken);
  const pronunciation = pronunciationOf(spoken);
  const sentiment = wantsSentiment(input)
    ? sentimentOf(samplesOf<SessionSample>(samples, 'session', 0))
    : null;
  const total = totalOfParts(
    {
      answers: judged.map(({ combined: one }) => ({ score: one?.score ?? null })),
      session: session?.score ?? null,
      resume: resume?.score ?? null,
      pronunciation: pronunciation === null ? null : pronunciation / 10,
      cadence: speed === null ? null : cadenceScore(speed),
      sentiment: sentiment === null ? null : sentimentScore(sentiment),
    },
    { weights: input.weights, max_score: input.max_score },
  );
  const tenth = total.score === null ? null : (total.score / input.max_score) * 10;
  const bracket = total.score === null ? null : bracketOf(total.score / input.max_score);
  const risks = findRisks(input, judged, combined);
  const words = languageTexts[input.language].brackets;
  const parts = resultParts(judged, session);
  const findings = resultFindings(input, judged, session);
  const texts = composeSummary(findings, summary ?? {}, input);
  const departments =
    summary?.departments &&
    composeDepartments(findings, summary.departments, input.departments, input.language);
  const rightChoices = composeRightChoices(judged, input.language);
  const takeaways = isPractice(input.type)
    ? addChoicesToTakeaways(texts?.takeaways ?? null, judged, input)
    : null;
  return {
    scores: {
      score: total.score,
      score_simulation: isPersona ? total.score : null,
      score_text: bracket === null ? words.none : words[bracket],
      score_sentiment: sentiment,
      score_words_per_minute: speed,
      score_pronunciation: pronunciation,
      score_answer: mean(answerScores),
      ai_analysis: joinGivenTexts(
        texts?.candidate_analysis ?? feedbackWithoutQuotes(input, parts),
        rightChoices,
      ),
      ai_analysis_recruiter: joinGivenTexts(
        texts?.recruiter_analysis ?? null,
        rightChoices,
        composeContradictions(
          input.steps.flatMap(({ place }) => contradictionsOf(place)),
          input.language,
        ),
      ),
      ai_analysis_recruiter_score: session?.score ?? (tenth === null ? null : roundTo(tenth, 1)),
      ai_analysis_other: analysesOf(texts, takeaways, session, {
        bracket: session?.bracket ?? bracket,
        departments,
        parts: total.parts,
        resume,
      }),
      risks,
    },
    questions: [
      ...judged.map((one) => questionScoresOf(one, input, parts, contradictionsOf(one.step.place))),
      ...scoresOfUnscoredQuestions(input, contradictionsOf),
    ],
    facts: {
      model: spokenSamples[0]?.model ?? null,
      prompt_version: joined(prompted.map((one) => one.prompt_version)),
      prompt_hash: joined(prompted.map((one) => one.prompt_hash)),
      rubric_version: `rubric/1:${hashOf([
        defaultThresholds,
        input.session_rubric,
        input.weights,
        input.steps.map(({ place, rubric }) => [place, rubric]),
      ])}`,
      input_hash: hashOf({ ...input, merchant_id: null, environment: null }),
      samples: samples.length,
      spread: Math.max(0, ...combined.map(({ spread }) => spread)),
      disagreement: Math.max(0, ...combined.map(({ disagreement }) => disagreement)),
      verified_share: verifiedShare(spokenSamples),
      needs_review: risks.some(({ key }) => key === 'needs_review' || key === 'instructs_the_assessor'),
      prompt_tokens: sum(samples.map(({ sample }) => (sample as Sample).prompt_tokens)),
      completion_tokens: sum(samples.map(({ sample }) => (sample as Sample).completion_tokens)),
    },
  };
}

function analysesOf(
  texts: SummaryTexts | null,
  takeaways: CoachingTakeaways | null,
  session: CombinedScore | null,
  {
    bracket,
    departments,
    parts,
    resume,
  }: {
    bracket: CombinedScore['bracket'];
    resume: CombinedScore | null;
    departments: ReturnType<typeof composeDepartments> | undefined;
    parts: TotalScore['parts'];
  },
): Record<string, unknown> | null {
  const quotesOf = (claims: SummaryTexts['concerns']) =>
    claims.map((claim) => {
      if (claim.quote === null) return null;
      const { quote, turn_id, start, end } = claim;
      return { quote, result_question_id: turn_id, start, end };
    });
  const analyses = {
    ...(texts && {
      strengths_concerns: {
        strengths: texts.strengths.map(({ text }) => text),
        concerns: texts.concerns.map(({ text }) => text),
      },
      evidence: { strengths: quotesOf(texts.strengths), concerns: quotesOf(texts.concerns) },
    }),
    ...(takeaways && { takeaways: takeawaysOf(takeaways) }),
    ...(session && {
      score_rationale: { bracket, ...countMet(session) },
      session_criteria: session.criteria,
    }),
    ...(resume && resumeAnalyses(resume)),
    ...(parts.length > 0 && {
      score_parts: parts.map(({ part, score, weight }) => ({
        part,
        score: roundTo(score, 1),
        weight: roundTo(weight, 3),
      })),
    }),
    ...(texts?.key_statement && {
      key_statement: {
        quote: texts.key_statement.quote,
        result_question_id: texts.key_statement.turn_id,
      },
    }),
    ...(departments && { multi_department: departments }),
  };
  return Object.keys(analyses).length > 0 ? analyses : null;
}

const takeawaysOf = ({ what_went_well, next_steps, fixed }: CoachingTakeaways) => ({
  what_went_well,
  next_steps: next_steps.map(({ proof, ...step }) => ({
    ...step,
    ...(proof.length > 0 && {
      proof: proof.map(({ kind, text, turn_id }) => ({ kind, text, ref: { result_question_id: turn_id } })),
    }),
  })),
  ...(fixed.length > 0 && { fixed }),
});

/** Returns the share of quotes that were accepted as evidence, or null if the model quoted nothing. */
function verifiedShare(samples: readonly Sample[]): number | null {
  const quoted = samples
    .flatMap(({ judgements }) => judgements)
    .filter(({ quote, rejected }) => quote !== null || rejected !== null);
  return quoted.length === 0
    ? null
    : roundTo(quoted.filter(({ rejected }) => rejected === null).length / quoted.length, 3);
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : roundTo(sum(values) / values.length, 1);
const joined = (values: readonly string[]): string | null =>
  [...new Set(values.filter((value) => value !== ''))].toSorted().join(', ') || null;
const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
