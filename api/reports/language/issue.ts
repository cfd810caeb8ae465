import { closest, distance } from 'fastest-levenshtein';
import { joinNamesWithin } from '../../platform/http/describe-issue';
import { jsonBytes } from './json-size';
import { toSnakeCase } from './synonyms';
import type { Synonyms } from './synonyms';

export const issueCodes = [
  'unknown_key', 'unknown_dataset', 'unknown_dimension', 'unknown_measure', 'wrong_kind', 'unknown_grain', 'unknown_op',
  'op_not_allowed_for_type', 'bad_value', 'unknown_value', 'unknown_preset', 'bad_period', 'bad_timezone',
  'compare_not_available', 'sort_not_selected', 'table_only_field', 'block_shape', 'too_many', 'too_many_buckets',
  'limit_out_of_range', 'duplicate_id', 'bad_schema',
] as const; // prettier-ignore
export type IssueCode = (typeof issueCodes)[number];

/**
 * Where an issue was found: in the definition, in the filters that the caller has saved, or in the parameters of the
 * request.
 */
export type IssueSource = 'definition' | 'saved' | 'request';

/**
 * An error in a report, with its repair: replace the value at `path` with `suggestion`, or else with the first entry
 * of `valid`. If there is neither, delete the value at `path`. For `unknown_key`, `suggestion` is the new name of the
 * key.
 */
export type Issue = {
  block_id: string | null;
  path: string;
  code: IssueCode;
  got: unknown;
  suggestion?: unknown;
  valid: readonly unknown[];
  source: IssueSource;
  error: string;
};

export const maxIssues = 20;

export type Path = readonly (string | number)[];

/** Formats `['blocks', 1, 'a b']` as `blocks[1]["a b"]`. */
function writePath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (part.length <= 100 && /^[\w-]+$/.test(part)) text += `${text && '.'}${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** Quotes a value that a caller sent, shortened so that it fits into a sentence. */
export const quoteValue = (value: unknown): string => {
  const shown = shownOf(value);
  if (typeof shown !== 'string') return shorten(JSON.stringify(shown), 80);
  return typeof value === 'string' ? JSON.stringify(shorten(shown, 60)) : shown;
};

/** Shortens a text to a number of characters without splitting a surrogate pair. */
export const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

const maxShown = 200;

/** Returns the form in which an issue reports what was sent: a small value as it is, a large one as a description. */
function shownOf(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'string') return shorten(value.slice(0, maxShown + 1).toWellFormed(), maxShown);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null || isSmallEnoughToQuote(value)) return value;
  return Array.isArray(value)
    ? `a list of ${value.length}`
    : `an object with ${Object.keys(value).length} keys`;
}

/** Returns whether a value is small enough to be repeated in an issue. */
export const isSmallEnoughToQuote = (value: unknown): boolean => jsonBytes(value, maxShown) <= maxShown;

/** Returns the candidate that a misspelled name or a synonym probably means. */
export function suggest(
  name: unknown,
  candidates: readonly string[],
  synonyms?: Synonyms,
): string | undefined {
  if (typeof name !== 'string' || name === '' || name.length > 100 || candidates.length === 0)
    return undefined;
  const meant = synonyms?.get(toSnakeCase(name));
  if (meant !== undefined && candidates.includes(meant)) return meant;
  const wanted = name.toLowerCase();
  // Names with different numbers mean different fields: `p50_score` is not `p90_score`.
  const similar = candidates.filter(
    (candidate) => digitsOf(wanted) === '' || digitsOf(wanted) === digitsOf(candidate),
  );
  const lower = similar.map((candidate) => candidate.toLowerCase());
  if (lower.length === 0) return undefined;
  const nearest = closest(wanted, lower);
  if (distance(wanted, nearest) <= Math.max(1, Math.floor(wanted.length * 0.34)))
    return similar[lower.indexOf(nearest)];
  const containing = similar.filter((_, index) => lower[index]?.includes(wanted));
  return wanted.length >= 4 && containing.length === 1 ? containing[0] : undefined;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/**
 * What is wrong at a place in a report. The error's sentence lists the texts in `listed`, or those in `valid` if
 * `listed` is missing.
 */
export type Problem = {
  what: string;
  suggestion?: unknown;
  valid?: readonly unknown[];
  listed?: readonly string[];
};

/** The list that collects issues, and the source and block that these issues are about. */
export type IssueContext = {
  issues: Issue[];
  source: IssueSource;
  block: { index: number; id: string | null } | null;
};

/** A value of a definition together with its path. */
export class LocatedValue {
  /** `last` is the path of this value within `parent`, or the whole path if there is no parent. */
  constructor(
    readonly value: unknown,
    private readonly last: Path,
    readonly context: IssueContext,
    private readonly parent: LocatedValue | null = null,
  ) {}

  /** The correct names of keys that the caller misspelled. These keys are not reported as missing as well. */
  private readonly renamed = new Set<string>();

  /** Returns true if the key was sent under another name. */
  isRenamed(key: string): boolean {
    return this.renamed.has(key);
  }

  rename(key: string): void {
    this.renamed.add(key);
  }

  get path(): Path {
    return this.parent === null ? this.last : [...this.parent.path, ...this.last];
  }

  get isMissing(): boolean {
    return this.value === undefined;
  }

  /** Returns the place of an entry of an object or a list. Inherited properties count as missing. */
  at(key: string | number): LocatedValue {
    const { value } = this;
    const isHeld = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return new LocatedValue(isHeld ? Reflect.get(value, key) : undefined, [key], this.context, this);
  }

  /** Returns the places of the entries of a list, at most `max`. */
  entries(max = 1_000): LocatedValue[] {
    if (!Array.isArray(this.value)) return [];
    return Array.from({ length: Math.min(max, this.value.length) }, (_, index) => this.at(index));
  }

  /**
   * Returns this place, but with its issues assigned to `block`, for example because the block cannot use the filter
   * at this place.
   */
  within(block: LocatedValue): LocatedValue {
    const { issues, block: about } = block.context;
    return new LocatedValue(this.value, this.path, { issues, source: this.context.source, block: about });
  }

  get isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  /** Records an issue. Returns undefined, so that a caller can write `return place.fail(…)`. */
  fail(code: IssueCode, problem: Problem): undefined {
    const { what, suggestion, valid = [], listed } = problem;
    const { issues, source, block } = this.context;
    if (issues.length >= maxIssues) return undefined;
    if (this.isMissing && this.parent?.isRenamed(String(this.last.at(-1)))) return undefined;
    // A missing value cannot be deleted, so the issue is about the object that lacks the value.
    if (this.isMissing && this.parent && suggestion === undefined && valid.length === 0)
      return this.parent.fail(code, { ...problem, what: `\`${this.last.at(-1)}\` ${what}` });
    const names = listed ?? valid.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
    const hint = hintOf(suggestion, valid);
    const list =
      names.length === 0 ? '' : `${hint.endsWith('?') ? '' : ';'} valid: ${joinNamesWithin(names)}`;
    issues.push({
      block_id: block?.id ?? null,
      path: writePath(this.path),
      code,
      got: shownOf(this.value),
      ...(suggestion === undefined ? {} : { suggestion }),
      valid,
      source,
      error: `${this.location()}: ${what}${hint}${list}${list === '' && hint.endsWith('?') ? '' : '.'}`,
    });
    return undefined;
  }

  private location(): string {
    const { block, source } = this.context;
    const own = block !== null && this.path[0] === 'blocks';
    const path = shorten(writePath(own && block.id !== null ? this.path.slice(2) : this.path), 200);
    if (block === null || block.id === null)
      return source === 'saved' ? `${path} of the saved filters` : path || 'definition';
    const where = own ? path : `${path} of the ${source === 'saved' ? 'saved filters' : source}`;
    return `block "${block.id}"${where && `, ${where}`}`;
  }
}

function hintOf(suggestion: unknown, valid: readonly unknown[]): string {
  if (suggestion === undefined) return '';
  return valid.includes(suggestion)
    ? `; did you mean ${quoteValue(suggestion)}?`
    : `; for example ${quoteValue(suggestion)}`;
}

/**
 * Records an issue for each unknown key of an object. The issue suggests the key that was probably meant, unless the
 * object already has that key.
 */
export function rejectUnknownKeys(place: LocatedValue, known: readonly string[], synonyms?: Synonyms): void {
  if (!place.isObject) return;
  const keys = Object.keys(place.value as object);
  for (const key of keys) {
    if (known.includes(key)) continue;
    if (place.context.issues.length >= maxIssues) return;
    if (place.at(key).isMissing) continue;
    const free = known.filter((name) => place.at(name).isMissing && !place.isRenamed(name));
    const suggestion = suggest(key, free, synonyms);
    if (suggestion !== undefined) place.rename(suggestion);
    place.at(key).fail('unknown_key', {
      what: `unknown key ${quoteValue(key)}`,
      suggestion,
      valid: suggestion === undefined ? [] : free,
      listed: known,
    });
  }
}
