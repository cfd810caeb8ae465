import type { LanguageCode } from '../../db/platform/vocabulary';
import { quotesOverlap } from './combine';
import { foldText } from './fold';
import { isUnfitForSummary, findListedWords } from './left-out';
import type { Bracket, QuotedFinding, CombinedCriterion } from './types';

/** The judged criteria of an answer or of the session. `turn_id` is the turn of quotes that do not name one. */
export type JudgedPart = { turn_id: string | null; criteria: readonly CombinedCriterion[] };
type Passage = Omit<QuotedFinding, 'text'>;

/**
 * What a criterion shows about the answers. A `strength` is a moderate or strong item that is met, a `weak_point` is a
 * weak item that is met, and a `gap` is a moderate or strong item that is not met. A weak item that is not met shows
 * nothing, and neither does an unclear one. `passage` is the evidence. That of a gap is a strength of the same answer, or
 * null if it has none.
 */
export type Finding = ShownFinding | FindingOf<'gap', Passage | null>;
export type ShownFinding = FindingOf<'strength', Passage> | FindingOf<'weak_point', Passage>;
type FindingOf<Kind, Proof> = { kind: Kind; bracket: Bracket; criterion: string; passage: Proof };

const brackets: readonly Bracket[] = ['strong', 'moderate', 'weak'];

/**
 * Returns what summaries may say about the answers, each criterion once, from strong to weak. Quotes that no summary may
 * contain are left out, and so are gaps that another answer fills. A passage that shows a weak point in any part of the
 * whole result is no strength.
 */
export function findingsOf(
  parts: readonly JudgedPart[],
  language: LanguageCode,
  whole: readonly JudgedPart[] = parts,
): Finding[] {
  const subjects = findListedWords(
    parts.flatMap(({ criteria }) => criteria.map(({ text }) => text)).join('\n'),
    language,
  );
  const weakPassages = whole.flatMap(({ turn_id, criteria }) =>
    criteria.flatMap((one) => (one.bracket === 'weak' && passageOf(one, turn_id)) || []),
  );
  const open = new Set(
    parts.flatMap(({ criteria }) =>
      criteria.filter(({ met }) => met !== 'no').map(({ text }) => foldText(text)),
    ),
  );
  const findings = parts.flatMap(({ turn_id, criteria }) => {
    const shown = criteria.flatMap((criterion): ShownFinding[] => {
      const passage = passageOf(criterion, turn_id);
      if (passage === null || isUnfitForSummary(passage.quote, language, subjects)) return [];
      const { bracket, text } = criterion;
      if (bracket === 'weak') return [{ kind: 'weak_point', bracket, criterion: text, passage }];
      if (weakPassages.some((weak) => quotesOverlap(weak, passage))) return [];
      return [{ kind: 'strength', bracket, criterion: text, passage }];
    });
    const strength = shown.find(({ kind }) => kind === 'strength');
    const gaps = criteria
      .filter(({ bracket, met, text }) => bracket !== 'weak' && met === 'no' && !open.has(foldText(text)))
      .map(({ bracket, text }): Finding => ({
        kind: 'gap',
        bracket,
        criterion: text,
        // The criteria of the session belong to no single answer.
        passage: (turn_id !== null && strength?.passage) || null,
      }));
    return [...shown, ...gaps];
  });
  return uniqueBy(findings, ({ criterion }) => foldText(criterion)).toSorted(
    (one, other) => brackets.indexOf(one.bracket) - brackets.indexOf(other.bracket),
  );
}

/** Returns the entries whose key no earlier entry has. */
export function uniqueBy<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => seen.size < seen.add(keyOf(entry)).size);
}

function passageOf(
  { met, quote, start, end, turn_id }: CombinedCriterion,
  otherwise: string | null,
): Passage | null {
  if (met !== 'yes' || quote === null || start === null || end === null) return null;
  return { quote, start, end, turn_id: turn_id ?? otherwise ?? '' };
}
