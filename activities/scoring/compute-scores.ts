import { createHash } from 'node:crypto';
import { bracketOf, bracketWords } from '../../db/results/public';
import type { AttemptInput, ScoredStep } from '../../db/scoring/attempt-input';
import type { StoredSample } from '../../db/scoring/samples';
import type { QuestionScores, Risk, RunFacts, RunScores } from '../../db/scoring/write-scores';
import { answersOf, hasAnswer, sessionAnswersOf, textOf } from './attempt-answers';
import { combineSamples, defaultThresholds, roundTo } from './combine';
import { criteriaOf } from './criteria';
import { cadenceScore, combineParts, sentimentOf, wordsPerMinute } from './total';
import type { Claim, Combined, Sample, SessionSample, Summary } from './types';

/**
 * A scored step and the score from its samples (assessments by the model). Each quote names the turn from which it
 * comes.
 */
export type JudgedStep = { step: ScoredStep; combined: Combined | null; isUnavailable: boolean };

/** What a run has computed before anything is written. */
export type Computed = {
  scores: RunScores;
  questions: QuestionScores[];
  facts: Omit<RunFacts, 'cost_usd'>;
};

const samplesOf = <Kind>(samples: readonly StoredSample[], subject: string, place: number): Kind[] =>
  samples
    .filter((stored) => stored.subject === subject && stored.place === place)
    .map(({ sample }) => sample as Kind);

/** Combines the model's samples of each scored step into one score per step. */
export const judgeSteps = (
  { steps }: Pick<AttemptInput, 'steps'>,
  samples: readonly StoredSample[],
): JudgedStep[] =>
  steps
    .filter(({ is_scored }) => is_scored)
    .map((step) => {
      const isUnavailable = step.turns.some(
        ({ transcript_status: status, answer }) =>
          status === 'pending' || (status === 'failed' && answer === null),
      );
      const own = samplesOf<Sample>(samples, 'answer', step.place);
      if (step.rubric === null || own.length === 0) return { step, combined: null, isUnavailable };
      const said = textOf(answersOf(step));
      const combined = combineSamples(own, criteriaOf(step.rubric), defaultThresholds, said);
      return { step, combined, isUnavailable };
    });

/** Combines the model's samples of the session into one score. Returns null if there is no rubric or no sample. */
export function judgeSession(
  { session_rubric: rubric, steps }: Pick<AttemptInput, 'session_rubric' | 'steps'>,
  samples: readonly StoredSample[],
): Combined | null {
  const own = samplesOf<SessionSample>(samples, 'session', 0);
  if (rubric === null || own.length === 0) return null;
  return combineSamples(own, criteriaOf(rubric), defaultThresholds, textOf(sessionAnswersOf(steps)));
}

/**
 * Computes everything that a run writes. The result depends only on the arguments, so the same samples give the same
 * scores.
 */
export function computeScores(input: AttemptInput, samples: readonly StoredSample[]): Computed {
  const judged = judgeSteps(input, samples);
  const session = judgeSession(input, samples);
  const [summary] = samplesOf<Summary>(samples, 'summary', 0);
  const spokenSamples = samples
    .filter(({ subject }) => subject !== 'summary')
    .map((one) => one.sample as Sample);
  const combined = [...judged.flatMap((one) => one.combined ?? []), ...(session ? [session] : [])];
  const answerScores = judged.flatMap(({ combined: one }) => one?.answer_score ?? []);
  const isCoaching = input.type === 'coaching';
  const isPersona = input.type.startsWith('persona');
  const speed = wordsPerMinute(
    input.steps.flatMap(({ turns }) =>
      turns
        .filter(({ answer_kind: kind, answer, duration }) => kind === 'recording' && answer && duration)
        .map(({ answer, duration }) => ({ answer: answer ?? '', duration_ms: (duration ?? 0) * 100 })),
    ),
  );
  const total = combineParts(
    {
      answers: judged.map(({ combined: one }) => ({ score: one?.score ?? null })),
      session: session?.score ?? null,
      resume: null,
      pronunciation: null,
      cadence: speed === null ? null : cadenceScore(speed),
    },
    { weights: input.weights, max_score: input.max_score, type: input.type },
  );
  const tenth = total.score === null ? null : (total.score / input.max_score) * 10;
  const bracket = total.score === null ? null : bracketOf(total.score / input.max_score);
  const risks = findRisks(input, judged, combined);
  const words = bracketWords[input.language];
  return {
    scores: {
      score: total.score,
      score_simulation: isPersona ? total.score : null,
      score_text: bracket === null ? words.none : words[bracket],
      score_sentiment: isCoaching ? sentimentOf(samplesOf<SessionSample>(samples, 'session', 0)) : null,
      score_words_per_minute: speed,
      score_pronunciation: null,
      score_answer: mean(answerScores),
      ai_analysis: summary?.candidate_analysis ?? null,
      ai_analysis_recruiter: summary?.recruiter_analysis ?? null,
      ai_analysis_recruiter_score: session?.score ?? (tenth === null ? null : roundTo(tenth, 1)),
      ai_analysis_other: analysesOf(summary, session, session?.bracket ?? bracket),
      risks,
    },
    questions: judged.map((one) => questionScoresOf(one, isPersona)),
    facts: {
      model: spokenSamples[0]?.model ?? null,
      prompt_version: joined(
        [...spokenSamples, ...(summary ? [summary] : [])].map((one) => one.prompt_version),
      ),
      prompt_hash: joined([...spokenSamples, ...(summary ? [summary] : [])].map((one) => one.prompt_hash)),
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

function questionScoresOf({ step, combined, isUnavailable }: JudgedStep, isPersona: boolean): QuestionScores {
  const met = (combined?.criteria ?? []).filter((criterion) => criterion.met === 'yes');
  const signs = { yes: '✓', no: '✗', unclear: '?' } as const;
  const reason = isUnavailable ? 'unavailable_transcript' : !hasAnswer(step) ? 'no_answer' : 'no_rubric';
  return {
    id: step.turns[0]?.turn_id ?? '',
    // Candidates see the quotes that counted in their favor. Only recruiters see the criteria.
    ai_analysis:
      met
        .filter(({ bracket }) => bracket !== 'weak')
        .flatMap(({ quote }) => (quote === null ? [] : [`“${quote}”`]))
        .join('\n') || null,
    ai_analysis_recruiter:
      combined?.criteria
        .filter(({ bracket }) => bracket !== 'weak')
        .map((criterion) => `${signs[criterion.met]} ${criterion.text}`)
        .join('\n') || null,
    score_answer_ai: combined?.answer_score ?? null,
    score_answer_ai_simulation: isPersona ? (combined?.answer_score ?? null) : null,
    answer_assessment_raw_data: combined ?? {
      status: 'insufficient_evidence',
      bracket: null,
      score: null,
      answer_score: null,
      criteria: [],
      spread: 0,
      disagreement: 0,
      needs_review: false,
      reason,
      instructs: false,
    },
  };
}

function analysesOf(
  summary: Summary | undefined,
  session: Combined | null,
  bracket: Combined['bracket'],
): Record<string, unknown> | null {
  const quotesOf = (claims: Claim[]) =>
    claims.map(({ quote, turn_id, start, end }) => ({ quote, result_question_id: turn_id, start, end }));
  const count = (name: Combined['bracket']) => {
    const own = (session?.criteria ?? []).filter((criterion) => criterion.bracket === name);
    return `${own.filter(({ met }) => met === 'yes').length} of ${own.length}`;
  };
  const analyses = {
    ...(summary && {
      strengths_concerns: {
        strengths: summary.strengths.map(({ text }) => text),
        concerns: summary.concerns.map(({ text }) => text),
      },
      evidence: { strengths: quotesOf(summary.strengths), concerns: quotesOf(summary.concerns) },
    }),
    ...(summary?.takeaways && { takeaways: takeawaysOf(summary.takeaways) }),
    ...(session && {
      score_rationale: {
        bracket,
        strong: count('strong'),
        moderate: count('moderate'),
        weak: count('weak'),
      },
      session_criteria: session.criteria,
    }),
    ...(summary?.key_statement && {
      key_statement: {
        quote: summary.key_statement.quote,
        result_question_id: summary.key_statement.turn_id,
      },
    }),
  };
  return Object.keys(analyses).length > 0 ? analyses : null;
}

const takeawaysOf = ({ what_went_well, next_steps, fixed }: NonNullable<Summary['takeaways']>) => ({
  what_went_well,
  next_steps: next_steps.map(({ proof, ...step }) => ({
    ...step,
    ...(proof.length > 0 && {
      proof: proof.map(({ kind, text, turn_id }) => ({ kind, text, ref: { result_question_id: turn_id } })),
    }),
  })),
  ...(fixed.length > 0 && { fixed }),
});

/** Returns the risks that a person should look at. Their notes are written for recruiters. */
function findRisks({ steps, coverage }: AttemptInput, judged: JudgedStep[], combined: Combined[]): Risk[] {
  const turns = steps.flatMap((step) => step.turns);
  const found: [boolean, Risk][] = [
    [
      combined.some(({ instructs }) => instructs),
      {
        key: 'instructs_the_assessor',
        severity: 'issue',
        note: 'An answer contains instructions to the assessor. They were not counted as evidence.',
      },
    ],
    [
      combined.some(({ needs_review }) => needs_review) ||
        isMostlyUnscored(judged) ||
        (coverage !== null && coverage < 50),
      {
        key: 'needs_review',
        severity: 'warning',
        note: 'Repeated assessments differ or are missing, or fewer than half of the questions have a score.',
      },
    ],
    [
      turns.some(({ is_edited }) => is_edited),
      {
        key: 'edited_after',
        severity: 'warning',
        note: 'The candidate edited answers before the submission.',
      },
    ],
    [
      judged.some(({ isUnavailable }) => isUnavailable),
      {
        key: 'unavailable_transcript',
        severity: 'warning',
        note: 'A recorded answer could not be transcribed and was not scored.',
      },
    ],
  ];
  return found.filter(([isFound]) => isFound).map(([, risk]) => risk);
}

/**
 * Returns true if most questions that could be scored have no score, because too little was said. Without this
 * warning, a candidate could raise the total unnoticed by not answering hard questions.
 */
function isMostlyUnscored(judged: JudgedStep[]): boolean {
  const scorable = judged.filter(({ step, isUnavailable }) => step.rubric !== null && !isUnavailable);
  const scored = scorable.filter(({ combined }) => (combined?.score ?? null) !== null);
  return scored.length > 0 && scored.length * 2 < scorable.length;
}

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
