import type { Client } from 'pg';
import type { DirectoryColumns } from '../../db/catalogue/catalogue';
import { merchants } from './accounts';
import type { SeedMerchant } from './accounts';
import {
  academyPage,
  basicsPage,
  executivePage,
  germanPage,
  newLeadPage,
  servicePage,
} from './directory-pages';
import { fixedId } from './fixed-id';

/** The id of the directory with which the portal of the main merchant starts. */
export const startDirectory = 'academy';
/** The id of an active platform-wide directory. */
export const publicDirectory = 'coaching-basics-en';

type SeedDirectory = Partial<DirectoryColumns> & {
  /** The merchant to which the directory belongs. Null means platform-wide. */
  owner: SeedMerchant | null;
  id: string;
  name: string;
};

const { main, sub, other } = merchants;
/**
 * The directories of the demo: a catalogue with every status and visibility, and a few directories of the other
 * merchants.
 */
const directories: SeedDirectory[] = [
  {
    owner: main,
    id: startDirectory,
    name: 'Northwind Academy',
    description: 'Coaching for everybody at Northwind.',
    tags_sub: ['leadership-en', 'feedback-en', 'negotiation-en', 'service-en', 'academy-de', publicDirectory],
    tags_interview_set_filter: ['feedback'],
    content_md: academyPage,
  },
  {
    owner: main,
    id: 'leadership-en',
    name: 'Leadership',
    description: 'From the first one-on-one to the talk nobody looks forward to.',
    tags_sub: ['new-lead-en', 'difficult-en', 'executive-en'],
    tags_interview_set_filter: ['leadership'],
    coach_plan: 'screening',
  },
  {
    owner: main,
    id: 'new-lead-en',
    name: 'New in the lead',
    description: 'Your first hundred days.',
    tags_interview_set_filter: ['new-lead'],
    coach_plan: 'demo',
    content_md: newLeadPage,
  },
  {
    owner: main,
    id: 'difficult-en',
    name: 'Difficult conversations',
    description: 'Bad news, old conflicts, hard questions.',
    tags_interview_set_filter: ['leadership', 'difficult'],
    coach_plan: '2nd',
  },
  {
    owner: main,
    id: 'feedback-en',
    name: 'Feedback',
    description: 'Giving it, taking it, meaning it.',
    tags_interview_set_filter: ['feedback'],
    coach_plan: 'closing',
  },
  {
    owner: main,
    id: 'negotiation-en',
    name: 'Negotiation',
    description: 'Salary, price and renewal.',
    // `procurement-en` does not exist, to show that a directory may list one that is created later.
    tags_sub: ['sales-en', 'procurement-en'],
    tags_interview_set_filter: ['negotiation'],
    coach_plan: '3rd',
  },
  {
    owner: main,
    id: 'service-en',
    name: 'Customer service',
    description: 'Calls that begin badly and end well.',
    tags_interview_set_filter: ['service'],
    coach_plan: 'job-specific',
    content_md: servicePage,
  },
  {
    owner: main,
    id: 'academy-de',
    name: 'Northwind Akademie',
    description: 'Coaching auf Deutsch.',
    platform_language_code: 'de',
    tags_sub: ['fuehrung-de'],
    tags_interview_set_filter: ['deutsch'],
    content_md: germanPage,
  },
  {
    owner: main,
    id: 'fuehrung-de',
    name: 'Führung',
    description: 'Gespräche, die Führungskräfte üben sollten.',
    platform_language_code: 'de',
    tags_interview_set_filter: ['deutsch', 'leadership'],
  },
  {
    owner: main,
    id: 'sales-en',
    name: 'Sales',
    description: 'Being written.',
    status: 'draft',
    tags_interview_set_filter: ['sales'],
  },
  {
    owner: main,
    id: 'onboarding-2024-en',
    name: 'Onboarding 2024',
    description: 'Replaced by the academy.',
    status: 'archived',
    tags_interview_set_filter: ['operations'],
  },
  {
    owner: main,
    id: 'executive-en',
    name: 'Executive coaching',
    description: 'By invitation.',
    visibility: 'merchant_invite',
    tags_interview_set_filter: ['leadership'],
    content_md: executivePage,
  },
  {
    owner: main,
    id: 'warehouse-pilot-en',
    name: 'Warehouse pilot',
    description: 'For the shift leads of hall 4, who have the address.',
    visibility: 'merchant_unlisted',
    tags_interview_set_filter: ['operations'],
  },
  {
    owner: sub,
    id: 'labs-en',
    name: 'Northwind Labs',
    description: 'For the people of the lab.',
    tags_sub: [publicDirectory],
  },
  // This id also belongs to a directory of the main merchant, to show that ids are separate per merchant.
  { owner: other, id: startDirectory, name: 'Store school', description: 'For every store of Contoso.' },
  {
    owner: null,
    id: publicDirectory,
    name: 'Coaching basics',
    description: 'How to practise with an avatar.',
    tags_sub: ['coaching-privacy-en'],
    content_md: basicsPage,
  },
  {
    owner: null,
    id: 'coaching-privacy-en',
    name: 'What happens with what you say',
    description: 'Who hears a session, and when it is forgotten.',
    content_md:
      'Your organisation decides who reads what is said in a session, and how long it is kept. Ask whoever invited you.',
  },
];

/** Seeds the demo's catalogue. Existing rows stay as they are. */
export async function seedCatalogue(client: Client): Promise<void> {
  for (const [index, { owner, id, ...given }] of directories.entries()) {
    const columns: DirectoryColumns = {
      description: null,
      platform_language_code: 'en',
      visibility: owner ? 'merchant_public' : 'public',
      status: 'active',
      cover_image_url: null,
      coach_plan: null,
      tags_sub: [],
      tags_interview_set_filter: [],
      content_md: null,
      ...given,
    };
    const names = Object.keys(columns);
    const madeAt = new Date(Date.UTC(2025, 9, 6 + index * 3, 9, 30)).toISOString();
    const { rowCount } = await client.query(
      `insert into catalogue_directory (row_id, merchant_id, id, created_at, updated_at, ${names.join(', ')})
       values ($1, $2, $3, $4, $4, ${names.map((_, place) => `$${place + 5}`).join(', ')}) on conflict do nothing`,
      [
        fixedId(`directory ${owner?.name ?? 'of the platform'} ${id}`),
        owner?.id ?? null,
        id,
        madeAt,
        ...Object.values(columns),
      ],
    );
    if (rowCount === 1 && id === startDirectory)
      await client.query('update merchant set start_directory = $2 where id = $1', [owner?.id, id]);
  }
}
