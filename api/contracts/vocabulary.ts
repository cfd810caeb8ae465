import { z } from 'zod';
import { boundedText, trimmedText, withFewKeys } from './bounded-text';

/** The enums of the API, each in one place; test/db/vocabulary.test.ts compares them with the CHECKs. */
export const environments = ['production', 'uat', 'development', 'demo'] as const;
export const interviewTypes = [
  'coaching',
  'interview',
  'persona',
  'persona_interview',
  'public_avatar',
  'assessment',
] as const;
export const interviewStatuses = [
  'draft',
  'active',
  'archived',
  'deleted',
  'preparing',
  'completed',
] as const;
export const visibilities = [
  'public',
  'merchant_public',
  'merchant_invite',
  'merchant_unlisted',
  'sub_item',
] as const;
export const stages = [
  'Interest',
  'Application submitted',
  'Interview 1st planned',
  'Interview 1st completed',
  'Interview 2nd planned',
  'Interview 2nd completed',
  'Interview 3rd planned',
  'Interview 3rd completed',
  'Offer negotiations',
  'Hired',
  'Rejected',
  'Offer declined',
  'Other',
] as const;
export const templateTypes = [
  'offline_avatar_1',
  'offline_avatar_2',
  'interactive_avatar_1',
  'offline_avatar_3',
  'interactive_voice',
  'interactive_avatar_2',
] as const;
export const recordings = [
  'audio_first_5_answers',
  'audio_all',
  'video_all',
  'video_first_5_answers',
] as const;
export const creditTypes = [
  'resume_check',
  'interview_coach_starter',
  'interview_coach_contributor',
  'interview_coach_manager',
  'cover_letter',
] as const;
export const resultViews = [
  'minimal',
  'advanced',
  'full',
  'full_expand_scores',
  'minimal_with_score',
  'none',
] as const;
export const videoIntroductions = ['hidden', 'optional', 'required'] as const;
export const notificationChannels = ['reminders', 'last_reminder', 'all'] as const;
export const coachPlans = ['demo', 'screening', '2nd', '3rd', 'closing', 'job-specific', 'other'] as const;
export const conversationSpeeds = ['slower', 'normal', 'faster'] as const;
export const interviewKinds = [
  'pre-screening',
  'pre-screening-with-test-questions',
  'second-interview',
  'remote-freelancer-verification',
  'strength-based-interview',
  'potential-based-interview',
  'process-verification-from-knowledge-base',
] as const;
export const seniorityLevels = [
  'entry-level',
  'intermediate',
  'senior',
  'managerial',
  'director',
  'executive',
] as const;

export const roles = [
  'merchant_owner',
  'merchant',
  'merchant_selection',
  'admin',
  'user',
  'mentor',
  'candidate',
] as const;
export type Role = (typeof roles)[number];
export type Environment = (typeof environments)[number];

/** Roles that may write through this API; `merchant_selection` (hiring manager) only reads. */
export const writers: readonly Role[] = ['merchant_owner', 'merchant', 'admin'];
export const readers: readonly Role[] = [...writers, 'merchant_selection'];

/** Who uses the coaching portal; the others' place is the dashboard. */
export const isCoaching = (role: Role): boolean => role === 'user' || role === 'mentor';

/** Languages (`platform_language_code`): English name, and speech recognition's code for each. */
export const languages = {
  ar: { name: 'Arabic', speech: 'ar-SA' },
  bg: { name: 'Bulgarian', speech: 'bg-BG' },
  zh: { name: 'Chinese', speech: 'zh-CN' },
  hr: { name: 'Croatian', speech: 'hr-HR' },
  cs: { name: 'Czech', speech: 'cs-CZ' },
  da: { name: 'Danish', speech: 'da-DK' },
  nl: { name: 'Dutch', speech: 'nl-NL' },
  en: { name: 'English', speech: 'en-US' },
  fil: { name: 'Filipino', speech: 'fil-PH' },
  fi: { name: 'Finnish', speech: 'fi-FI' },
  fr: { name: 'French', speech: 'fr-FR' },
  de: { name: 'German', speech: 'de-DE' },
  el: { name: 'Greek', speech: 'el-GR' },
  hi: { name: 'Hindi', speech: 'hi-IN' },
  hu: { name: 'Hungarian', speech: 'hu-HU' },
  id: { name: 'Indonesian', speech: 'id-ID' },
  it: { name: 'Italian', speech: 'it-IT' },
  ja: { name: 'Japanese', speech: 'ja-JP' },
  ko: { name: 'Korean', speech: 'ko-KR' },
  ms: { name: 'Malay', speech: 'ms-MY' },
  no: { name: 'Norwegian', speech: 'nb-NO' },
  pl: { name: 'Polish', speech: 'pl-PL' },
  pt: { name: 'Portuguese', speech: 'pt-PT' },
  br: { name: 'Brazilian Portuguese', speech: 'pt-BR' },
  ro: { name: 'Romanian', speech: 'ro-RO' },
  ru: { name: 'Russian', speech: 'ru-RU' },
  sk: { name: 'Slovak', speech: 'sk-SK' },
  es: { name: 'Spanish', speech: 'es-ES' },
  sv: { name: 'Swedish', speech: 'sv-SE' },
  ta: { name: 'Tamil', speech: 'ta-IN' },
  th: { name: 'Thai', speech: 'th-TH' },
  tr: { name: 'Turkish', speech: 'tr-TR' },
  uk: { name: 'Ukrainian', speech: 'uk-UA' },
  vi: { name: 'Vietnamese', speech: 'vi-VN' },
} as const;
export type LanguageCode = keyof typeof languages;
export const languageCodes = Object.keys(languages) as [LanguageCode, ...LanguageCode[]];

export const languageCode = z.enum(languageCodes).meta({
  id: 'LanguageCode',
  description: 'A language. Codes follow ISO 639, but `br` is Brazilian Portuguese; `fil` is Filipino.',
});

/** Any UUID; Postgres folds its case. */
export const uuid = z.guid({ error: 'must be a UUID', abort: true });

/** The alias of operations that call the id of an interview or position otherwise. */
export const interviewIdAlias = { interview_id: 'position_id' } as const;

/** A field a create may leave out; null is the same as leaving it out. */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value): z.output<T> | undefined => value ?? undefined);

/** The same with the value that is used when it is left out. */
export const withDefault = <T extends z.ZodType>(schema: T, value: z.output<T>) =>
  schema
    .nullish()
    .transform((sent): z.output<T> => sent ?? value)
    .meta({ default: value });

/** A text that shows something: white space and zero-width characters alone do not. */
export const requiredText = (max: number) =>
  trimmedText(max)
    .min(1, { abort: true })
    .refine((shown) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(shown), {
      error: 'must not be blank',
      params: { code: 'too_short' },
    })
    // Validators of Go and Python read no `\p{…}`.
    .meta({ pattern: '\\S' });
export const text = (max: number) => boundedText(max);
/** A free JSON object, at most `maxCharacters` of JSON. */
export const freeObject = (maxCharacters: number) => {
  const error = `must be at most ${maxCharacters} characters of JSON`;
  // The shortest entry is `"":0,`.
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

/** A query's boolean: the words true and false. */
export const queryBoolean = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .meta({ type: 'boolean', enum: [true, false] });

/** ISO 8601 with milliseconds and Z, as every reply writes it. */
export const timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-15T09:30:00.000Z'] });

/** Any JSON, published as such. */
export const anyJson = z.unknown();

export const pagination = z
  .object({
    total: z.int().meta({ description: 'Entries that match, on all pages.' }),
    limit: z.int().meta({ description: 'The most entries a page has.' }),
    offset: z.int().meta({ description: 'Entries before this page.' }),
    has_more: z.boolean().meta({ description: 'True when there is a page after this one.' }),
  })
  .meta({ id: 'Pagination', description: 'Where this page is in the list.' });
/** A query's whole number. */
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
/** The same with the value that is used when it is left out. */
export const pagingInteger = (min: number, max: number, fallback: number) =>
  queryInteger(min, max)
    .optional()
    .transform((value) => value ?? fallback)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback });

/** `limit` and `offset` of every list. */
export const paging = {
  limit: pagingInteger(1, 1000, 50).meta({ description: 'The most entries to return, 1 to 1,000.' }),
  offset: pagingInteger(0, 999_999_999, 0).meta({ description: 'Entries to skip.' }),
};
