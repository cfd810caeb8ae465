import { isTimeZone, writeDay } from './calendar';
import { readDate } from './check-value';
import { quoteValue, rejectUnknownKeys, suggest } from './issue';
import type { LocatedValue } from './issue';
import { parseListOrObject } from './other-forms';
import { presets } from './resolve-period';
import type { Period, Preset } from './resolve-period';
import { keySynonyms, guessPreset } from './synonyms';

const defaultPreset: Preset = 'last_30_days';
export const defaultPeriod: Period = { preset: defaultPreset };

/** Returns the period object for a preset, such as `{preset: 'last_7_days'}`. */
const asPeriod = (preset: string) => ({ preset });
const isPreset = (text: unknown): text is Preset => presets.some((preset) => preset === text);
const plainPresets = [
  defaultPreset,
  ...presets.filter((name) => name !== 'custom' && name !== defaultPreset),
];

const presetFor = (value: unknown) =>
  typeof value === 'string' ? (guessPreset(value) ?? suggest(value, presets)) : undefined;

/** Reads a period. `today` is the current day in the report's time zone. */
export function readPeriod(place: LocatedValue, today: number): Period | undefined {
  if (place.isMissing) return undefined;
  if (!place.isObject) {
    const near = presetFor(place.value);
    const parsed = parseListOrObject(place.value);
    const meant = near === undefined ? parsed : asPeriod(near);
    return place.fail('bad_value', {
      what: 'must be an object such as {"preset": "last_30_days"}',
      suggestion: near === 'custom' || Array.isArray(meant) ? undefined : meant,
      valid: plainPresets.map(asPeriod),
      listed: plainPresets,
    });
  }
  rejectUnknownKeys(place, ['preset', 'from', 'to'], keySynonyms.period);
  const preset = readPreset(place);
  if (preset === undefined) return undefined;
  const from = place.at('from');
  const to = place.at('to');
  if (preset === 'custom') return readCustom(place, from, to, today);
  const surplus = [from, to].filter(({ isMissing }) => !isMissing);
  for (const date of surplus)
    date.fail('bad_period', { what: `must not be sent with the preset "${preset}", but with "custom"` });
  return surplus.length > 0 ? undefined : { preset };
}

function readPreset(place: LocatedValue): Preset | undefined {
  const preset = place.at('preset');
  const { value } = preset;
  if (isPreset(value)) return value;
  if (typeof value !== 'string') {
    const isCustom = ['from', 'to'].some((key) => !place.at(key).isMissing || place.isRenamed(key));
    return preset.fail('bad_value', {
      what: value === undefined ? 'is required' : 'must be the name of a preset',
      suggestion: isCustom ? 'custom' : undefined,
      valid: isCustom ? presets : plainPresets,
    });
  }
  return preset.fail('unknown_preset', {
    what: `unknown preset ${quoteValue(value)}`,
    suggestion: presetFor(value),
    valid: presets,
  });
}

function readCustom(
  place: LocatedValue,
  from: LocatedValue,
  to: LocatedValue,
  today: number,
): Period | undefined {
  const first = readBound(from, to, writeDay(today - 29));
  const last = readBound(to, from, writeDay(today));
  if (first === undefined || last === undefined) return undefined;
  if (first > last)
    return place.fail('bad_period', {
      what: '`from` must not be after `to`',
      suggestion: { preset: 'custom', from: last, to: first },
    });
  return { preset: 'custom', from: first, to: last };
}

/**
 * Reads a date of a custom period. If the value does not resemble a date, the issue has no suggestion, and `valid`
 * contains an example.
 */
function readBound(place: LocatedValue, other: LocatedValue, fallback: string): string | undefined {
  const read = readDate(place.value);
  if ('date' in read) return read.date;
  const { what, suggestion, meant } = read;
  const near = readDate(other.value);
  const valid = meant.length > 0 ? meant : ['date' in near ? near.date : fallback];
  return place.fail('bad_period', { what, suggestion, valid });
}

const zoneNames = Intl.supportedValuesOf('timeZone');

/** Reads a time zone. If `zones` is given, it contains the names that Postgres knows, and only these are accepted. */
export function readTimeZone(
  place: LocatedValue,
  merchantZone: string,
  zones: ReadonlySet<string> | undefined,
): string | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isTimeZone(value) && (zones === undefined || zones.has(value)))
    return value;
  const isUsable = (zone: string) => zones === undefined || zones.has(zone);
  const name = typeof value === 'string' ? value.slice(0, 100).replaceAll(' ', '_') : value;
  const what = 'must be an IANA time zone, such as Europe/Amsterdam';
  return place.fail('bad_timezone', {
    what: typeof value === 'string' ? `${what}, not ${quoteValue(value)}` : what,
    suggestion: suggest(name, zoneNames.filter(isUsable)),
    valid: [...new Set([merchantZone, 'UTC'])].filter(isUsable),
  });
}
