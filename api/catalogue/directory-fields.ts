import { z } from 'zod';
import { directoryStatuses, directoryVisibilities } from '../../db/catalogue/directory-row';
import { fieldSchemas as interviewField } from '../interviews/public';
import {
  coachPlan,
  interviewStatus,
  interviewType,
  namedEnum,
  visibility,
} from '../platform/operation/named-enums';
import { languageCode, requiredName, requiredText, text, timestamp } from '../platform/operation/vocabulary';
import { boundedText } from '../platform/text/bounded-text';

/** The most directories that one directory may list. */
export const maxSubDirectories = 1_000;
/**
 * The search for cycles reads at most this many `tags_sub` entries below the sent directories. If there are more, the
 * sent list is rejected.
 */
export const maxListedBelow = 20_000;

export const directoryId = boundedText(200)
  .min(1)
  .regex(
    /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
    'must be a catalogue id: lowercase letters and digits, separated by single - or _',
  )
  .meta({
    description:
      'Id of a directory: lowercase letters and digits, with single `-` or `_` between them, at most 200 characters. It is the address of the page.',
  });

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
          message: 'is already in the list. Name each directory once',
          params: { code: 'duplicate_value' },
        });
      known.add(id);
    });
  })
  .meta({
    description: `Ids of the directories that are nested in this one, in the order they are shown, at most ${maxSubDirectories}. The id of a directory that does not exist yet is kept and is shown as soon as the directory exists.`,
  });

const directoryVisibility = namedEnum(
  'DirectoryVisibility',
  directoryVisibilities,
  'Who can open the page of an active directory, and where its card is shown.',
  {
    public:
      'Platform-wide: like `merchant_public`, but on the portal of every merchant. Only platform admins can set it.',
    merchant_public: "All visitors of the merchant's portal, without signing in.",
    merchant_invite:
      'Only learners see the page and its card. A person becomes a learner by accepting a coaching invitation (`invite-users`), in that browser and for 30 days.',
    merchant_unlisted: 'Anyone who has the address. No page shows the card.',
  },
);
const directoryStatus = namedEnum(
  'DirectoryStatus',
  directoryStatuses,
  'Whether the portal serves the directory.',
  { draft: 'Not served by the portal yet.', active: 'Served.', archived: 'No longer served by the portal.' },
);

/** The description of a page's Markdown for its authors (docs/catalogue.md#pages-in-markdown). */
const pageMarkdown = `The page, in Markdown, which replaces the grid of directories and sessions. An empty text is an empty page; null shows the grid. HTML is escaped,
images are shown from https addresses only, and links can go to http, https, mailto, \`/catalogue/…\` and \`/session/…\`, with at most 2,048 characters. A page
whose HTML has more than 8 Mi characters is not shown.

A directive stands alone on its line, which has at most 4,000 characters. Anything else stays text, and so does a directive inside a list or quote. Cards of
directories and sessions that do not exist, or that the visitor cannot see, are omitted.

- \`[plan-progress]\`: the merchant's directories with a \`coach_plan\`, in the order of its stages, and how many of their sessions the learner has completed. Visitors who are not learners see only the number of sessions.
- \`[directory:<id>]\`, \`[session:<interview id>]\`: one card. Cards on consecutive lines make a grid. The card of a session is shown to whoever may open the session, also if no list shows it; one with the visibility \`sub_item\` is opened only by such a card.
- \`[sessions]\`: the sessions that this directory lists. \`[sessions:<term>]\`: all listed sessions of the merchant that contain the term in their name, a tag or the first 400 characters of their description. Case is ignored. \`[sessions:filter=<term>,limit=<n>]\`: the first \`n\` of them by name. Both parts are optional, and \`n\` is capped at 500. A list shows at most 500 sessions and a page at most 2,000 cards. A page can use five different terms, and 500 lists, groups of cards and plans.
- \`[chip:<text>]\`, \`[chip:<text>,tone=<tone>]\`: a label. Tones: \`neutral\` (as without one), \`accent\`, \`success\`, \`warning\`, \`danger\`.
- \`[button:<text>,url=<https url>]\`: a link drawn as a button.
- \`[callout:<tone>]\` … \`[/callout]\`: Markdown and directives in a box.
- \`[cards]\` … \`[/cards]\`: each part in a card, in a grid.
- \`[columns]\` … \`[/columns]\`: side by side. A \`[column]\` line begins the next column; without one, each part is a column.

The last three may be nested, 10 deep.`;

/** The bounds of each field, which are the same on create and on update (docs/catalogue.md#directories). */
export const directoryField = {
  name: requiredName(200).meta({ description: 'Title of the page and of its card.' }),
  description: interviewField.description.meta({
    description: 'Text of the card, at most 5,000 characters.',
  }),
  platform_language_code: languageCode.meta({ description: 'The language of the page.' }),
  visibility: directoryVisibility,
  status: directoryStatus,
  cover_image_url: interviewField.cover_image_url,
  coach_plan: coachPlan.meta({
    description: 'The stage of the coaching plan that the directory belongs to. Null: none.',
  }),
  tags_sub: subDirectories,
  tags_interview_set_filter: z
    .array(requiredText(200).meta({ description: 'A tag.' }))
    .max(50)
    .transform((tags) => [...new Set(tags)])
    .meta({
      description:
        'The page lists the sessions that have every one of these tags, at most 50. An empty list lists none.',
    }),
  content_md: text(1_000_000).meta({ description: pageMarkdown }),
} as const;

/** Adds an issue to a Zod refinement if a directory lists itself in `tags_sub`. */
export function rejectItself(
  { id, tags_sub }: { id: string; tags_sub?: string[] | null | undefined },
  context: z.core.$RefinementCtx,
): void {
  const index = tags_sub?.indexOf(id) ?? -1;
  if (index >= 0)
    context.addIssue({
      code: 'custom',
      path: ['tags_sub', index],
      message: 'must not be the directory itself',
      params: { code: 'conflicting_fields' },
    });
}

export const catalogueUrl = z.string().nullable().meta({
  description:
    "Address of the page on the merchant's coaching portal; null while the merchant has no portal domain.",
});

const listed = (description: string) =>
  z.array(z.string().meta({ description: 'An entry.' })).meta({ description });

/** The fields that every reply with a directory contains. */
const directoryFacts = {
  id: z.string().meta({ description: 'Id of the directory, the address of its page.' }),
  name: z.string().meta({ description: 'Title of the page and of its card.' }),
  description: z.string().nullable().meta({ description: 'Text of the card.' }),
  platform_language_code: languageCode.meta({ description: 'The language of the page.' }),
  visibility: directoryVisibility,
  status: directoryStatus,
};

export const catalogueDirectory = z
  .object({
    ...directoryFacts,
    has_content_page: z.boolean().meta({
      description: 'True if it has a Markdown page of its own, false if it shows the grid.',
    }),
    is_start_directory: z
      .boolean()
      .meta({ description: "True for the directory that the merchant's portal begins with." }),
    coach_plan: coachPlan
      .nullable()
      .meta({ description: 'The stage of the coaching plan that it belongs to. Null: none.' }),
    cover_image_url: z.string().nullable().meta({ description: 'https address of its picture.' }),
    merchant_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the merchant it belongs to; null when it is platform-wide.' }),
    tags_sub: listed('Ids of the directories that are nested in it, in the order they are shown.'),
    tags_interview_set_filter: listed('The tags that a session must have to be listed.'),
    created_at: timestamp.meta({ description: 'When it was created.' }),
    updated_at: timestamp.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'CatalogueDirectory', description: 'A page of the coaching catalogue.' });
export type CatalogueDirectory = z.output<typeof catalogueDirectory>;

export const subDirectory = z
  .object(directoryFacts)
  .meta({ id: 'SubDirectory', description: 'A directory that is nested in another one.' });
export type SubDirectory = z.output<typeof subDirectory>;

export const matchedSession = z
  .object({
    id: z.string().meta({ description: 'Id of the session (an interview definition).' }),
    name: z.string().meta({ description: 'Name of the session.' }),
    type: interviewType,
    status: interviewStatus,
    visibility,
    tags: listed('The tags of the session.'),
  })
  .meta({ id: 'MatchedSession', description: 'A session that a directory lists.' });
export type MatchedSession = z.output<typeof matchedSession>;

/** The example of a directory in the documentation. */
export const directoryExample: CatalogueDirectory = {
  id: 'leadership-basics-en',
  has_content_page: false,
  is_start_directory: false,
  name: 'Leadership basics',
  description: 'Conversations that every lead has.',
  platform_language_code: 'en',
  visibility: 'merchant_public',
  status: 'active',
  coach_plan: null,
  cover_image_url: null,
  merchant_id: '0198a000-0000-7000-8000-0000000000a1',
  tags_sub: [],
  tags_interview_set_filter: ['leadership'],
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:00.000Z',
};
