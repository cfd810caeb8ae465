import type { Expectations, Persona } from '../../db/interviews/public';
import type { LanguageCode } from '../../db/platform/vocabulary';
import type { departmentFits } from '../../db/results/public';

/*
 * The types of scoring (docs/scoring.md). Offsets are in UTF-16 units of one turn's answer, as the candidate gave it.
 */

export type Rubric = Expectations;
export type Bracket = keyof Rubric;

/**
 * One item of a rubric. An id is the first letter of the bracket and a number, such as w1, m1 or s1, in the order of
 * the rubric.
 */
export type Criterion = { id: string; bracket: Bracket; text: string };

export type CriterionVerdict = 'yes' | 'no' | 'unclear';
/** What the model says about one criterion. */
export type Judgement = { criterion_id: string; met: CriterionVerdict; quote: string | null };

/**
 * Why a quote is not accepted as evidence. A `yes` with such a quote becomes `unclear`. `retelling`: it only
 * says that something was told. `shared`: it overlaps with the quotes of half of the moderate and strong criteria or more.
 */
export type QuoteRejection =
  | 'not_found'
  | 'too_short'
  | 'too_long'
  | 'repeats_question'
  | 'repeats_rubric'
  | 'instruction'
  | 'retelling'
  | 'shared';

/**
 * A judgement after its quote was checked. `quote` is the text of the answer from `start` to `end`. All three are
 * null unless `met` is `yes`.
 */
export type VerifiedJudgement = Judgement & {
  start: number | null;
  end: number | null;
  rejected: QuoteRejection | null;
  /** The turn that was quoted. Null without a quote. */
  turn_id: string | null;
};

/**
 * A sample: one assessment of an answer or a session by the model. It takes one call, and at most one more call for a
 * repair.
 */
export type Sample = {
  judgements: VerifiedJudgement[];
  /** True if the model or the code found text in the answer that tells the assessor what to do. */
  instructs_the_assessor: boolean;
  /** The version and the hash of the prompt. */
  prompt_version: string;
  prompt_hash: string;
  model: string;
  /** Tokens of all calls together; 0 if the provider did not say. */
  prompt_tokens: number;
  completion_tokens: number;
  /** How many repair calls were made: 0 or 1. */
  repaired: number;
  /**
   * Why there are no judgements, or null. A sample with a reason is not combined with the others, and a person must
   * review the score.
   */
  refused: NoJudgementsReason | null;
};
/**
 * `refused`: the model or a content filter refused, or the reply was cut off. `malformed`: the reply does not have
 * the requested form. `too_long`: what was said is too long for the model.
 */
export type NoJudgementsReason = 'refused' | 'malformed' | 'too_long';

export type Polarity = 'negative' | 'mixed' | 'neutral' | 'positive';
/**
 * One of the model's assessments of the whole session. `polarity` is the tone of the answers, or null if it was not
 * requested.
 */
export type SessionSample = Sample & { polarity: Polarity | null };

/**
 * The limits that decide which bracket an answer gets, and which scores a person must review. They are part of the
 * hash in `rubric_version`.
 */
export type Thresholds = {
  /** An answer is strong if at least this share of the strong items has evidence. */
  strong: number;
  /** An answer is moderate if at least this share of the moderate items has evidence. */
  moderate: number;
  /**
   * An answer that has no evidence and is shorter than this gets no score. `minCharacters` applies to scripts without
   * spaces, `minWords` to all others.
   */
  minWords: number;
  minCharacters: number;
  /**
   * A person must review the score if the samples disagree on more than this share of the criteria
   * (`maxDisagreement`), or if their scores (0 to 10) differ by more than `maxSpread`.
   */
  maxDisagreement: number;
  maxSpread: number;
};

/** The person whom the AI played, as the assessing model knows it. Its lines are never evidence. */
export type PlayedPerson = Pick<Persona, 'name' | 'role' | 'situation'>;

/** What the candidate answered in one turn. `question` is what was asked there. */
export type QuestionAnswer = { turn_id: string | null; question: string; answer: string };

export type AnswerInput = {
  question: string;
  rubric: Rubric;
  /** The answers to the question and to its follow-ups. */
  answers: QuestionAnswer[];
  language: LanguageCode;
  /** Names and email addresses of the candidate, which the model does not see. */
  names: string[];
  /** Null or missing if the AI played nobody. */
  character?: PlayedPerson | null;
};

/** A résumé, which is assessed by the rubric of the session. */
export type ResumeInput = Pick<AnswerInput, 'rubric' | 'language' | 'names'> & { text: string };

export type SessionInput = {
  rubric: Rubric;
  answers: { turn_id: string; question: string; answer: string }[];
  language: LanguageCode;
  names: string[];
  character?: PlayedPerson | null;
  /** True requests the polarity of the text, which only coaching uses. */
  wants_polarity: boolean;
};

/** The time limit of each call to the model, and a signal that ends the call early. */
export type ModelCallLimits = { timeoutMs: number; signal: AbortSignal };

export type CombinedCriterion = Criterion &
  Pick<VerifiedJudgement, 'met' | 'quote' | 'start' | 'end' | 'turn_id'>;

/**
 * Why a person must review a score. `shared_quotes`: the same passage, overlapping ones or parts of one sentence are the
 * evidence of several moderate or strong criteria. `only_strong`: strong criteria are met, but no moderate one.
 */
export type ReviewReason =
  | 'samples_missing'
  | 'samples_differ'
  | 'quotes_rejected'
  | 'all_met'
  | 'shared_quotes'
  | 'only_strong';

/** The score of an answer or a session, from all of its samples. */
export type CombinedScore = {
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
  /** True if there are `review_reasons`. */
  needs_review: boolean;
  review_reasons: ReviewReason[];
  /** Why there is no score, or null. */
  reason: 'too_little_said' | NoJudgementsReason | null;
  instructs: boolean;
};

/** The scores from which a total is computed, each from 0 to 10, or null without data. */
export type ScoreParts = {
  answers: { score: number | null; weight?: number | undefined }[];
  session: number | null;
  resume: number | null;
  pronunciation: number | null;
  cadence: number | null;
  sentiment: number | null;
};

/** `score` is 0 to `max_score`. `parts` lists the parts that were used, with weights that add up to 1. */
export type TotalScore = {
  score: number | null;
  parts: {
    part: keyof ScoreParts;
    score: number;
    weight: number;
  }[];
};

/**
 * A claim about the candidate with the quote that proves it. `start` and `end` are offsets in the answer of
 * `turn_id`.
 */
export type QuotedFinding = { text: string; quote: string; turn_id: string; start: number; end: number };

export type NextStep = {
  text: string;
  priority: 'impact' | 'quick' | 'longterm';
  guidance: { kind: 'say' | 'structure' | 'length' | 'exercise' | 'perspective'; text: string };
  proof: { kind: 'quote'; text: string; turn_id: string }[];
};
export type CoachingTakeaways = { what_went_well: string[]; next_steps: NextStep[]; fixed: string[] };

/** The texts about a result. Code composes them from findings. */
export type SummaryTexts = {
  strengths: QuotedFinding[];
  /** A weak point has a quote. What was not shown has none. */
  concerns: (QuotedFinding | { text: string; quote: null })[];
  key_statement: Omit<QuotedFinding, 'text'> | null;
  takeaways: CoachingTakeaways | null;
  candidate_analysis: string | null;
  recruiter_analysis: string | null;
};

/** A passage of an answer, and the passage of the knowledge base that it contradicts. Both were verified. */
export type KnowledgeBaseContradiction = { quote: string; turn_id: string | null; passage: string };
/** What one call of the model found by comparing an answer with the knowledge base of its question. */
export type KnowledgeBaseComparison = { contradictions: KnowledgeBaseContradiction[] } & CallFacts;

/** What the model decides about a summary: the order of the findings, and which one is the key statement. */
export type RankedFindings = {
  /** Numbers of findings, from 1, the most important first. */
  order: number[];
  key_statement: number | null;
  /** How the strengths fit each department. Undefined if the interview has none. */
  departments?: DepartmentFit[] | undefined;
};
/** The numbers, from 1, of a department and of the findings that show the fit. */
export type DepartmentFit = { number: number; fit: (typeof departmentFits)[number]; evidence: number[] };
export type RankedFindingsReply = RankedFindings & CallFacts;
type CallFacts = Pick<
  Sample,
  'model' | 'prompt_tokens' | 'completion_tokens' | 'prompt_version' | 'prompt_hash' | 'refused'
>;
