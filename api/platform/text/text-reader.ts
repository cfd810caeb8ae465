import { htmlLanguage } from './html';
import { oneLine } from './one-line';
import type { LanguageCode } from '../../../db/platform/vocabulary';

/** A table of short texts. Every language has all of the texts. */
export type TextTable<Key extends string> = Record<LanguageCode, Record<Key, string>>;
type DurationUnit = 'second' | 'minute' | 'day' | 'year';
type TextValues = {
  merchant?: string;
  interview?: string;
  report?: string;
  name?: string;
  date?: Date;
  /** The time zone of `date`, by default UTC. */
  timeZone?: string;
  number?: number;
  of?: number;
  count?: number;
  /** A length of time, shown with its unit in words. */
  duration?: { value: number; unit: DurationUnit };
};

/**
 * Returns a function that reads a text in this language and fills its placeholders. Each placeholder is filled once, so
 * a name that contains `{date}` stays as it is. Names are reduced to one line and isolated from text of the other
 * direction. Dates are shown as the day in the format of the language.
 */
export function textReader<Key extends string>(table: TextTable<Key>, language: LanguageCode) {
  return (key: Key, values: TextValues = {}): string => {
    const filled: Record<string, string | undefined> = {
      merchant: name(values.merchant, language),
      interview: name(values.interview, language),
      report: name(values.report, language),
      name: name(values.name, language),
      date: values.date && writeDay(values.date, language, values.timeZone),
      number: writeNumber(values.number, language),
      of: writeNumber(values.of, language),
      count: writeNumber(values.count, language),
      duration: values.duration && writeDuration(values.duration.value, values.duration.unit, language),
    };
    return table[language][key].replace(/\{(\w+)\}/g, (placeholder, value: string) => {
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

/** Writes a length of time in words, such as `20 minutes`. */
export const writeDuration = (value: number, unit: DurationUnit, language: LanguageCode): string =>
  new Intl.NumberFormat(htmlLanguage(language).lang, { style: 'unit', unit, unitDisplay: 'long' }).format(
    value,
  );

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
