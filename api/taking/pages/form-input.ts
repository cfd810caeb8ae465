import { createHash } from 'node:crypto';
import type { GivenAnswer, TurnRow } from '../../../db/taking/attempts';
import { formReader } from '../../platform/http/form-body';
import { requiredText, uuid } from '../../platform/operation/vocabulary';
import type { TakingText } from '../texts';
import { maxAnswerCharacters } from './answer-field';

const answerText = requiredText(maxAnswerCharacters);

/** A message of 2,000 characters with three bytes each takes 18 KB when it is percent-encoded. */
export const readShortForm = formReader('20kb');
/** An answer of 20,000 characters with three bytes each takes 180 KB when it is percent-encoded. */
export const readForm = formReader('256kb');
/** The answers of a whole attempt. The longest interviews have 100 to 500 KB, and parsing 2 MB takes 50 ms. */
export const readReviewForm = formReader('2mb');

/**
 * The part of a text that is read. A line break is sent as two characters, so this part of a text that is too long is
 * still too long.
 */
const maxSentCharacters = 2 * maxAnswerCharacters + 2;

/**
 * Returns a sent text with line breaks as they are stored. Browsers send a line break as CR and LF, which would count
 * as two characters, so each becomes a single LF.
 */
const readSent = (value: string): string => value.slice(0, maxSentCharacters).split('\r\n').join('\n');

/** The fields of a form. Fields that were sent more than once are left out. */
export type SentFields = Readonly<Record<string, string | undefined>>;

const entriesOf = (body: unknown): [string, unknown][] =>
  typeof body === 'object' && body && !Buffer.isBuffer(body) ? Object.entries(body) : [];

/** Returns the fields of a parsed form. */
export const readSentFields = (body: unknown): SentFields =>
  Object.fromEntries(
    entriesOf(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, readSent(value)]] : [])),
  );

/** Identifies the text that the field of an answer shows at first. Browsers may change the blanks at its ends. */
export const textHash = (text: string): string =>
  createHash('sha256').update(text.trim()).digest('base64url').slice(0, 16);

/** A changed answer in the form of a review. */
export type ChangedAnswer = { turnId: string; text: string };

/**
 * Returns the texts that the candidate has changed in the form of a review, or has entered in the form of an answer.
 * For each answer, a review has the fields `turn_id`, `text` and `shown`, the hash of the text that the page showed. A
 * text that is still as shown is left out, because another window may have changed the answer since.
 */
function changesBy(body: unknown): { id: string; text: string }[] {
  const fields = Object.fromEntries(entriesOf(body));
  const listOf = (name: string) =>
    [fields[name]].flat().flatMap((value) => (typeof value === 'string' ? [value] : []));
  const [ids, texts, shown] = [listOf('turn_id'), listOf('text'), listOf('shown')];
  return ids
    .map((id, index) => ({ id, text: readSent(texts[index] ?? '') }))
    .filter(({ text }, index) => textHash(text) !== shown[index]);
}

/** Returns the changed answers in the form of a review, or undefined if the id of a turn is malformed. */
export function readChangedAnswers(body: unknown): ChangedAnswer[] | undefined {
  const changes = changesBy(body);
  const edits = changes.flatMap(({ id, text }) => {
    const turnId = readTurnId({ turn_id: id });
    return turnId === undefined ? [] : [{ turnId, text }];
  });
  return edits.length === changes.length ? edits : undefined;
}

/** Returns the texts in a parsed form that would be lost if nothing were stored. */
export function readSentTexts(body: unknown): string[] {
  const fields = Object.fromEntries(entriesOf(body));
  const texts =
    fields['turn_id'] === undefined
      ? [readSentFields(body)['text'] ?? '']
      : changesBy(body).map(({ text }) => text);
  return texts.filter((text) => text.trim() !== '');
}

/** Returns true if Postgres can store the text. Postgres stores neither NUL nor lone surrogates. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns the id of the turn that a form is about, or undefined if it is malformed. */
export const readTurnId = ({ turn_id: id }: SentFields): string | undefined => {
  const parsed = uuid.safeParse(id);
  return parsed.success ? parsed.data.toLowerCase() : undefined;
};

/** Returns a text in the form in which it is stored, or what is wrong with it. */
export function validateText(sent: string): { text: string } | { problem: TakingText } {
  const parsed = answerText.safeParse(sent);
  if (parsed.success)
    return isStorable(parsed.data) ? { text: parsed.data } : { problem: 'message_characters' };
  if (sent.trim() === '') return { problem: 'error_empty' };
  return { problem: sent.length > maxAnswerCharacters ? 'message_long' : 'message_characters' };
}

/**
 * Returns the answer in a form, or what is wrong with the answer. `turn` is the open turn, if the form belongs to
 * that turn.
 */
export function readAnswer(
  { text, choice, seen }: SentFields,
  turn: TurnRow | undefined,
): { answer: GivenAnswer } | { problem: TakingText } {
  const more = { recordingId: null, durationMs: null };
  if (seen === 'true') return { answer: { kind: 'seen', text: null, ...more } };
  if (turn?.answer.mode === 'choice' || (text === undefined && choice !== undefined)) {
    const isKnown =
      choice !== undefined && isStorable(choice) && (!turn || turn.choices?.includes(choice) === true);
    return isKnown ? { answer: { kind: 'choice', text: choice, ...more } } : { problem: 'error_choice' };
  }
  const read = validateText(text ?? '');
  return 'problem' in read ? read : { answer: { kind: 'text', text: read.text, ...more } };
}
