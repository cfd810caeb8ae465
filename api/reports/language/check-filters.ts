import type { Dataset } from '../../../db/reports/dataset';
import { dayAt, isTimeZone } from './calendar';
import { guessConditionList } from './check-conditions';
import { readPeriod, readTimeZone, defaultPeriod } from './check-period';
import { expectList, isUuid, readFlag } from './check-scalars';
import { rejectUnknownKeys } from './issue';
import type { LocatedValue, IssueSource } from './issue';
import { limits } from './limits';
import { parseListOrObject } from './other-forms';
import type { Period } from './resolve-period';
import { keySynonyms, guessPreset } from './synonyms';

/**
 * The filters from one source: the report, the saved filters or the request. `where` is checked later, against the
 * datasets of the report's blocks.
 */
type ReadFilters = {
  period?: Period;
  position_ids?: readonly string[];
  interview_ids?: readonly string[];
  include_test?: boolean;
  timezone?: string;
  where?: LocatedValue;
};

const filterKeys = ['period', 'position_ids', 'interview_ids', 'include_test', 'timezone', 'where'] as const;
type FilterKey = (typeof filterKeys)[number];

/** The filters that apply, after all sources were merged. A filter that no source contains has its default. */
export type MergedFilters = {
  period: Period;
  /** False if the period that was sent is invalid. */
  isPeriodKnown: boolean;
  position_ids: readonly string[] | null;
  interview_ids: readonly string[] | null;
  include_test: boolean;
  timezone: string;
  where: LocatedValue | null;
  /** The source and the place of each filter that was sent. */
  sent: ReadonlyMap<FilterKey, { source: IssueSource; place: LocatedValue }>;
};

type FilterSettings = {
  now: Date;
  merchantZone: string;
  datasets: ReadonlyMap<string, Dataset>;
  /** The time zones that Postgres knows. */
  zones?: ReadonlySet<string>;
};

/** Reads the filters of each source, and merges them by key. Later sources replace earlier ones. */
export function readFilters(places: readonly LocatedValue[], settings: FilterSettings): MergedFilters {
  const merchantZone = isTimeZone(settings.merchantZone) ? settings.merchantZone : 'UTC';
  const merged: MergedFilters = {
    period: defaultPeriod,
    isPeriodKnown: true,
    position_ids: null,
    interview_ids: null,
    include_test: false,
    timezone: merchantZone,
    where: null,
    sent: new Map(),
  };
  const sent = new Map<FilterKey, { source: IssueSource; place: LocatedValue }>();
  for (const place of places) {
    const read = readSource(place, { ...settings, merchantZone });
    for (const key of filterKeys)
      if (read[key] !== undefined) sent.set(key, { source: place.context.source, place: place.at(key) });
    Object.assign(merged, read);
    if (!place.at('period').isMissing) merged.isPeriodKnown = read.period !== undefined;
  }
  return { ...merged, sent };
}

function readSource(
  place: LocatedValue,
  { now, merchantZone, datasets, zones }: FilterSettings,
): ReadFilters {
  if (place.isMissing) return {};
  if (!place.isObject) {
    const preset = typeof place.value === 'string' ? guessPreset(place.value) : undefined;
    const parsed = parseListOrObject(place.value);
    const suggestion = preset ? { period: { preset } } : Array.isArray(parsed) ? undefined : parsed;
    return place.fail('bad_value', { what: 'must be an object', suggestion }) ?? {};
  }
  rejectUnknownKeys(place, filterKeys, keySynonyms.filters);
  const timezone = readTimeZone(place.at('timezone'), merchantZone, zones);
  const where = place.at('where');
  const whereMeant = (value: unknown) =>
    [...datasets.values()]
      .map((dataset) => guessConditionList(value, dataset))
      .find((list) => list !== undefined);
  const hasWhere = !where.isMissing && expectList(where, 'conditions', whereMeant);
  const read: ReadFilters = {
    timezone,
    period: readPeriod(place.at('period'), dayAt(now, timezone ?? merchantZone)),
    position_ids: readIds(place.at('position_ids')),
    interview_ids: readIds(place.at('interview_ids')),
    include_test: readFlag(place.at('include_test')),
    where: hasWhere ? where : undefined,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

const idsMeant = (value: unknown) => {
  const ids = typeof value === 'string' ? value.slice(0, 8_000).split(/[\s,]+/) : [];
  return ids.length > 0 && ids.every(isUuid) ? ids : undefined;
};

/** Reads a list of ids. An empty list also replaces the ids of an earlier source, so that nothing is filtered. */
function readIds(place: LocatedValue): readonly string[] | undefined {
  if (place.isMissing || !expectList(place, 'UUIDs', idsMeant)) return undefined;
  const ids: string[] = [];
  for (const [index, item] of place.entries().entries()) {
    if (index >= limits.max_filter_ids)
      item.fail('too_many', { what: `the list must have at most ${limits.max_filter_ids} ids` });
    else if (isUuid(item.value)) ids.push(item.value.toLowerCase());
    else item.fail('bad_value', { what: 'must be a UUID' });
  }
  return [...new Set(ids)];
}

/** Filters in the shape of a request, with every default filled in. */
export type EffectiveFilters = {
  period: Period;
  position_ids?: readonly string[];
  interview_ids?: readonly string[];
  include_test: boolean;
  timezone: string;
  where?: unknown;
};

export function writeFilters(filters: MergedFilters): EffectiveFilters {
  const { period, position_ids, interview_ids, include_test, timezone, where } = filters;
  return {
    period,
    ...(position_ids?.length ? { position_ids } : {}),
    ...(interview_ids?.length ? { interview_ids } : {}),
    include_test,
    timezone,
    ...(where ? { where: where.value } : {}),
  };
}
