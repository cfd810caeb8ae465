import type { Statement } from '../platform/statement';

/*
 * Statements for what accompanies an attempt: the privacy notice, and the messages that candidates send to the
 * recruiters (docs/taking.md#around-an-attempt).
 */

/** The factors by which a recruiter can extend the time of a candidate. */
export const timeFactors = [1, 1.25, 1.5, 2] as const;
export type TimeFactor = (typeof timeFactors)[number];

/**
 * What the pages of a candidate's link show in addition to the attempt. Fields about an attempt describe the current
 * one.
 */
export type LinkContext = {
  merchant_id: string;
  /** How much time this candidate has, as a multiple of the interview's. Null for a link of an earlier generation. */
  time_factor: TimeFactor | null;
  /** The state of the latest request for more time. Null if there is none. */
  more_time: 'open' | 'granted' | 'declined' | null;
  /** The merchant's text about what follows after the submission. Null before the submission. */
  next_step_text: string | null;
  /** The time until which the merchant promises to answer. */
  answer_by: string | null;
  human_review: { text: string; due_at: string; reply: string | null } | null;
  has_survey: boolean;
  trouble_reports: number;
  /** True if the answers were deleted because their retention time is over. */
  is_erased: boolean;
};

/** Returns what the pages of a link show in addition to the attempt, in the scope of that link. */
export const findLinkContext: Statement<LinkContext> = {
  name: 'find_link_surroundings',
  text: 'select * from app.link_surroundings()',
};

/** One answer of an ended attempt. A row without a question is the recording of the session or of the introduction. */
export type LinkAnswer = {
  question: string | null;
  answer: string | null;
  /** The first text of an answer that the candidate has changed. */
  answer_original: string | null;
  recording_path: string | null;
};

/** Lists the answers that the candidate of a link may download. There are none before the attempt has ended. */
export const listLinkAnswers: Statement<LinkAnswer> = {
  name: 'list_link_answers',
  text: 'select question, answer, answer_original, recording_path from app.link_answers()',
};

/** The facts about a merchant that its privacy notice contains. */
export type PrivacyFacts = {
  merchant_id: string;
  name: string;
  privacy_contact: string | null;
  recording_retention_days: number;
  draft_retention_days: number;
  result_retention_days: number;
};

/** Returns the facts for the privacy notice of the visited merchant. */
export const findPrivacyFacts: Statement<PrivacyFacts> = {
  name: 'find_privacy_facts',
  text: `
    select id as merchant_id, name, privacy_contact, recording_retention_days, draft_retention_days, result_retention_days
    from merchant where id = app.merchant_id()`,
};

/** A message of a candidate. Fields that its kind does not have are null. */
export type NewMessage = {
  kind: 'more_time' | 'human_review' | 'survey' | 'trouble';
  text: string | null;
  timeFactor: TimeFactor | null;
  rating: number | null;
  trouble: string | null;
};

/**
 * Stores a message of the link's candidate. `same` means that the candidate has already sent this message,
 * `sent_before` that the candidate has sent another one of a kind that can be sent only once, `limit` that the
 * candidate has sent the maximum number, and `closed` that the link or the attempt does not accept the message.
 */
export const sendCandidateMessage = (
  message: NewMessage,
): Statement<{ outcome: 'stored' | 'same' | 'sent_before' | 'limit' | 'closed' }> => ({
  name: 'send_candidate_message',
  text: 'select app.send_candidate_message($1, $2, $3, $4, $5) as outcome',
  values: [message.kind, message.text, message.timeFactor, message.rating, message.trouble],
});
