import type { Request, Response } from 'express';
import type { RequestMeter } from '../../../db/platform/database';
import { refundPoint } from '../http/address-limit';
import { noteFacts } from '../http/request-log';
import { ApiError } from '../operation/api-error';
import { uuid } from '../operation/vocabulary';
import type { ConsoleCookies } from './console-cookies';
import { sendOpenPage } from './layout';
import { addReturnAddress } from './return-address';
import { openConsoleVisit } from './visit';
import type { ConsoleDeps, ConsoleVisitor } from './visitor';

export const missingPage = 'This page does not exist.';

/**
 * Creates the functions that let people open pages of the console. Visitors without a valid session cookie are
 * redirected to the sign-in page.
 */
export function createConsoleAccess(deps: ConsoleDeps, cookies: ConsoleCookies) {
  /** Returns the visitor, or undefined if a reply was already sent. */
  const enter = async (
    request: Request,
    response: Response,
    name: string,
  ): Promise<ConsoleVisitor | undefined> => {
    const meter: RequestMeter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: name, profileId: null, meter });
    const cookie = cookies.read(request);
    if (!cookie && request.method === 'GET' && request.headers['sec-fetch-site'] === 'cross-site') {
      sendAgain(request, response);
      return undefined;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const visitor = await openConsoleVisit(deps, cookie, request, meter, gone.signal).catch(
      async (failure: unknown) => {
        // The page may belong to a merchant that the visitor may not see. The error page still shows that the visitor is
        // signed in.
        await recognize(request, response);
        throw failure;
      },
    );
    if (!visitor) {
      if (cookie) cookies.clear(response);
      toSignIn(request, response);
      return undefined;
    }
    response.locals['visitor'] = visitor;
    refundPoint(request, cookie?.hash.toString('hex'));
    noteFacts(request, { operation: name, profileId: visitor.session.profile_id, meter });
    const { id } = request.params;
    if (id !== undefined && !uuid.safeParse(id).success) throw new ApiError('not_found', missingPage);
    // The requests of live.js do not count as use of the session, and do not remove the message that waits for the
    // next page.
    if (request.headers['x-console-live'] !== undefined) return visitor;
    const { session_id: sessionId } = visitor.session;
    deps.lastUse.note('session', sessionId);
    if (request.method === 'POST') return visitor;
    return {
      ...visitor,
      flash: cookies.takeFlash(request, response),
      secret: cookies.takeSecret(request, response, { sessionId, path: request.baseUrl + request.path }),
    };
  };

  /** Identifies the visitor for an error page, if possible. */
  const recognize = async (request: Request, response: Response): Promise<void> => {
    const meter: RequestMeter = { databaseMs: 0, merchantId: null, callerId: null };
    const cookie = cookies.read(request);
    const anywhere = await openConsoleVisit(deps, cookie, { query: {} }, meter).catch(() => undefined);
    if (!anywhere) return;
    response.locals['visitor'] = anywhere;
    refundPoint(request, cookie?.hash.toString('hex'));
  };

  /** Redirects to the sign-in, which leads back to the page of this request. */
  const toSignIn = (request: Request, response: Response): void => {
    const page = response.locals['page'] as string | undefined;
    response.redirect(303, addReturnAddress('/console/sign-in', page ?? request.originalUrl));
  };

  return { enter, recognize, toSignIn };
}

/**
 * Sends a page that requests the same address again from our own site. After a link from an email or another site, a
 * browser sends a `SameSite=Strict` cookie only with this second request.
 */
function sendAgain(request: Request, response: Response): void {
  // The request line may contain a whole URL. Only its path and query are used.
  const query = request.originalUrl.split('?').slice(1).join('?');
  const address = `${request.baseUrl}${request.path}${query === '' ? '' : `?${query}`}`;
  response.setHeader('refresh', `0; url=${address}`);
  sendOpenPage(response, {
    title: 'One moment',
    content: (
      <p>
        <a href={address}>Open the page</a>
      </p>
    ),
  });
}
