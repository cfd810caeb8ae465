import type { Request, RequestHandler, Response } from 'express';
import { html } from '../contracts/html';
import type { LanguageCode } from '../contracts/vocabulary';
import { activateAccount, findInvitedAccount } from '../../db/accounts';
import type { InvitedAccount } from '../../db/accounts';
import type { Links } from '../../db/link-tokens';
import type { Database, Meter } from '../../db/scope';
import { noteFacts } from '../http/request-log';
import { sendInvalidLink } from './invalid-link';
import { sendPage } from './page';
import { portalTexts } from './texts';

type Deps = { database: Database; links: Links };

const newMeter = (): Meter => ({ databaseMs: 0, merchantId: null, callerId: null });

/** `GET /invitation/?invitation_token=…`: who invites to what. It accepts nothing: scanners of mails open links too. */
export function accountPage({ database, links }: Deps): RequestHandler {
  return async (request, response) => {
    const meter = newMeter();
    noteFacts(request, { operation: 'invitation-page', profileId: null, meter });
    const sent = request.query['invitation_token'];
    const token = typeof sent === 'string' ? sent : '';
    const link = await links.openAccountLink(token);
    const [account] = link
      ? await database.queryAsCaller<InvitedAccount>(
          { kind: 'sign_in', meter },
          findInvitedAccount(link.profileId, link.merchantId),
        )
      : [];
    if (!link || !account) sendInvalidLink(request, response);
    else if (account.activated_at !== null) sendAccount(response, 200, account, 'accepted_already');
    else if (link.isExpired || account.is_disabled) sendAccount(response, 410, account, 'account_ended');
    else
      sendAccount(response, 200, account, account.is_coaching ? 'account_coaching' : 'account_team', token);
  };
}

/** `POST /invitation/` with the token: accepts, once; a second time tells so. */
export function acceptInvitation({ database, links }: Deps): RequestHandler {
  return async (request: Request, response) => {
    const meter = newMeter();
    noteFacts(request, { operation: 'invitation-accept', profileId: null, meter });
    const body: unknown = request.body;
    const token: unknown =
      typeof body === 'object' && body ? Reflect.get(body, 'invitation_token') : undefined;
    const link = typeof token === 'string' ? await links.openAccountLink(token) : undefined;
    if (!link) {
      sendInvalidLink(request, response);
      return;
    }
    const { account, isAccepted } = await database.asCaller(
      { kind: 'sign_in', meter },
      'write',
      async (trx) => {
        const accepted = link.isExpired ? 0 : await trx.count(activateAccount(link.profileId));
        const [row] = await trx.rows<InvitedAccount>(findInvitedAccount(link.profileId, link.merchantId));
        return { account: row, isAccepted: accepted > 0 };
      },
    );
    if (!account) sendInvalidLink(request, response);
    else if (isAccepted) sendAccount(response, 200, account, 'accepted');
    else if (account.activated_at === null || account.is_disabled)
      sendAccount(response, 410, account, 'account_ended');
    else sendAccount(response, 200, account, 'accepted_already');
  };
}

function sendAccount(
  response: Response,
  status: number,
  { merchant_name: merchant, platform_language_code }: InvitedAccount,
  text: Parameters<ReturnType<typeof portalTexts>>[0],
  token?: string,
): void {
  const language: LanguageCode = platform_language_code;
  const texts = portalTexts(language);
  const title = texts('account_heading', { merchant });
  sendPage(response, status, {
    language,
    title,
    content: html`<h1>${title}</h1>
      <p class="state">${texts(text, { merchant })}</p>
      ${
        token === undefined
          ? null
          : html`<form method="post" action="/invitation/">
              <input type="hidden" name="invitation_token" value="${token}" />
              <button>${texts('accept')}</button>
            </form>`
      }`,
  });
}
