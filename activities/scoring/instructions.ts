import { limitMarks } from '../platform/limit-marks';
import { invisible } from './fold';
import type { Span } from './fold';
import { signs, structures } from './instruction-signs';
import { withoutLookAlikes, withVisibleTags } from './look-alikes';
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
  const sentences = sentencesOf(answer);
  const found = sentences.flatMap(({ start, end }, index) => {
    const sentence = inOneLine(answer.slice(start, end));
    if (structures.some((sign) => sign.test(sentence))) {
      const lineEnd = /[\n\r]|$/u.exec(answer.slice(end))?.index ?? 0;
      return [{ start, end: end + lineEnd }];
    }
    const instructs = (span: Span) => isInstruction(readable(inOneLine(answer.slice(span.start, span.end))));
    const spans = [{ start, end }, ...brokenSpans(answer, sentences, index)];
    // What a span has, the longest one has, too. Most texts have no instruction, so one comparison is enough.
    const [longest] = spans.slice(-1);
    const whole = longest && instructs(longest) ? spans.find(instructs) : undefined;
    return whole ? [whole] : [];
  });
  // Lines before an instruction do not belong to it. Of several spans with the same end, only the shortest is kept.
  return found.filter(({ end }, index) => {
    const next = found[index + 1];
    return next === undefined || next.end > end;
  });
}

/** Shortens white space, because the expressions look back over it, which takes quadratic time in long runs. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/** A sentence that is broken into several lines is read as a whole only up to these limits. */
const maxLines = 4;
const maxBrokenCharacters = 400;
const sentenceEnd = /[.!?。！？]["'»”)\]]?$/u;

/** Returns spans that join a line to one, two or three of the lines after it, until a line ends like a sentence. */
function brokenSpans(answer: string, sentences: readonly Span[], index: number): Span[] {
  const start = sentences[index]?.start ?? 0;
  const spans: Span[] = [];
  for (let next = index + 1; next < index + maxLines; next += 1) {
    const [line, following] = [sentences[next - 1], sentences[next]];
    if (!line || !following || following.end - start > maxBrokenCharacters) break;
    if (sentenceEnd.test(answer.slice(line.start, line.end))) break;
    spans.push({ start, end: following.end });
  }
  return spans;
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
 * Reverses tricks that hide words: full-width letters, invisible characters, letters of other scripts, letters with
 * spaces between them, and markup.
 */
const readable = (sentence: string): string =>
  withoutLookAlikes(withVisibleTags(limitMarks(sentence)).normalize('NFKC'))
    .replaceAll(invisible, '')
    .replaceAll(/(?<=^|\s)(?:\p{L}[ .·_-]){3,}\p{L}(?!\p{L})/gu, (spaced) =>
      spaced.replaceAll(/[ .·_-]/gu, ''),
    )
    .replaceAll(/[*_`~ ]+/gu, ' ')
    .trim();
