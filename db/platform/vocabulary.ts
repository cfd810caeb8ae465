/**
 * The enums of the API, each in one place. test/db/platform/vocabulary.test.ts compares them with the CHECK
 * constraints.
 */
export const environments = ['production', 'uat', 'development', 'demo'] as const;
export const interviewTypes = [
  'coaching',
  'interview',
  'persona',
  'persona_interview',
  'public_avatar',
  'assessment',
] as const;
/** Returns true for the types that learners practice with. Their texts speak of no application and no job. */
export const isPractice = (type: string | null): boolean => type === 'coaching' || type === 'persona';
/** The states of what can be archived, and is then used only where it is used already. */
export const archiveStatuses = ['active', 'archived'] as const;
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
export type TemplateType = (typeof templateTypes)[number];
export type Environment = (typeof environments)[number];

type Language = {
  name: string;
  /** The code of its speech recognition. */
  speech: string;
  /** Its code of ISO 639, if that is not the beginning of `speech`. */
  iso?: string;
  /** The languages for which a detector takes short texts in it, by their codes of ISO 639. */
  similar?: readonly string[];
  /** True if no spaces part its words, or if words carry endings, so that words are found inside of others. */
  isJoined?: true;
  /** True if its sentences end without a mark. */
  isUnmarked?: true;
};
/** The languages of `platform_language_code`. A new one needs what CONTRIBUTING.md lists. */
const languageTable = {
  ar: { name: 'Arabic', speech: 'ar-SA' },
  bg: { name: 'Bulgarian', speech: 'bg-BG' },
  zh: { name: 'Chinese', speech: 'zh-CN', isJoined: true },
  hr: { name: 'Croatian', speech: 'hr-HR', similar: ['sr'] },
  cs: { name: 'Czech', speech: 'cs-CZ', similar: ['sk'] },
  da: { name: 'Danish', speech: 'da-DK', similar: ['no'] },
  nl: { name: 'Dutch', speech: 'nl-NL' },
  en: { name: 'English', speech: 'en-US' },
  fil: { name: 'Filipino', speech: 'fil-PH', iso: 'tl' },
  fi: { name: 'Finnish', speech: 'fi-FI' },
  fr: { name: 'French', speech: 'fr-FR' },
  de: { name: 'German', speech: 'de-DE' },
  el: { name: 'Greek', speech: 'el-GR' },
  hi: { name: 'Hindi', speech: 'hi-IN' },
  hu: { name: 'Hungarian', speech: 'hu-HU' },
  id: { name: 'Indonesian', speech: 'id-ID' },
  it: { name: 'Italian', speech: 'it-IT' },
  ja: { name: 'Japanese', speech: 'ja-JP', isJoined: true },
  ko: { name: 'Korean', speech: 'ko-KR', isJoined: true },
  ms: { name: 'Malay', speech: 'ms-MY', similar: ['id'] },
  no: { name: 'Norwegian', speech: 'nb-NO', iso: 'no', similar: ['da'] },
  pl: { name: 'Polish', speech: 'pl-PL' },
  pt: { name: 'Portuguese', speech: 'pt-PT' },
  br: { name: 'Brazilian Portuguese', speech: 'pt-BR' },
  ro: { name: 'Romanian', speech: 'ro-RO' },
  ru: { name: 'Russian', speech: 'ru-RU' },
  sk: { name: 'Slovak', speech: 'sk-SK', similar: ['cs'] },
  es: { name: 'Spanish', speech: 'es-ES' },
  sv: { name: 'Swedish', speech: 'sv-SE' },
  ta: { name: 'Tamil', speech: 'ta-IN' },
  th: { name: 'Thai', speech: 'th-TH', isJoined: true, isUnmarked: true },
  tr: { name: 'Turkish', speech: 'tr-TR' },
  uk: { name: 'Ukrainian', speech: 'uk-UA' },
  vi: { name: 'Vietnamese', speech: 'vi-VN' },
} satisfies Record<string, Language>;
export type LanguageCode = keyof typeof languageTable;
export const languages: Readonly<Record<LanguageCode, Language>> = languageTable;
/** Returns the code of ISO 639 of a language. */
export const isoCodeOf = (code: LanguageCode): string =>
  languages[code].iso ?? languages[code].speech.slice(0, 2);
export const languageCodes = Object.keys(languages) as [LanguageCode, ...LanguageCode[]];
