import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { merchants, people } from '../../../local/seed/accounts';
import { cloneInterview } from '../people/people';
import type { TestDatabase } from '../platform/database';
import type { Platform } from '../platform/platform';

type Rows = Pick<TestDatabase, 'rows'>;

type DirectoryChanges = {
  merchant_id?: string | null;
  name?: string;
  description?: string | null;
  platform_language_code?: string;
  visibility?: string;
  status?: string;
  cover_image_url?: string | null;
  coach_plan?: string | null;
  tags_sub?: string[];
  tags_interview_set_filter?: string[];
  content_md?: string | null;
};

/** Makes a directory of the main merchant. By default it is active and public. */
export async function makeDirectory(
  { rows }: Rows,
  id: string,
  changes: DirectoryChanges = {},
): Promise<string> {
  const row = {
    row_id: randomUUID(),
    merchant_id: merchants.main.id,
    id,
    name: `Directory ${id}`,
    platform_language_code: 'en',
    visibility: 'merchant_public',
    status: 'active',
    tags_sub: [],
    tags_interview_set_filter: [],
    created_at: new Date(),
    updated_at: new Date(),
    ...changes,
  };
  // The columns are listed, because no value can be inserted into a generated column.
  const columns = Object.keys(row).join(', ');
  await rows(
    `insert into catalogue_directory (${columns})
     select ${columns} from jsonb_populate_record(null::catalogue_directory, $1)`,
    [JSON.stringify(row)],
  );
  return id;
}

/** Makes a session of the main merchant's catalogue. */
export const makeSession = (
  database: TestDatabase,
  name: string,
  changes: Record<string, unknown> = {},
): Promise<string> =>
  cloneInterview(database, {
    name,
    type: 'coaching',
    visibility: 'merchant_public',
    status: 'active',
    description: null,
    tags: [],
    ...changes,
  });

/** Inserts a result of this session for the person with this email address. */
export async function takeSession(
  { rows }: Rows,
  interviewId: string,
  email: string,
  { interview_status = 'completed', is_test = false } = {},
): Promise<void> {
  await rows(
    `with person as (
       insert into profile (merchant_id, role, email, email_key)
       select merchant_id, 'candidate', $2, $2 from interview where id = $1
       on conflict do nothing returning id
     ), enrolled as (
       insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key)
       select i.merchant_id, i.environment, i.id,
         coalesce((select id from person), (select p.id from profile p where p.email_key = $2 limit 1)), $2, $2
       from interview i where i.id = $1
       returning id, merchant_id, environment, interview_id
     )
     insert into interview_result (merchant_id, environment, interview_id, enrolment_id, is_test, interview_status)
     select merchant_id, environment, interview_id, id, $3, $4 from enrolled`,
    [interviewId, email, is_test, interview_status],
  );
}

/** Returns functions that create links. The links are signed with the keys of the platform. */
export const signedLinks = (platform: Platform) =>
  createLinkTokens(
    JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] },
    platform.stack.portal_url,
  );

/** Returns the cookie of a browser that has opened a learner's link. */
export async function learnerCookie(
  platform: Platform,
  profileId: string = people.user.id,
  merchantId: string = merchants.main.id,
): Promise<string> {
  const url = await (
    await signedLinks(platform)
  ).learnerUrl({ profileId, merchantId }, 'https://any.example');
  return `learner=${new URL(url).searchParams.get('learner_token') ?? ''}`;
}

type PortalPage = { status: number; headers: Headers; html: string };

/** Opens a page of the main merchant's portal without following redirects. */
export async function openPage(
  platform: Platform,
  path: string,
  headers: Record<string, string> = {},
): Promise<PortalPage> {
  const response = await fetch(new URL(path, platform.stack.portal_url), {
    redirect: 'manual',
    headers: { 'accept-language': 'nl', ...headers },
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** Returns the names of a page's cards in their order. */
export const cardsOf = (html: string): string[] =>
  [...html.matchAll(/<h2>\s*<a href="[^"]*" dir="auto">([^<]*)<\/a>/g)].map(([, name = '']) => name);
