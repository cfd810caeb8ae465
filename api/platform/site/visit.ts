import type { Request } from 'express';
import { findConsoleSession, findOwnMerchant } from '../../../db/platform/console-sessions';
import type { ConsoleSession } from '../../../db/platform/console-sessions';
import type { RequestMeter } from '../../../db/platform/database';
import { roles as allRoles } from '../../../db/platform/vocabulary';
import { ApiError } from '../operation/api-error';
import type { ConsoleCookies } from './console-cookies';
import { writeFormToken } from './form-token';
import { consoleReaders } from './visitor';
import type { ConsoleDeps, HrefQuery, ConsoleVisitor } from './visitor';

/**
 * Identifies the visitor by the session of the cookie and the merchant in the address, and checks both in the database.
 * Returns undefined if the visitor is not signed in or the session has ended. Throws the database's error if the
 * visitor has no access to the merchant.
 */
export async function openConsoleVisit(
  { database }: Pick<ConsoleDeps, 'database'>,
  cookie: ReturnType<ConsoleCookies['read']>,
  request: Pick<Request, 'query'>,
  meter: RequestMeter,
  gone: AbortSignal = AbortSignal.any([]),
): Promise<ConsoleVisitor | undefined> {
  if (!cookie) return undefined;
  const [session] = await database.query({ kind: 'sign_in', meter }, findConsoleSession(cookie.hash));
  if (!session) return undefined;
  const asked = request.query['merchant_id'];
  if (asked !== undefined && typeof asked !== 'string')
    throw new ApiError('invalid_value', 'merchant_id must be sent only once.', 'merchant_id');
  const caller = requesterOf(session, asked?.replaceAll('\0', '') ?? null, meter);
  const { merchant, role } = await database.read(caller(consoleReaders, false), async (trx) => {
    const found = await trx.maybeOne(findOwnMerchant);
    const scope = await trx.scope();
    return { merchant: found ?? null, role: allRoles.find((each) => each === scope.role) ?? session.role };
  });
  const isElsewhere = merchant !== null && merchant.id !== session.default_merchant_id;
  return {
    session,
    csrf: writeFormToken(cookie.formToken),
    formToken: cookie.formToken,
    meter,
    merchant,
    role,
    caller,
    callerAt: (merchantId) => requesterOf(session, merchantId, meter)(),
    href: (path, query = {}) =>
      consoleHref(path, { ...query, ...(isElsewhere ? { merchant_id: merchant.id } : {}) }),
    flash: null,
    secret: null,
    gone,
  };
}

const requesterOf =
  (session: ConsoleSession, askedMerchantId: string | null, meter: RequestMeter): ConsoleVisitor['caller'] =>
  (roles = consoleReaders, needsMerchant = true) => ({
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

/** Returns the address of a console page. Query values that are null, undefined or '' are left out. */
export function consoleHref(path: string, query: HrefQuery = {}): string {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') kept.set(name, String(value));
  return `/console${path}${kept.size > 0 ? `?${kept.toString()}` : ''}`;
}
