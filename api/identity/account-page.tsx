import type { Request, RequestHandler, Response } from 'express';
import { acceptInvitation as accept, findInvitedAccount } from '../../db/identity/accounts';
import type { InvitedAccount } from '../../db/identity/accounts';
import type { Database, RequestMeter } from '../../db/platform/database';
import type { AccountLink, LinkTokens, OpenedLink } from '../../db/platform/link-tokens';
import { refundPoint } from '../platform/http/address-limit';
import { noteFacts } from '../platform/http/request-log';
import { isCoaching } from '../platform/operation/vocabulary';
import { sendInvalidLink } from '../platform/portal/notice';
import { sendPage } from '../platform/portal/page';
import { portalTexts } from '../platform/portal/texts';
import { linkLimitKey } from '../platform/portal/visitor-credential';
import { HiddenFields } from '../platform/site/buttons';

type Deps = {
  database: Database;
  links: LinkTokens;
  apiOrigin: string;
  portalOrigin: string;
  portalMerchantId: string | null;
};

const newMeter = (): RequestMeter => ({ databaseMs: 0, merchantId: null, callerId: null });

/**
 * The state of an invitation (docs/people.md#invitations). In the states `account_coaching` and `account_team`, the
 * page asks the person to accept the invitation. People who were already active at another merchant need not accept.
 */
type InvitationState =
  | 'account_ended'
  | 'accepted'
  | 'accepted_already'
  | 'account_coaching'
  | 'account_team';

function invitationState(account: InvitedAccount, isExpired: boolean): InvitationState {
  if (account.role === null || account.is_disabled) return 'account_ended';
  if (account.is_active) return account.is_home ? 'accepted_already' : 'accepted';
  if (isExpired) return 'account_ended';
  return isCoaching(account.role) ? 'account_coaching' : 'account_team';
}

/**
 * `GET /invitation/?invitation_token=…`: shows who invites the person to what. Opening the page accepts nothing,
 * because mail scanners also open links.
 */
export function accountPage(deps: Deps): RequestHandler {
  const { database, links } = deps;
  return async (request, response) => {
    const meter = newMeter();
    noteFacts(request, { operation: 'invitation-page', profileId: null, meter });
    const sent = request.query['invitation_token'];
    const token = typeof sent === 'string' ? sent : '';
    const link = await links.openAccountLink(token);
    if (link && !link.isExpired) refundPoint(request, linkLimitKey(token));
    const [account] = link ? await database.query({ kind: 'sign_in', meter }, findInvitedAccount(link)) : [];
    if (!link || !account) sendInvalidLink(request, response);
    else
      await sendAccount(response, deps, { link, account, token }, invitationState(account, link.isExpired));
  };
}

/**
 * `POST /invitation/` with the token: accepts the invitation, once. The reply to a second request says that it was
 * already accepted.
 */
export function acceptInvitation(deps: Deps): RequestHandler {
  const { database, links } = deps;
  return async (request: Request, response) => {
    const meter = newMeter();
    noteFacts(request, { operation: 'invitation-accept', profileId: null, meter });
    const body: unknown = request.body;
    const sent: unknown =
      typeof body === 'object' && body ? Reflect.get(body, 'invitation_token') : undefined;
    const token = typeof sent === 'string' ? sent : '';
    const link = await links.openAccountLink(token);
    if (!link) {
      sendInvalidLink(request, response);
      return;
    }
    const { isExpired } = link;
    const { account, isAccepted } = await database.write({ kind: 'sign_in', meter }, async (trx) => {
      const outcome = isExpired ? undefined : await trx.maybeOne(accept(link));
      const row = await trx.maybeOne(findInvitedAccount(link));
      return { account: row, isAccepted: outcome?.is_accepted === true };
    });
    if (!account) sendInvalidLink(request, response);
    else {
      const state = isAccepted ? 'accepted' : invitationState(account, isExpired);
      await sendAccount(response, deps, { link, account, token }, state);
    }
  };
}

type Invitation = { link: OpenedLink<AccountLink>; account: InvitedAccount; token: string };

async function sendAccount(
  response: Response,
  deps: Deps,
  { link, account, token }: Invitation,
  state: InvitationState,
): Promise<void> {
  const { merchant_name: merchant, platform_language_code: language } = account;
  const texts = portalTexts(language);
  const isOpen = state === 'account_coaching' || state === 'account_team';
  const isIn = state === 'accepted' || state === 'accepted_already';
  const title = texts(isIn ? 'account_joined' : 'account_heading', { merchant });
  const consoleUrl = isIn && account.role && !isCoaching(account.role) ? `${deps.apiOrigin}/console` : null;
  const catalogue = isIn ? await catalogueUrl(deps, link, account) : undefined;
  sendPage(response, state === 'account_ended' ? 410 : 200, {
    language,
    title,
    content: (
      <>
        <h1>{title}</h1>
        <p class="state">{texts(state, { merchant })}</p>
        {isOpen && (
          <form method="post" action="/invitation/">
            <HiddenFields fields={{ invitation_token: token }} />
            <button>{texts('accept')}</button>
          </form>
        )}
        {consoleUrl !== null && (
          <>
            <p>
              <a class="button" href={consoleUrl}>
                {texts('to_console')}
              </a>
            </p>
            <p class="soft">
              <bdi>{consoleUrl}</bdi>
            </p>
          </>
        )}
        {catalogue !== undefined && (
          <p>
            <a class="button" href={catalogue}>
              {texts('to_catalogue')}
            </a>
          </p>
        )}
      </>
    ),
  });
}

/**
 * Returns the address that opens the merchant's catalogue for a learner, or undefined if there is no catalogue or no
 * portal. Also returns undefined if the invitation has expired, because the address contains a new token that works
 * for 30 days.
 */
async function catalogueUrl(
  { links, portalOrigin, portalMerchantId }: Deps,
  { profileId, merchantId, isExpired }: OpenedLink<AccountLink>,
  { role, portal_domain: domain, start_directory: start }: InvitedAccount,
): Promise<string | undefined> {
  const own = merchantId === portalMerchantId ? portalOrigin : undefined;
  const origin = domain === null ? own : `https://${domain}`;
  if (isExpired || !role || !isCoaching(role) || start === null || origin === undefined) return undefined;
  return links.learnerUrl({ profileId, merchantId }, `${origin}/catalogue/${encodeURIComponent(start)}`);
}
