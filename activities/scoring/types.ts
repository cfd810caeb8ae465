import type { Expectations } from '../../db/interviews/public';
import type { LanguageCode } from '../../db/platform/vocabulary';

/* The shapes of scoring (docs/scoring.md). All offsets are in UTF-16 units of the answer as the candidate gave it. */

export type Rubric = Expectations;
export type Bracket = keyof Rubric;

/** One item of a rubric. Ids are w1, m1, s1 and so on, in the order of the rubric. */
export type Criterion = { id: string; bracket: Bracket; text: string };

export type Met = 'yes' | 'no' | 'unclear';
/** What the model says about one criterion. */
export type Judgement = { criterion_id: string; met: Met; quote: string | null };

/** Why a quote is no evidence. A `yes` with such a quote becomes `unclear`. */
export type Rejection = 'not_found' | 'too_short' | 'repeats_question' | 'repeats_rubric' | 'instruction';

/**
 * A judgement after its quote was checked. `quote` is what stands between `start` and `end` in the answer, and all three
 * are null unless `met` is `yes`.
 */
export type VerifiedJudgement = Judgement & {
  start: number | null;
  end: number | null;
  rejected: Rejection | null;
  /** The turn that was quoted. Null in the assessment of a single answer, and without a quote. */
  turn_id: string | null;
};

/** What one call to the model, and at most one more to repair it, said about an answer or a session. */
export type Sample = {
  judgements: VerifiedJudgement[];
  /** True if the model or the code found text in the answer that tells the assessor what to do. */
  instructs_the_assessor: boolean;
  /** The name and hash of the prompt. */
  prompt_version: string;
  prompt_hash: string;
  model: string;
  /** Tokens of all calls together; 0 if the provider did not say. */
  prompt_tokens: number;
  completion_tokens: number;
  /** How many repair calls were made: 0 or 1. */
  repaired: number;
  /** Why there are no judgements, or null. A sample with a reason counts as insufficient evidence. */
  refused: Refusal | null;
};
/** `refused` includes content filters and answers that were cut off; `malformed` is an answer without the asked form. */
export type Refusal = 'refused' | 'malformed';

export type Polarity = 'negative' | 'mixed' | 'neutral' | 'positive';
/** A sample of the session. `polarity` describes the text and is null unless it was asked for. */
export type SessionSample = Sample & { polarity: Polarity | null };

/** The limits of brackets and flags. They belong to the version of the rubric. */
export type Thresholds = {
  /** The share of strong items with evidence that makes an answer strong. */
  strong: number;
  /** The share of moderate items with evidence that makes an answer moderate. */
  moderate: number;
  /** A shorter answer without any evidence gets no score. Characters count in scripts without spaces. */
  minWords: number;
  minCharacters: number;
  /** More disagreement (a share of the criteria) or a larger spread (of 10) between samples needs a person. */
  maxDisagreement: number;
  maxSpread: number;
};

export type AnswerInput = {
  question: string;
  rubric: Rubric;
  answer: string;
  language: LanguageCode;
  /** The order of the criteria in the prompt: as in the rubric, or the other way around. */
  order: 0 | 1;
  /** Names and email addresses of the candidate, which the model does not see. */
  names: string[];
};

export type SessionInput = {
  rubric: Rubric;
  answers: { turn_id: string; question: string; answer: string }[];
  language: LanguageCode;
  order: 0 | 1;
  names: string[];
  /** True asks for the polarity of the text, for coaching only. */
  wants_polarity: boolean;
};

/** How a call to the model ends. Throws ProviderError if the model is away. */
export type CallLimits = { timeoutMs: number; signal: AbortSignal };

export type CombinedCriterion = Criterion &
  Pick<VerifiedJudgement, 'met' | 'quote' | 'start' | 'end' | 'turn_id'>;

/** The score of an answer or a session, from all of its samples. */
export type Combined = {
  status: 'scored' | 'insufficient_evidence';
  bracket: Bracket | null;
  /** 0 to 10 with one decimal. Null without enough evidence. */
  score: number | null;
  /** 1 to 5 with one decimal. */
  answer_score: number | null;
  criteria: CombinedCriterion[];
  /** The difference between the highest and the lowest score of the samples. */
  spread: number;
  /** The share of criteria on which the samples disagree. */
  disagreement: number;
  needs_review: boolean;
  /** Why there is no score, or null. */
  reason: 'too_little_said' | Refusal | null;
  instructs: boolean;
};

/** The parts of a total, each 0 to 10, or null without data. */
export type Parts = {
  answers: { score: number | null; weight?: number | undefined }[];
  session: number | null;
  resume: number | null;
  pronunciation: number | null;
  cadence: number | null;
};

/** `score` is 0 to `max_score`. `parts` has what was used, with weights that add up to 1. */
export type Total = {
  score: number | null;
  parts: {
    part: 'answers' | 'session' | 'resume' | 'pronunciation' | 'cadence';
    score: number;
    weight: number;
  }[];
};

/** A claim about the candidate with its proof. `start` and `end` are offsets in the answer of `turn_id`. */
export type Claim = { text: string; quote: string; turn_id: string; start: number; end: number };

export type SummaryInput = {
  type: string;
  language: LanguageCode;
  /** The candidate's answers. The model does not see them: the quotes of claims are searched in them. */
  answers: SessionInput['answers'];
  /** The criteria of answers and session that have evidence or were not met. `turn_id` null means the session. */
  evidence: (Pick<CombinedCriterion, 'bracket' | 'text' | 'met' | 'quote'> & { turn_id: string | null })[];
  names: string[];
  /** The steps that an earlier attempt of the same learner was advised to take. */
  previous_steps: string[];
};

export type NextStep = {
  text: string;
  priority: 'impact' | 'quick' | 'longterm';
  guidance: { kind: 'say' | 'structure' | 'length' | 'exercise' | 'perspective'; text: string };
  proof: { kind: 'quote'; text: string; turn_id: string }[];
};
export type Takeaways = { what_went_well: string[]; next_steps: NextStep[]; fixed: string[] };

/** What was written about a result. Claims that could not be verified are not in it. */
export type Summary = {
  strengths: Claim[];
  concerns: Claim[];
  key_statement: Pick<Claim, 'quote' | 'turn_id' | 'start' | 'end'> | null;
  takeaways: Takeaways | null;
  candidate_analysis: string | null;
  recruiter_analysis: string | null;
  /** The number of claims that were dropped. */
  dropped: number;
} & Pick<
  Sample,
  'model' | 'prompt_tokens' | 'completion_tokens' | 'prompt_version' | 'prompt_hash' | 'refused'
>;

/*
 * The functions:
 *   criteriaOf(rubric): Criterion[]
 *   assessAnswer(model, input: AnswerInput, limits: CallLimits): Promise<Sample>
 *   assessSession(model, input: SessionInput, limits: CallLimits): Promise<SessionSample>
 *   combineSamples(samples, criteria, thresholds, answer): Combined
 *   combineParts(parts, { weights, max_score, type }): Total
 *   summarize(model, input: SummaryInput, limits: CallLimits): Promise<Summary>
 */
