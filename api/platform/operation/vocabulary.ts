import { z } from 'zod';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { Role } from '../../../db/platform/vocabulary';
import { boundedText, trimmedText, withFewKeys } from '../text/bounded-text';
import { isVisible, withoutInvisible } from '../text/visible-text';

/** Roles that may write through this API. `merchant_selection` (hiring manager) may only read. */
export const writers: readonly Role[] = ['merchant_owner', 'merchant', 'admin'];
export const readers: readonly Role[] = [...writers, 'merchant_selection'];

/** Returns true if the role uses the coaching portal. All other roles use the dashboard. */
export const isCoaching = (role: Role): boolean => role === 'user' || role === 'mentor';

export const languageCode = z.enum(languageCodes).meta({
  id: 'LanguageCode',
  description: 'A language. Codes follow ISO 639, but `br` is Brazilian Portuguese; `fil` is Filipino.',
});

/** Any UUID. Postgres converts it to lower case. */
export const uuid = z.guid({ error: 'must be a UUID', abort: true });

/** The alias of `position_id` in operations that take the id of an interview or position. */
export const interviewIdAlias = { interview_id: 'position_id' } as const;

/** A field that a create call may omit. Null is the same as an omitted field. */
export const optionalField = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value): z.output<T> | undefined => value ?? undefined);

/** A field that a create call may omit, with a default value. Null is the same as an omitted field. */
export const fieldWithDefault = <T extends z.ZodType>(schema: T, value: z.output<T>) =>
  schema
    .nullish()
    .transform((sent): z.output<T> => sent ?? value)
    .meta({ default: value });

/** A text with at least one visible character, not only white space and zero-width characters. */
export const requiredText = (max: number) =>
  trimmedText(max)
    .min(1, { abort: true })
    .refine(isVisible, {
      error: 'must not be blank',
      params: { code: 'too_short' },
    })
    // The document shows the simpler pattern `\S`, because validators in Go and Python do not support `\p{…}`.
    .meta({ pattern: '\\S' });
/** A name with at least one visible character. Other invisible characters are removed (withoutInvisible). */
export const requiredName = (max: number) =>
  requiredText(max).transform((name) => withoutInvisible(name).trim());
export const text = (max: number) => boundedText(max);
/** A free-form JSON object of at most `maxCharacters` of JSON. */
export const freeObject = (maxCharacters: number) => {
  const error = `must be at most ${maxCharacters} characters of JSON`;
  // The shortest entry, `"":0,`, has five characters, which limits the number of keys.
  return withFewKeys(
    maxCharacters / 5,
    error,
    z
      .record(boundedText(maxCharacters), z.unknown())
      .refine((value) => JSON.stringify(value).length <= maxCharacters, {
        error,
        params: { code: 'too_long' },
      }),
  );
};

/** A boolean in a query: `true` or `false`. */
export const queryBoolean = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .meta({ type: 'boolean', enum: [true, false] });

/** A time in ISO 8601 with milliseconds and Z, the format of times in every reply. */
export const timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-15T09:30:00.000Z'] });

/**
 * A value that was stored in the form of the schema, which is published. A value of another form, which another release may
 * have stored, is sent as it is.
 */
export const asStored = <T extends z.ZodType>(schema: T) =>
  schema.catch((found?: { input: unknown }) => found?.input as z.output<T>);

/** A field that can have any JSON value. */
export const anyJson = z.unknown();

/** The maximum number of matches that a list counts whose `total` is capped, and the sentence that says so. */
export const maxCountedEntries = 1_000;
export const cappedTotalSentence = `\`total\` is capped at ${maxCountedEntries.toLocaleString('en')}, meaning that many or more; \`has_more\` is exact.`;

/** An integer in a query, where all values are texts. */
export const queryInteger = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return boundedText(100, error)
    .refine((digits) => /^\d{1,9}$/.test(digits) && Number(digits) >= min && Number(digits) <= max, {
      error,
      params: { code: 'invalid_value' },
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max });
};
/** An integer in a query, with a default value if the parameter is omitted. */
export const pagingInteger = (min: number, max: number, fallback: number) =>
  queryInteger(min, max)
    .optional()
    .transform((value) => value ?? fallback)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback });
