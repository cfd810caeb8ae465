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

/** Who sees a directory, for the documentation of whoever sets it. */
export const visibilityMeaning = `Who opens the page of an active directory, and where its card stands:

- \`merchant_public\`: whoever visits the merchant's portal, without signing in.
- \`merchant_invite\`: learners alone, and so for its card. A person who accepts a coaching invitation (invite-users) is led to the portal by a learner's link, which makes the browser that person's for 30 days.
- \`merchant_unlisted\`: whoever has the address; its card stands on no page.
- \`public\`: platform-wide, as \`merchant_public\` on the portal of every merchant; platform admins alone set it.`;

/** The vocabulary of a page, for the documentation of whoever writes one (spec/decisions.md section 7). */
export const pageMarkdown = `The page, in Markdown, in place of the grid of directories and sessions; the empty text is a page too, null shows the grid. HTML is escaped, images are
shown from https addresses only, links go to http, https, mailto, \`/catalogue/…\` and \`/session/…\`, of at most 2,048 characters. The
body's 1 MiB is its limit; a page whose HTML is over 8 Mi characters tells that it is too long.

A directive stands alone on its line, of at most 4,000 characters; what is none, or malformed, or behind the mark of a list or quote, stays text. What does not exist, or the visitor may not see, is left out.

- \`[plan-progress]\`: the merchant's directories with a \`coach_plan\`, in the order of its stages, and how many of their sessions the learner has completed. Visitors without a learner's link see how many there are.
- \`[directory:<id>]\`, \`[session:<interview id>]\`: one card. Cards on consecutive lines make a grid.
- \`[sessions]\`: the sessions that this directory lists. \`[sessions:<term>]\`: all of the merchant's with the term in name, tag or the first 400 characters of the description, in whatever case. \`[sessions:filter=<term>,limit=<n>]\`: the first \`n\` of these, by name, where both parts may be left out; \`n\` over 500 counts as 500. A list shows 500 at most, a page 2,000 cards, and it looks for its first five different terms.
- \`[chip:<text>]\`, \`[chip:<text>,tone=<tone>]\`: a label. Tones: \`neutral\` (as without one), \`accent\`, \`success\`, \`warning\`, \`danger\`.
- \`[button:<text>,url=<https url>]\`: a link drawn as a button.
- \`[callout:<tone>]\` … \`[/callout]\`: Markdown and directives in a box.
- \`[cards]\` … \`[/cards]\`: each part in a card, in a grid.
- \`[columns]\` … \`[/columns]\`: side by side; a \`[column]\` between begins the next column, without any each part is one.

The last three may be nested, 10 deep.`;

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
  tags_interview_set_filter: z
    .array(requiredText(200))
    .max(50)
    .transform((tags) => [...new Set(tags)]),
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
