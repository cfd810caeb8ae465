import { timeFactors } from '../../../db/taking/surroundings';
import type { NewMessage } from '../../../db/taking/surroundings';
import type { TakingText } from '../texts';
import type { SentFields } from './form-input';

export type MessageKind = NewMessage['kind'];
/** A message that was not accepted, with what the candidate sent. */
export type RefusedMessage = { kind: MessageKind; problem: TakingText; sent: SentFields };

/** The path of each form with which candidates write to recruiters (docs/taking.md#around-an-attempt). */
export const messageActions: Record<MessageKind, string> = {
  more_time: 'more-time',
  human_review: 'human-review',
  survey: 'survey',
  trouble: 'trouble',
};
export const messageKinds = Object.keys(messageActions) as MessageKind[];

/** The maximum number of characters of each kind of message. */
export const maxMessageCharacters: Record<MessageKind, number> = {
  more_time: 500,
  human_review: 2_000,
  survey: 1_000,
  trouble: 500,
};
/** How many reports of trouble a candidate can send in one attempt. */
export const maxTroubleReports = 5;
/** The causes of trouble that a candidate can choose. */
export const troubleCauses = ['sound', 'picture', 'connection', 'question', 'other'] as const;
export const ratings = [1, 2, 3, 4, 5] as const;

/** Returns the message in a form, or what is wrong with it. */
export function readMessage(
  kind: MessageKind,
  sent: SentFields,
): { message: NewMessage } | { problem: TakingText } {
  const text = (sent['text'] ?? '').trim();
  if (text.length > maxMessageCharacters[kind]) return { problem: 'message_long' };
  // Postgres stores neither NUL nor lone surrogates.
  if (text.includes('\0') || !text.isWellFormed()) return { problem: 'message_characters' };
  const message: NewMessage = {
    kind,
    text: text === '' ? null : text,
    timeFactor:
      kind === 'more_time'
        ? (timeFactors.find((factor) => factor > 1 && String(factor) === sent['time_factor']) ?? null)
        : null,
    rating: kind === 'survey' ? (ratings.find((rating) => String(rating) === sent['rating']) ?? null) : null,
    trouble:
      kind === 'trouble' ? (troubleCauses.find((trouble) => trouble === sent['trouble']) ?? null) : null,
  };
  if (kind === 'human_review') return message.text === null ? { problem: 'error_empty' } : { message };
  const chosen = message.timeFactor ?? message.rating ?? message.trouble;
  return chosen === null ? { problem: 'error_choice' } : { message };
}
