import type { Persona } from '../interviews/public';
import type { Statement } from '../platform/statement';
import type { LanguageCode } from '../platform/vocabulary';

/*
 * What a candidate's link can do with an attempt (docs/taking.md#an-attempt). Every statement runs in the scope of
 * the link and locks the result, so that simultaneous calls take effect one after another.
 */

/**
 * What a candidate sees of a turn, which is one step of the attempt, such as a question. `number` and `of` count only
 * the main questions. Conditional questions and follow-ups have the number of their main question. The text of an
 * introduction is empty.
 */
export type TurnRow = {
  turn_id: string;
  kind:
    | 'welcome'
    | 'instructional_video'
    | 'introduction'
    | 'question'
    | 'conditional'
    | 'follow_up'
    | 'candidate_asks'
    | 'thank_you';
  /** The name of the character that says the text, or null if nobody is played. */
  speaker: string | null;
  text: string;
  choices: string[] | null;
  has_speech: boolean;
  /** The file in which the interviewer's figure speaks the text, if there is one. */
  video: { path: string; size_bytes: number } | null;
  /** True if the AI wrote the text during the attempt. */
  ai_generated: boolean;
  answer: {
    mode: 'none' | 'text' | 'choice' | 'voice' | 'video';
    required: boolean;
    /** True if the turn takes text. Also true for a video that may be spoken without a picture. */
    may_type: boolean;
    /** How the recording of the answer is kept. Null if it serves the transcript only. */
    kept_as: 'audio' | 'video' | null;
    max_seconds: number | null;
  };
  number: number;
  of: number;
};

/** What candidates may know of the character that the AI plays. */
export type ShownPersona = Pick<Persona, 'name' | 'role' | 'situation'>;

/** An attempt as its candidate sees it. In the states `collected` and `submitted`, the turn is the thank-you. */
export type AttemptRow = {
  result_id: string;
  attempt: number;
  state: 'running' | 'collected' | 'submitted' | 'closed';
  /** The `interview_status` of an attempt that ended without a result. */
  closed_reason: string | null;
  platform_language_code: LanguageCode;
  deadline_at: string | null;
  remaining_ms: number;
  /** The character that the AI plays in this attempt. */
  persona: ShownPersona | null;
  steps: { done: number; total: number };
  turn: TurnRow | null;
  /** Why the remaining scored questions were skipped, or null. */
  stopped_because: 'enough' | 'empty' | null;
  /** Milliseconds after which the client asks again. Null unless the next turn is still being decided. */
  waiting_ms: number | null;
  transcript:
    | {
        turn_id: string;
        speaker: string | null;
        question: string;
        ai_generated: boolean;
        answer: string | null;
        answer_original: string | null;
        is_recorded: boolean;
        editable: boolean;
      }[]
    | null;
  /** How many more attempts may be submitted. Null while the attempt is running or under review, or without a limit. */
  attempts_left: number | null;
  /** True if a later attempt ended without a submit, so that this one still counts. */
  is_restored: boolean;
  /** The address of an instructional video that is to come. */
  video: string | null;
  result_view: string;
  result: Record<string, unknown> | null;
};

/**
 * Begins the next attempt and asks its first turn. If an attempt already runs or is under review, returns that
 * attempt (`running`). `none_left` means that the interview allows no further attempt, `no_practice_left` that
 * the merchant has no coaching credits for it, and `closed` that the link or the interview has ended.
 */
export const beginAttempt = (input: {
  consentVersion: string;
  language: LanguageCode | null;
}): Statement<{
  outcome: 'begun' | 'running' | 'submitted' | 'closed' | 'none_left' | 'no_practice_left';
  attempt: AttemptRow | null;
}> => ({
  name: 'begin_attempt',
  text: 'select outcome, attempt from app.begin_attempt($1, $2)',
  values: [input.consentVersion, input.language],
});

/**
 * Returns the attempt, or null before it begins and when the link has ended (`is_ended`). `undecided_turn` is an
 * answered turn after which no turn was asked yet, because the decision about the next turn is pending or was lost.
 * `undecided_ms` is the time since its answer.
 */
export const getAttempt: Statement<{
  attempt: AttemptRow | null;
  undecided_turn: string | null;
  undecided_ms: number | null;
  is_ended: boolean;
}> = {
  name: 'get_attempt',
  text: 'select attempt, undecided_turn, undecided_ms, is_ended from app.attempt_view()',
};

export type GivenAnswer = {
  kind: 'text' | 'choice' | 'recording' | 'seen';
  text: string | null;
  recordingId: string | null;
  durationMs: number | null;
};
/**
 * `needs_decision` means that the next turn is not known yet, because a model decides or the answer must be
 * transcribed first. The attempt then has no turn, and `waiting_ms` is set. `invalid` means that the turn does not
 * take an answer of this kind or value, and `unknown_recording` that the recording is not a completed one of this turn.
 */
export type AnswerOutcome = {
  outcome:
    | 'stored'
    | 'same'
    | 'conflict'
    | 'invalid'
    | 'unknown_recording'
    | 'unknown_turn'
    | 'late'
    | 'not_running';
  needs_decision: boolean;
  attempt: AttemptRow | null;
};

/**
 * Stores the answer of a turn once. Unless a decision is needed, also asks the next planned turn in the same
 * transaction.
 */
export const answerTurn = (turnId: string, answer: GivenAnswer): Statement<AnswerOutcome> => ({
  name: 'answer_turn',
  text: 'select outcome, needs_decision, attempt from app.answer_turn($1, $2, $3, $4, $5)',
  values: [turnId, answer.kind, answer.text, answer.recordingId, answer.durationMs],
});

/**
 * Asks the next planned turn after an answered turn, because no decision came in time. A planned conditional question
 * is asked, but no follow-up. A visit gets `reply`. `same` means that the next turn was asked already.
 */
export const askFallbackTurn = (
  turnId: string,
  reply?: string,
): Statement<{
  outcome: 'stored' | 'same' | 'unknown_turn' | 'not_running';
  attempt: AttemptRow | null;
}> => ({
  name: 'fall_back',
  text: 'select outcome, attempt from app.fall_back($1, $2)',
  values: [turnId, reply ?? null],
});

/** Replaces the text of an answer, until the submit or the end of the review. The first text is kept. */
export const editAnswer = (
  turnId: string,
  text: string,
): Statement<{ outcome: 'stored' | 'unknown_turn' | 'not_editable'; attempt: AttemptRow | null }> => ({
  name: 'edit_answer',
  text: 'select outcome, attempt from app.edit_answer($1, $2)',
  values: [turnId, text],
});

/** Ends the attempt early, if it has at least one answer. An attempt that has already ended stays as it is. */
export const finishAttempt: Statement<{
  outcome: 'collected' | 'no_answers' | 'not_running';
  attempt: AttemptRow | null;
}> = { name: 'finish_attempt', text: 'select outcome, attempt from app.finish_attempt()' };

/**
 * Submits an attempt that has ended with answers (`collected`) and queues its scoring. From then on, the links of the
 * attempt can only read it. `same` means that the attempt was submitted before.
 */
export const submitAttempt: Statement<{
  outcome: 'submitted' | 'same' | 'not_collected';
  attempt: AttemptRow | null;
}> = { name: 'submit_attempt', text: 'select outcome, attempt from app.submit_attempt()' };
