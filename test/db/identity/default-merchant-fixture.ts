import { randomBytes } from 'node:crypto';
import { consumeSignInLink } from '../../../db/identity/sign-in-links';
import type { TeamChange } from '../../../db/identity/team';
import { findConsoleSession } from '../../../db/platform/console-sessions';
import type { ConsoleSession } from '../../../db/platform/console-sessions';
import { roles } from '../../../db/platform/vocabulary';
import { people } from '../../../local/seed/accounts';
import {
  api,
  change,
  database,
  giveAccess,
  main,
  makePerson,
  other,
  scopeOf,
  sessionOf,
} from './team-fixture';
import type { Person } from './team-fixture';

/*
 * Helpers for tests of a person whose account belongs to the merchant `main` (the home merchant) and who also works
 * for `other`.
 */

export const mainOwner = () => sessionOf(people.merchant_owner.id);
export const otherOwner = () => sessionOf(people.other_merchant_owner.id);
export const byMain = async ({ id }: Person, what: Partial<TeamChange>) =>
  change(await mainOwner(), id, what);
export const byOther = async ({ id }: Person, what: Partial<TeamChange>) =>
  change(await otherOwner(), id, what);
export const placeOfNewSession = async ({ id }: Person) => scopeOf(await sessionOf(id));

/** Creates a person who has this role at the home merchant `main` and is a recruiter at `other`. */
export async function workAtOther(homeRole: 'user' | 'merchant'): Promise<Person> {
  const person = await makePerson(main.id, homeRole);
  await giveAccess(person.id, other.id, 'merchant');
  return person;
}
export const atOther = [other.id, 'merchant'];

export const makeLink = async (id: string) => {
  const hash = randomBytes(32);
  await database.rows(
    `insert into sign_in_link (profile_id, environment, hash) values ($1, 'production', $2)`,
    [id, hash],
  );
  return hash;
};
/**
 * Signs in to the console with a link. Returns a function that opens a page as the console does and returns the
 * merchant and role of the page.
 */
export async function enterConsole({ id }: Person) {
  const [link, cookie] = [await makeLink(id), randomBytes(32)];
  await api.write({ kind: 'sign_in' }, (trx) => trx.rows(consumeSignInLink(link, cookie, null)));
  return async () => {
    const [session] = await api.query<ConsoleSession>({ kind: 'sign_in' }, findConsoleSession(cookie));
    if (!session) return 'signed out';
    const caller = {
      kind: 'user_session',
      sessionId: session.session_id,
      profileId: session.profile_id,
      role: session.role,
      homeMerchantId: session.home_merchant_id,
      environment: session.environment,
      askedMerchantId: null,
      roles,
      needsMerchant: true,
    } as const;
    const place = await scopeOf(caller);
    expect(session.default_merchant_id).toBe(place[0]);
    return place;
  };
}
