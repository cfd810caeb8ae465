import type { VNode } from 'preact';
import type { z } from 'zod';
import { languages } from '../../../db/platform/vocabulary';
import type { templateTypes } from '../../../db/platform/vocabulary';
import type {
  conversationSpeed,
  interviewKind,
  interviewStatus,
  interviewType,
  notificationChannel,
  recording,
  resultView,
  seniorityLevel,
  videoIntroduction,
  visibility,
} from '../../platform/operation/named-enums';
import { Badge } from '../../platform/site/elements';
import type { Tone } from '../../platform/site/elements';
import type { Option } from '../../platform/site/form';

/* The words of the console for the values of an interview's fields. */

type Names<Enum extends z.ZodType> = Record<z.output<Enum> & string, string>;

/** Returns the options of a select field, in the order of the names. */
export const optionsOf = (names: Readonly<Record<string, string>>): Option[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export const typeNames: Names<typeof interviewType> = {
  interview: 'Interview',
  assessment: 'Assessment',
  persona_interview: 'Persona interview',
  coaching: 'Coaching',
  persona: 'Persona practice',
  public_avatar: 'Public avatar',
};

export const statusNames: Names<typeof interviewStatus> = {
  active: 'Active',
  draft: 'Draft',
  preparing: 'Preparing',
  completed: 'Completed',
  archived: 'Archived',
  deleted: 'Deleted',
};
const { deleted: _deleted, ...kept } = statusNames;
/** The statuses that lists show and forms offer. */
export const keptStatusNames = kept;
/** The tabs of a list by status. */
export const statusTabs = [['', 'All'] as const, ...Object.entries(keptStatusNames)];
const statusTones: Partial<Record<string, Tone>> = { active: 'good', draft: 'warn', preparing: 'warn' };

export const StatusBadge = ({ status }: { status: z.output<typeof interviewStatus> }): VNode => (
  <Badge tone={statusTones[status] ?? 'plain'}>{statusNames[status]}</Badge>
);

export const visibilityNames: Names<typeof visibility> = {
  merchant_invite: 'People who were invited',
  merchant_unlisted: 'Whoever has the address',
  merchant_public: 'Listed for visitors of your portal',
  public: 'Listed for everyone',
  sub_item: 'Only as a step of a position',
};

export const kindNames: Names<typeof interviewKind> = {
  'pre-screening': 'Pre-screening',
  'pre-screening-with-test-questions': 'Pre-screening with test questions',
  'second-interview': 'Second interview',
  'remote-freelancer-verification': 'Verification of a remote freelancer',
  'strength-based-interview': 'Strengths',
  'potential-based-interview': 'Potential',
  'process-verification-from-knowledge-base': 'Knowledge of a process (needs a knowledge base)',
};

export const seniorityNames: Names<typeof seniorityLevel> = {
  'entry-level': 'Entry level',
  intermediate: 'Intermediate',
  senior: 'Senior',
  managerial: 'Managerial',
  director: 'Director',
  executive: 'Executive',
};

/** The tones that the AI knows. The API stores any text. */
export const toneNames = {
  relaxed: 'Relaxed',
  simple: 'Simple',
  professional: 'Professional',
  persuasive: 'Persuasive',
};

const templateNames: Record<(typeof templateTypes)[number], string> = {
  interactive_voice: 'Live, by voice',
  interactive_avatar_1: 'Live, with an avatar',
  interactive_avatar_2: 'Live, with an avatar (second generation)',
  offline_avatar_3: 'Recorded questions',
  offline_avatar_2: 'Recorded questions (second generation)',
  offline_avatar_1: 'Recorded questions (first generation)',
};
/** Returns the name of a template. A position has none. */
export const templateName = (type: (typeof templateTypes)[number] | null): string | null =>
  type && templateNames[type];

export const recordingNames: Names<typeof recording> = {
  audio_all: 'Sound',
  video_all: 'Picture and sound',
  audio_first_5_answers: 'Sound of the first five scored answers',
  video_first_5_answers: 'Picture and sound of the first five scored answers',
};

/** The same for a session, which has no first five answers. */
export const sessionRecordingNames: Names<typeof recording> = {
  ...recordingNames,
  audio_first_5_answers: 'Sound (as set: first five answers)',
  video_first_5_answers: 'Picture and sound (as set: first five answers)',
};

export const resultViewNames: Names<typeof resultView> = {
  minimal: 'A confirmation',
  minimal_with_score: 'A confirmation with the score',
  advanced: 'The score, and feedback on each answer',
  full: 'The score, feedback, rubric and evidence',
  full_expand_scores: 'Everything, with all scores expanded',
  none: 'Nothing: the last answer submits the interview',
};

export const notificationNames: Names<typeof notificationChannel> = {
  all: 'With invitations and all reminders',
  reminders: 'With both reminders',
  last_reminder: 'With the final reminder',
};

export const introductionNames: Names<typeof videoIntroduction> = {
  hidden: 'None',
  optional: 'Optional',
  required: 'Required',
};

export const speedNames: Names<typeof conversationSpeed> = {
  slower: 'Slower',
  normal: 'Normal',
  faster: 'Faster',
};

export const languageNames = Object.fromEntries(
  Object.entries(languages)
    .map(([code, { name }]) => [code, name] as const)
    .sort(([, one], [, other]) => one.localeCompare(other)),
);
