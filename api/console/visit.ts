import type { Request } from 'express';
import { ApiError } from '../contracts/api-error';
import { roles as allRoles } from '../contracts/vocabulary';
import type { Role } from '../contracts/vocabulary';
import type { AddressLimit } from '../http/address-limit';
import type { OperationDeps } from '../operations/deps';
import { findConsoleSession, findOwnMerchant } from '../../db/console-sessions';
import type { ConsoleSession } from '../../db/console-sessions';
import type { Meter, Requester } from '../../db/scope';
import type { PortalChallenge } from './portal-challenge';
import type { TokenSigner } from '../../db/tokens';
import type { Cookies } from './cookies';
import type { NewSecret } from './new-secret';

export type ConsoleDeps = OperationDeps & {
  tokens: TokenSigner;
  addressLimit: AddressLimit;
  /** How portal domains are proven, and which ones are the platform's. */
  portalDomains: { challenge: PortalChallenge; reserved: readonly string[] };
  /** Where the console is. */
  publicOrigin: string;
  /** Where workflows are looked at; without `url` nowhere. */
  temporalUi: { url: string | undefined; namespace: string };
};

/** Roles that may look; to change something one has to be another than the hiring manager. */
export const lookingRoles = ['merchant_owner', 'merchant', 'merchant_selection', 'admin'] as const;
export const changingRoles = ['merchant_owner', 'merchant', 'admin'] as const;
export const ownerRoles = ['merchant_owner', 'admin'] as const;

type Query = Record<string, string | number | null | undefined>;

/** Somebody who is signed in, on one request. */
export type Visitor = {
  session: ConsoleSession;
  /** Every form carries it. */
  csrf: string;
  meter: Meter;
  /** Null of a platform admin who has chosen none yet. */
  merchant: { id: string; name: string } | null;
  /** What the person is at that merchant. */
  role: Role;
  /** The address of a page of the console (`/access`), of the same merchant. */
  href: (path: string, query?: Query) => string;
  /** Who asks, for `asCaller` and `queryAsCaller`; another role is refused by the database with PA403. */
  caller: (roles?: readonly Role[], needsMerchant?: boolean) => Requester;
  /** The same at another merchant, for a page that looks for what a link names. */
  callerAt: (merchantId: string) => Requester;
  flash: string | null;
  /** What the last act made, shown once. */
  secret: NewSecret | null;
};

/** A visitor of one merchant's pages. */
export type Visit = Visitor & { merchant: { id: string; name: string } };

export const mayChange = ({ role }: Visitor): boolean => changingRoles.some((each) => each === role);
export const isOwner = ({ role }: Visitor): boolean => ownerRoles.some((each) => each === role);

/**
 * Who visits: the session of the cookie, and the merchant that the address names, both proven. Undefined for who is not
 * signed in (any more). Throws what the database says of a merchant that is not theirs.
 */
export async function openVisit(
  { database }: Pick<ConsoleDeps, 'database'>,
  cookie: ReturnType<Cookies['read']>,
  request: Pick<Request, 'query'>,
  meter: Meter,
): Promise<Visitor | undefined> {
  if (!cookie) return undefined;
  const [session] = await database.queryAsCaller<ConsoleSession>(
    { kind: 'sign_in', meter },
    findConsoleSession(cookie.hash),
  );
  if (!session) return undefined;
  const asked = request.query['merchant_id'];
  if (asked !== undefined && typeof asked !== 'string')
    throw new ApiError(422, 'merchant_id must be given once', 'merchant_id');
  const caller = requesterOf(session, asked?.replaceAll('\0', '') ?? null, meter);
  const { merchant, role } = await database.asCaller(caller(lookingRoles, false), 'read', async (trx) => {
    const [found] = await trx.rows<{ id: string; name: string }>(findOwnMerchant);
    const scope = await trx.scope;
    return { merchant: found ?? null, role: allRoles.find((each) => each === scope?.role) ?? session.role };
  });
  const isElsewhere = merchant !== null && merchant.id !== session.home_merchant_id;
  return {
    session,
    csrf: cookie.csrf,
    meter,
    merchant,
    role,
    caller,
    callerAt: (merchantId) => requesterOf(session, merchantId, meter)(),
    href: (path, query = {}) =>
      hrefOf(path, { ...query, ...(isElsewhere ? { merchant_id: merchant.id } : {}) }),
    flash: null,
    secret: null,
  };
}

const requesterOf =
  (session: ConsoleSession, askedMerchantId: string | null, meter: Meter): Visitor['caller'] =>
  (roles = lookingRoles, needsMerchant = true) => ({
    kind: 'user_session',
    sessionId: session.session_id,
    profileId: session.profile_id,
    role: session.role,
    homeMerchantId: session.home_merchant_id,
    environment: session.environment,
    askedMerchantId,
    roles,
    needsMerchant,
    meter,
  });

/** The address of a page of the console; a value that is null, undefined or '' is left out. */
export function hrefOf(path: string, query: Query = {}): string {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') kept.set(name, String(value));
  return `/console${path}${kept.size > 0 ? `?${kept.toString()}` : ''}`;
}
