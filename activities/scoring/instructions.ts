import { languages } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { limitCombiningMarks } from '../platform/limit-marks';
import { invisibleCharacters } from './fold';
import type { TextSpan } from './fold';
import { signs, structures } from './instruction-signs';
import { skeletonOf, replaceLookAlikes, revealTagCharacters } from './look-alikes';
import { isShorterThan, quoteLength, sentencesOf } from './words';

const letter = String.raw`[\p{L}\p{M}\p{N}]`;
/**
 * Returns an expression that matches whole words, unless the language joins them. The Turkish ı also matches i, as
 * which `readable` reads it.
 */
const whole = (code: string, inside: string): RegExp =>
  languages[code as LanguageCode].isJoined
    ? new RegExp(inside, 'iu')
    : new RegExp(
        `(?<!${letter})(?:${inside.replaceAll(String.raw`\w`, letter).replaceAll('ı', '[ıi]')})(?!${letter})`,
        'iu',
      );
const patterns = Object.entries(signs).map(([code, { testimony = '(?!)', context = '(?!)', ...sign }]) => ({
  dismiss: whole(code, sign.dismiss),
  rules: whole(code, sign.rules),
  assess: whole(code, sign.assess),
  verdict: whole(code, sign.verdict),
  assessor: whole(code, sign.assessor),
  testimony: whole(code, testimony),
  witness: whole(code, sign.witness),
  says: whole(code, sign.says),
  candidate: whole(code, sign.candidate),
  /** What every instruction has. A text without it needs no other comparison. */
  cue: whole(code, [sign.rules, sign.verdict, sign.assessor, testimony, sign.witness].join('|')),
  /** What a clause of an instruction has. */
  part: whole(
    code,
    [
      sign.dismiss,
      sign.rules,
      sign.verdict,
      sign.assessor,
      testimony,
      context,
      sign.witness,
      sign.candidate,
    ].join('|'),
  ),
}));

/**
 * Returns the clauses of an answer that tell the assessor what to do, for example how to score or to ignore its
 * instructions. Harmless sentences about such things can be among them, so the answer is also flagged for a person.
 */
export function findInstructions(answer: string): TextSpan[] {
  const sentences = sentencesOf(answer);
  const found = sentences.flatMap(({ start, end }, index): (TextSpan & { isQuotation?: boolean })[] => {
    const sentence = inOneLine(answer.slice(start, end));
    if (structures.some((sign) => sign.test(sentence))) {
      const places = structures.map((sign) => sign.exec(answer.slice(start, end))?.index ?? end - start);
      const lineEnd = /[\n\r]|$/u.exec(answer.slice(end))?.index ?? 0;
      const from = Math.min(...places);
      return [{ start: start + (from < end - start ? from : 0), end: end + lineEnd }];
    }
    const instructs = (span: TextSpan) =>
      isInstruction(readable(inOneLine(answer.slice(span.start, span.end))));
    const quotation = endOfQuotation(answer, { start, end });
    if (quotation > end && instructs({ start, end: quotation }))
      return [{ ...clausesOf(answer, { start, end: quotation }), isQuotation: true }];
    const spans = [{ start, end }, ...brokenSpans(answer, sentences, index)];
    // What a span has, the longest one has, too. Most texts have no instruction, so one comparison is enough.
    const [longest] = spans.slice(-1);
    const whole = longest && instructs(longest) ? spans.find(instructs) : undefined;
    if (whole) return [clausesOf(answer, whole)];
    return isDisguised(sentence) ? [{ start, end }] : [];
  });
  // Lines before an instruction do not belong to it. Of several spans with the same end, only the shortest is kept, but a
  // quotation belongs to the words before it.
  return found.filter(({ end, isQuotation }, index) => {
    const next = found[index + 1];
    return isQuotation === true || next === undefined || next.end > end;
  });
}

/** Matches where a clause begins: after a mark, and before words that begin a request. */
const clauseStart =
  /(?<=[,;:–—、，；：])\s*(?=\S)|(?<![\u{e0020}-\u{e007e}])(?=[\u{e0020}-\u{e007e}])|(?<=[\u{e0020}-\u{e007e}])(?![\u{e0020}-\u{e007e}])|\s(?=(?:and|but|so|please|und|bitte|et|y|e|ve|en|por favor|per favore|lütfen|и|пожалуйста)\s)/giu;

/**
 * Shortens the span of an instruction to the clauses that have a part of it. What the candidate said before and after
 * them in the same sentence remains evidence.
 */
function clausesOf(answer: string, { start, end }: TextSpan): TextSpan {
  const text = answer.slice(start, end);
  const starts = [0, ...Array.from(text.matchAll(clauseStart), ({ index, 0: { length } }) => index + length)];
  const clauses = starts
    .map((from, index) => ({ start: start + from, end: start + (starts[index + 1] ?? text.length) }))
    .filter((clause) => {
      const said = readable(inOneLine(answer.slice(clause.start, clause.end)));
      return patterns.some(({ part }) => part.test(said));
    });
  const [first, last] = [clauses[0], clauses.at(-1)];
  if (!first || !last) return { start, end };
  const cut = { start: first.start, end: isTestimony(readable(inOneLine(text))) ? end : last.end };
  // A rest that is too short for a quote goes, too.
  return {
    start: isShorterThan(answer.slice(start, cut.start), quoteLength) ? start : cut.start,
    end: isShorterThan(answer.slice(cut.end, end), quoteLength) ? end : cut.end,
  };
}

const maxQuotationCharacters = 1_000;

/** Returns the end of the sentence, or of a quotation that begins in it and goes on over the next sentences. */
function endOfQuotation(answer: string, { start, end }: TextSpan): number {
  const [mark] = answer.slice(start, end).match(/["“„«「『](?=[^"“”„«»「」『』]*$)/u) ?? [];
  if (mark === undefined || (mark === '"' && answer.slice(start, end).split('"').length % 2 === 1))
    return end;
  const rest = answer.slice(end, end + maxQuotationCharacters);
  const close = /["“”»」』]/u.exec(rest)?.index;
  return close === undefined ? end : end + close + 1;
}

/** Shortens white space, because the expressions look back over it, which takes quadratic time in long runs. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/** A sentence that is broken into several lines is read as a whole only up to these limits. */
const maxLines = 4;
const maxBrokenCharacters = 400;
const sentenceEnd = /[.!?。！？]["'»”)\]]?$/u;

/** Returns spans that join a line to one, two or three of the lines after it, until a line ends like a sentence. */
function brokenSpans(answer: string, sentences: readonly TextSpan[], index: number): TextSpan[] {
  const start = sentences[index]?.start ?? 0;
  const spans: TextSpan[] = [];
  for (let next = index + 1; next < index + maxLines; next += 1) {
    const [line, following] = [sentences[next - 1], sentences[next]];
    if (!line || !following || following.end - start > maxBrokenCharacters) break;
    if (sentenceEnd.test(answer.slice(line.start, line.end))) break;
    spans.push({ start, end: following.end });
  }
  return spans;
}

function isInstruction(sentence: string): boolean {
  if (isTestimony(sentence)) return true;
  return patterns.some(
    ({ cue, dismiss, rules, assess, verdict, assessor }) =>
      cue.test(sentence) &&
      ((dismiss.test(sentence) && rules.test(sentence)) ||
        (assess.test(sentence) && verdict.test(sentence)) ||
        assessor.test(sentence)),
  );
}

/** Returns true if a sentence repeats what somebody else says about the candidate. */
const isTestimony = (sentence: string): boolean =>
  patterns.some(
    ({ cue, testimony, witness, says, candidate, verdict }) =>
      cue.test(sentence) &&
      (testimony.test(sentence) ||
        (witness.test(sentence) &&
          says.test(sentence) &&
          (candidate.test(sentence) || verdict.test(sentence)))),
  );

/** Words that are long enough to be read in another way, with a sign of an encoding. */
const encoded = /[A-Za-z0-9+/]{16,}={0,2}/gu;
const rotated = (text: string): string =>
  text.replaceAll(/[a-z]/giu, (each) => {
    const code = each.charCodeAt(0);
    return String.fromCharCode(code + ((code & 31) <= 13 ? 13 : -13));
  });

/** Returns true if the sentence is an instruction when it is read backwards, decoded, or with digits as letters. */
function isDisguised(sentence: string): boolean {
  if (!/[a-z0-9]{3}/iu.test(sentence)) return false;
  const text = readable(sentence);
  const decoded = (text.match(encoded) ?? [])
    .map((word) => Buffer.from(word, 'base64').toString('latin1'))
    .filter((words) => /^[\x20-\x7e\n]+$/u.test(words));
  return [
    Array.from(text).toReversed().join(''),
    rotated(text),
    skeletonOf(text.toLowerCase()),
    ...decoded,
  ].some(isInstruction);
}

/** Arabic characters that NFKC replaces with up to 18 others. */
const phrases = /[\ufdf0-\ufdfb]/gu;

/**
 * Reverses tricks that hide words: full-width letters, invisible characters, letters of other scripts, letters with
 * spaces between them, and markup.
 */
const readable = (sentence: string): string =>
  replaceLookAlikes(
    revealTagCharacters(limitCombiningMarks(sentence)).replaceAll(phrases, ' ').normalize('NFKC'),
  )
    .replaceAll(invisibleCharacters, '')
    .replaceAll(/(?<=^|\s)(?:\p{L}[ .·_-]){3,}\p{L}(?!\p{L})/gu, (spaced) =>
      spaced.replaceAll(/[ .·_-]/gu, ''),
    )
    .replaceAll(/[*_`~ ]+/gu, ' ')
    .trim();
