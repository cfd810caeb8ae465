import type { LanguageCode } from '../../db/platform/vocabulary';
import { foldText } from './fold';
import { isLeftOut } from './left-out';
import type { Bracket, Claim, CombinedCriterion } from './types';

/** The judged criteria of an answer or of the session. `turn_id` is the turn of quotes that do not name one. */
export type JudgedPart = { turn_id: string | null; criteria: readonly CombinedCriterion[] };
type Passage = Omit<Claim, 'text'>;

/**
 * What a criterion shows about the answers. A `strength` is a moderate or strong item that is met, a `weak_point` is a
 * weak item that is met, and a `gap` is a moderate or strong item that is not met. A weak item that is not met shows
 * nothing, and neither does an unclear one. `passage` is the evidence. That of a gap is what the same answer does show,
 * or null if it shows nothing.
 */
export type Finding = ShownFinding | FindingOf<'gap', Passage | null>;
export type ShownFinding = FindingOf<'strength', Passage> | FindingOf<'weak_point', Passage>;
type FindingOf<Kind, Proof> = { kind: Kind; bracket: Bracket; criterion: string; passage: Proof };

const brackets: readonly Bracket[] = ['strong', 'moderate', 'weak'];

/**
 * Returns what summaries may say about the answers, each criterion once, from strong to weak. Criteria and quotes that no
 * summary may contain are left out, and so are gaps that another answer fills.
 */
export function findingsOf(parts: readonly JudgedPart[], language: LanguageCode): Finding[] {
  const open = new Set(
    parts.flatMap(({ criteria }) =>
      criteria.filter(({ met }) => met !== 'no').map(({ text }) => foldText(text)),
    ),
  );
  const findings = parts.flatMap(({ turn_id, criteria }) => {
    const allowed = criteria.filter(({ text }) => !isLeftOut(text, language));
    const shown = allowed.flatMap((criterion): Finding[] => {
      const passage = passageOf(criterion, turn_id);
      if (passage === null || isLeftOut(passage.quote, language)) return [];
      const { bracket, text } = criterion;
      const kind = bracket === 'weak' ? 'weak_point' : 'strength';
      return [{ kind, bracket, criterion: text, passage }];
    });
    const gaps = allowed
      .filter(({ bracket, met, text }) => bracket !== 'weak' && met === 'no' && !open.has(foldText(text)))
      .map(({ bracket, text }): Finding => ({
        kind: 'gap',
        bracket,
        criterion: text,
        passage: shown[0]?.passage ?? null,
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
