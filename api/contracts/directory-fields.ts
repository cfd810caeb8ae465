import { z } from 'zod';
import { field as interviewField } from './interview-fields';
import {
  coachPlans,
  interviewStatuses,
  interviewTypes,
  languageCode,
  requiredText,
  timestamp,
  visibilities,
} from './vocabulary';

export const directoryVisibilities = [
  'public',
  'merchant_public',
  'merchant_invite',
  'merchant_unlisted',
] as const;
export const directoryStatuses = ['draft', 'active', 'archived'] as const;
/** Directories that one directory may list. */
export const maxSubDirectories = 1_000;
/** Entries of `tags_sub` that are looked at, below those that are sent, before a list is taken. */
export const maxListedBelow = 20_000;

export const directoryId = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
    'must be a catalogue id: small letters and digits, with single - or _ between them',
  );

const subDirectories = z
  .array(directoryId)
  .max(maxSubDirectories, { abort: true })
  .superRefine((ids, context) => {
    const known = new Set<string>();
    ids.forEach((id, index) => {
      if (known.has(id))
        context.addIssue({
          code: 'custom',
          path: [index],
          message: 'is in the list already: name each directory once',
        });
      known.add(id);
    });
  });

/** Bounds of one field, the same on create and on update (spec: Catalogue directory; spec/decisions.md section 7). */
export const directoryField = {
  name: requiredText(200),
  description: interviewField.description,
  platform_language_code: languageCode,
  visibility: z.enum(directoryVisibilities),
  status: z.enum(directoryStatuses),
  cover_image_url: interviewField.cover_image_url,
  coach_plan: z.enum(coachPlans),
  tags_sub: subDirectories,
  tags_interview_set_filter: z.array(requiredText(200)).max(50),
  content_md: z.string(),
} as const;

/** A directory that lists itself: the place of the fault, for a refinement. */
export function refuseItself(
  { id, tags_sub }: { id: string; tags_sub?: string[] | null | undefined },
  context: z.core.$RefinementCtx,
): void {
  const index = tags_sub?.indexOf(id) ?? -1;
  if (index >= 0)
    context.addIssue({
      code: 'custom',
      path: ['tags_sub', index],
      message: 'is the directory itself: it must not contain itself',
    });
}

export const catalogueUrl = z.string().nullable().meta({
  description:
    'Address of the page on the portal of the merchant that is acted for; null without a portal domain.',
});

export const catalogueDirectory = z
  .object({
    id: z.string(),
    has_content_page: z.boolean(),
    is_start_directory: z.boolean().meta({ description: 'What the merchant’s portal begins with.' }),
    name: z.string(),
    description: z.string().nullable(),
    platform_language_code: languageCode,
    visibility: z.enum(directoryVisibilities),
    status: z.enum(directoryStatuses),
    coach_plan: z.enum(coachPlans).nullable(),
    cover_image_url: z.string().nullable(),
    merchant_id: z.string().nullable().meta({ description: 'null: platform-wide.' }),
    tags_sub: z.array(z.string()),
    tags_interview_set_filter: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CatalogueDirectory' });
export type CatalogueDirectory = z.output<typeof catalogueDirectory>;

export const subDirectory = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(directoryStatuses),
  visibility: z.enum(directoryVisibilities),
  platform_language_code: languageCode,
});
export type SubDirectory = z.output<typeof subDirectory>;

export const matchedSession = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(interviewTypes),
  status: z.enum(interviewStatuses),
  visibility: z.enum(visibilities),
  tags: z.array(z.string()),
});
export type MatchedSession = z.output<typeof matchedSession>;
