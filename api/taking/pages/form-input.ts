import express from 'express';
import type { Answer, TurnRow } from '../../../db/taking/attempts';
import { requiredText, uuid } from '../../platform/operation/vocabulary';
import type { TakingText } from '../texts';
import { maxAnswerCharacters } from './answer-field';

const answerText = requiredText(maxAnswerCharacters);

/**
 * Parses the body of a form. An answer of 20,000 characters with three bytes each takes 180 KB when it is
 * percent-encoded.
 */
export const readForm = express.urlencoded({ extended: false, limit: '256kb', parameterLimit: 20 });

/** The fields of a form. Fields that were sent more than once are left out. */
export type Sent = Readonly<Record<string, string | undefined>>;

/**
 * Returns the fields of a parsed form. Browsers send a line break as CR and LF, which would count as two characters,
 * so each becomes a single LF.
 */
export function sentBy(body: unknown): Sent {
  const entries = typeof body === 'object' && body ? Object.entries(body) : [];
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.replaceAll('\r\n', '\n')]] : [],
    ),
  );
}

/** Returns true if Postgres can store the text. Postgres stores neither NUL nor lone surrogates. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns the id of the turn that a form is about, or undefined if it is malformed. */
export const readTurnId = ({ turn_id: id }: Sent): string | undefined => {
  const parsed = uuid.safeParse(id);
  return parsed.success ? parsed.data.toLowerCase() : undefined;
};

/** Returns a text in the form in which it is stored, or what is wrong with it. */
export function readText(sent: string): { text: string } | { problem: TakingText } {
  if (!isStorable(sent)) return { problem: 'error_characters' };
  const parsed = answerText.safeParse(sent);
  if (parsed.success) return { text: parsed.data };
  if (sent.trim() === '') return { problem: 'error_empty' };
  return { problem: sent.length > maxAnswerCharacters ? 'error_long' : 'error_characters' };
}

/**
 * Returns the answer in a form, or what is wrong with the answer. `turn` is the open turn, if the form belongs to
 * that turn.
 */
export function readAnswer(
  { text, choice, seen }: Sent,
  turn: TurnRow | undefined,
): { answer: Answer } | { problem: TakingText } {
  const more = { recordingId: null, durationMs: null };
  if (seen === 'true') return { answer: { kind: 'seen', text: null, ...more } };
  if (turn?.answer.mode === 'choice' || (text === undefined && choice !== undefined)) {
    const isKnown =
      choice !== undefined && isStorable(choice) && (!turn || turn.choices?.includes(choice) === true);
    return isKnown ? { answer: { kind: 'choice', text: choice, ...more } } : { problem: 'error_choice' };
  }
  const read = readText(text ?? '');
  return 'problem' in read ? read : { answer: { kind: 'text', text: read.text, ...more } };
}
