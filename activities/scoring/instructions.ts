import { invisible, limitMarks } from './fold';
import type { Span } from './fold';
import { signs, structures } from './instruction-signs';
import { sentencesOf } from './words';

const letter = String.raw`[\p{L}\p{M}\p{N}]`;
/** Returns an expression that matches whole words. Japanese has no spaces, so its expressions match anywhere. */
const whole = (code: string, inside: string): RegExp =>
  code === 'ja'
    ? new RegExp(inside, 'iu')
    : new RegExp(`(?<!${letter})(?:${inside.replaceAll(String.raw`\w`, letter)})(?!${letter})`, 'iu');
const languages = Object.entries(signs).map(([code, { dismiss, rules, assess, verdict, assessor }]) => ({
  dismiss: whole(code, dismiss),
  rules: whole(code, rules),
  assess: whole(code, assess),
  verdict: whole(code, verdict),
  assessor: whole(code, assessor),
}));

/**
 * Returns the sentences of an answer that tell the assessor what to do, for example how to score or to ignore its
 * instructions. Harmless sentences about such things can be among them, so the answer is also flagged for a person.
 */
export function findInstructions(answer: string): Span[] {
  return sentencesOf(answer).flatMap(({ start, end }) => {
    // The expressions look back over white space, which takes quadratic time in long runs of it.
    const sentence = answer.slice(start, end).replaceAll(/\s+/gu, ' ');
    if (structures.some((sign) => sign.test(sentence))) {
      const lineEnd = /[\n\r]|$/u.exec(answer.slice(end))?.index ?? 0;
      return [{ start, end: end + lineEnd }];
    }
    return isInstruction(readable(sentence)) ? [{ start, end }] : [];
  });
}

function isInstruction(sentence: string): boolean {
  return languages.some(
    ({ dismiss, rules, assess, verdict, assessor }) =>
      (dismiss.test(sentence) && rules.test(sentence)) ||
      (assess.test(sentence) && verdict.test(sentence)) ||
      assessor.test(sentence),
  );
}

/**
 * Reverses tricks that hide words: full-width letters, invisible characters, and letters with spaces between them.
 */
const readable = (sentence: string): string =>
  limitMarks(sentence)
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .replaceAll(/(?<=^|\s)(?:\p{L}[ .·_-]){3,}\p{L}(?!\p{L})/gu, (spaced) =>
      spaced.replaceAll(/[ .·_-]/gu, ''),
    );
