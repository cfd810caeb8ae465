import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { makeConsoleLink, withAdmin } from '../../../db/platform/credentials';
import { createLinks } from '../../../db/platform/link-tokens';
import { merchants } from '../../../local/seed/accounts';
import { peopleCalls } from '../people/people';
import type { Platform } from '../platform/platform';
import { createClient, tokenOf } from './console';

/** Returns functions that invite people to a team, sign them in and call the team's operations. */
export function teamCalls(platform: Platform) {
  /** Invites a person with the token of the platform admin, because a service key cannot invite owners. */
  const invite = async (email: string, type: string, merchantId = merchants.main.id) => {
    const token = platform.stack.tokens.admin;
    const [row] = await peopleCalls(platform).invite(
      [{ email, type, name: `Name of ${email}` }],
      { merchant_id: merchantId },
      { token },
    );
    return { result: row?.result, profileId: row?.profile_id ?? '' };
  };
  const invitationUrl = async (profileId: string, merchantId = merchants.main.id, generation = 0) => {
    const keys = JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
    const links = await createLinks(keys, platform.stack.portal_url);
    return links.accountUrl({ profileId, merchantId, generation });
  };
  const accept = async (profileId: string, merchantId = merchants.main.id, generation = 0) => {
    const url = await invitationUrl(profileId, merchantId, generation);
    const token = new URL(url).searchParams.get('invitation_token') ?? '';
    const response = await fetch(`${platform.stack.portal_url}/invitation/`, {
      method: 'POST',
      body: new URLSearchParams({ invitation_token: token }),
    });
    return response.status;
  };
  const signInAs = async (profileId: string) => {
    const client = createClient(platform.stack.origin);
    const link = await withAdmin(platform.database.adminUrl, (admin) =>
      makeConsoleLink(
        admin,
        { id: profileId, merchantId: null, role: 'user' },
        'production',
        platform.stack.origin,
      ),
    );
    await client.send('/console/enter', { token: tokenOf(link) });
    return client;
  };
  const listed = async (query: Record<string, string> = {}) =>
    (await platform.call('team-member-list', { query })).body as {
      data: { profile_id: string; email: string; role: string; state: string }[];
      pagination: { total: number };
    };
  const update = (body: Record<string, unknown>, token?: string) =>
    platform.call('team-member-update', { body, ...(token === undefined ? {} : { token }) });
  return { invite, invitationUrl, accept, signInAs, listed, update };
}
