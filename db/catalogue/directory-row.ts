import type {
  coachPlans,
  interviewStatuses,
  interviewTypes,
  LanguageCode,
  visibilities,
} from '../platform/vocabulary';

export const directoryVisibilities = [
  'public',
  'merchant_public',
  'merchant_invite',
  'merchant_unlisted',
] as const;
export const directoryStatuses = ['draft', 'active', 'archived'] as const;

type DirectoryFacts = {
  id: string;
  name: string;
  description: string | null;
  platform_language_code: LanguageCode;
  visibility: (typeof directoryVisibilities)[number];
  status: (typeof directoryStatuses)[number];
};

/** A directory in the form in which replies contain it. */
export type DirectoryRow = DirectoryFacts & {
  has_content_page: boolean;
  is_start_directory: boolean;
  coach_plan: (typeof coachPlans)[number] | null;
  cover_image_url: string | null;
  merchant_id: string | null;
  tags_sub: string[];
  tags_interview_set_filter: string[];
  created_at: string;
  updated_at: string;
};

export type SubDirectory = DirectoryFacts;

export type MatchedSession = {
  id: string;
  name: string;
  type: (typeof interviewTypes)[number];
  status: (typeof interviewStatuses)[number];
  visibility: (typeof visibilities)[number];
  tags: string[];
};
