import type { LanguageCode } from '../../../db/platform/vocabulary';
import { htmlLanguage } from './html';
import { oneLine } from './one-line';

type DurationUnit = 'second' | 'minute' | 'hour' | 'day' | 'year';
type TextValues = {
  merchant?: string;
  interview?: string;
  report?: string;
  name?: string;
  date?: Date;
  /** The time zone of `date`, by default UTC. */
  timeZone?: string;
  /** A word that is the same in all languages. */
  word?: string;
  number?: number;
  of?: number;
  count?: number;
  /** A length of time, shown with its unit in words. */
  duration?: { value: number; unit: DurationUnit };
};

/**
 * Returns a function that reads one of these texts, which are in this language, and fills its placeholders. Each placeholder is filled once, so
 * a name that contains `{date}` stays as it is. Names are reduced to one line and isolated from text of the other
 * direction. Dates are shown as the day in the format of the language.
 */
export function textReader<Key extends string>(texts: Record<Key, string>, language: LanguageCode) {
  return (key: Key, values: TextValues = {}): string => {
    const filled: Record<string, string | undefined> = {
      merchant: name(values.merchant, language),
      interview: name(values.interview, language),
      report: name(values.report, language),
      name: name(values.name, language),
      date: values.date && writeDay(values.date, language, values.timeZone),
      word: values.word,
      number: writeNumber(values.number, language),
      of: writeNumber(values.of, language),
      count: writeNumber(values.count, language),
      duration: values.duration && writeDuration(values.duration.value, values.duration.unit, language),
    };
    return texts[key].replace(/\{(\w+)\}/g, (placeholder, value: string) => {
      const text = filled[value];
      if (text === undefined) throw new Error(`no value for ${placeholder} of ${key}`);
      return text;
    });
  };
}

function writeDay(date: Date, language: LanguageCode, timeZone = 'UTC'): string {
  const { lang } = htmlLanguage(language);
  return new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone }).format(date);
}

/** A formatter for each language that was used. Creating one takes a third of a millisecond. */
const numberFormats = new Map<LanguageCode, Intl.NumberFormat>();

function writeNumber(value: number | undefined, language: LanguageCode): string | undefined {
  if (value === undefined) return undefined;
  const format = numberFormats.get(language) ?? new Intl.NumberFormat(htmlLanguage(language).lang);
  numberFormats.set(language, format);
  return format.format(value);
}

/**
 * Writes a length of time as people do: `20 minutes`, `1 minute 58 seconds`, `10 years`. `value` is a whole number. Days
 * stay days, unless they are whole years.
 */
export function writeDuration(value: number, unit: DurationUnit, language: LanguageCode): string {
  const { lang } = htmlLanguage(language);
  const parts = partsOf(value, unit).map(([count, name]) =>
    new Intl.NumberFormat(lang, { style: 'unit', unit: name, unitDisplay: 'long' }).format(count),
  );
  return parts.length === 1
    ? String(parts[0])
    : new Intl.ListFormat(lang, { type: 'unit', style: 'narrow' }).format(parts);
}

type DurationPart = [count: number, unit: DurationUnit];

function partsOf(value: number, unit: DurationUnit): DurationPart[] {
  if (unit === 'day' && value > 0 && value % 365 === 0) return [[value / 365, 'year']];
  const larger = unit === 'second' ? 'minute' : unit === 'minute' ? 'hour' : undefined;
  if (!larger || value < 60) return [[value, unit]];
  const rest = value % 60;
  return [...partsOf(Math.floor(value / 60), larger), ...(rest > 0 ? [[rest, unit] as DurationPart] : [])];
}

/**
 * Encloses a name in a first-strong isolate, but only if text directions can mix, because elsewhere the added
 * characters would interfere with searching.
 */
function name(value: string | undefined, language: LanguageCode): string | undefined {
  if (value === undefined) return undefined;
  const line = oneLine(value);
  const meets = htmlLanguage(language).dir === 'rtl' || rightToLeft.test(line);
  return meets ? `\u2068${line}\u2069` : line;
}
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
