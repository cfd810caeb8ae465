import { Router } from 'express';
import type { Request, Response } from 'express';
import type { Statement } from '../../../db/platform/statement';
import type { Role } from '../../../db/platform/vocabulary';
import { replyToErrors } from '../http/error-reply';
import { formReader } from '../http/form-body';
import { onlyMethod } from '../http/only-method';
import { uploadReader } from '../http/upload-body';
import { ApiError } from '../operation/api-error';
import { createConsoleCookies } from './console-cookies';
import { createConsoleAccess, missingPage } from './entrance';
import { findMerchantOf } from './find-merchant';
import { isFormToken } from './form-token';
import { homePath, sendConsolePage, sendOpenPage } from './layout';
import type { Page } from './layout';
import { outcomeOrMeanwhile } from './outcome';
import type { RedirectWithMessage, SlowOutcome } from './outcome';
import { addressAtMerchant, addReturnAddress } from './return-address';
import { readSentData } from './sent';
import type { RequestData } from './sent';
import { consoleWriters } from './visitor';
import type { ConsoleDeps, ConsoleVisit, ConsoleVisitor } from './visitor';

type ActionOptions = { roles?: readonly Role[]; isLarge?: boolean; isUpload?: boolean };

/** A file that the browser saves. `name` has only characters that need no escape. */
type SavedFile = { name: string; type: string; content: string };
/** What is elsewhere: a file at a signed address, or another page. */
type Elsewhere = { redirectTo: string };

export { sentValues, readSentData, sentText } from './sent';
export type { RedirectWithMessage } from './outcome';
export type { RequestData } from './sent';
export type Site = ReturnType<typeof createConsoleSite>;

/** The size limit of a form with a file. */
const maxUploadBytes = 1_048_576;

const isGo = (outcome: Page | RedirectWithMessage): outcome is RedirectWithMessage => 'goTo' in outcome;

/**
 * Creates the object that adds pages to the console. `page` handles a GET, `post` handles a POST, and `visitorPage`
 * handles the GET of a page that needs no merchant.
 */
export function createConsoleSite(deps: ConsoleDeps) {
  const router = Router({ caseSensitive: true });
  const cookies = createConsoleCookies(deps.publicOrigin, deps.seal);
  const readForm = formReader('64kb');
  const readLargeForm = formReader('2mb');
  const readUpload = uploadReader(maxUploadBytes);

  const { enter, recognize, toSignIn } = createConsoleAccess(deps, cookies);

  /** The methods that each path accepts. A page and an action can have the same path. */
  const methods = new Map<string, ('GET' | 'POST')[]>();
  const note = (path: string, method: 'GET' | 'POST') =>
    void methods.set(path, [...(methods.get(path) ?? []), method]);

  /**
   * Returns the address of the page that an action belongs to. It is the longest prefix of the action's address that is
   * a page.
   */
  const pageAddress = (request: Request, path: string): string => {
    const parts = path.split('/');
    let count = parts.length;
    while (count > 2 && !methods.get(parts.slice(0, count).join('/'))?.includes('GET')) count--;
    const query = request.originalUrl.split('?', 2)[1];
    return `/console${request.path.split('/').slice(0, count).join('/')}${query === undefined ? '' : `?${query}`}`;
  };

  const site = {
    router,
    cookies,

    /** Replies 405 to all methods that a path does not accept. Call it after all pages and actions were added. */
    refuseOtherMethods: () => {
      for (const [path, taken] of methods) {
        // If an action's address is opened with GET, the browser is sent to the page that the action belongs to.
        if (!taken.includes('GET'))
          router.get(path, (request, response) => response.redirect(303, pageAddress(request, path)));
        router.all(path, onlyMethod('GET', ...taken));
      }
    },

    /** Adds a page that needs no merchant, such as the one where a person chooses a merchant. */
    visitorPage: (
      name: string,
      path: string,
      render: (visitor: ConsoleVisitor, sent: RequestData) => Promise<Page>,
    ) => {
      note(path, 'GET');
      router.get(path, async (request, response) => {
        const visitor = await enter(request, response, name);
        if (visitor) sendConsolePage(response, visitor, await render(visitor, readSentData(request)));
      });
    },

    /**
     * Adds `GET /console<path>`, a page of one merchant. `name` identifies the page in logs and metrics. `subject`
     * finds the record with the id in the page's path, so that support can open the page with a link that does not
     * name the merchant. A page can lead to another one.
     */
    page: (
      name: string,
      path: string,
      render: (visit: ConsoleVisit, sent: RequestData) => Promise<Page | Elsewhere>,
      { subject }: { subject?: (id: string) => Statement } = {},
    ) => {
      note(path, 'GET');
      router.get(path, async (request, response) => {
        const visitor = await enter(request, response, name);
        if (!visitor) return;
        const sent = readSentData(request);
        const { originalUrl } = request;
        // A link that a member of only one merchant has copied does not name the merchant, so the merchant is looked
        // up.
        if (subject && visitor.session.may_choose && sent.query['merchant_id'] === undefined) {
          const found = await findMerchantOf(deps.database, visitor, subject(sent.params['id'] ?? ''));
          if (found !== undefined && found !== visitor.merchant?.id) {
            response.redirect(303, addressAtMerchant(originalUrl, found));
            return;
          }
        }
        const visit = withMerchant(visitor);
        if (!visit) {
          response.redirect(303, addReturnAddress('/console/merchants', originalUrl));
          return;
        }
        const page = await render(visit, sent);
        if ('redirectTo' in page) response.redirect(303, page.redirectTo);
        else sendConsolePage(response, visit, page);
      });
    },

    /** Adds `GET /console<path>`, a file that the browser saves. */
    file: (
      name: string,
      path: string,
      build: (visit: ConsoleVisit, sent: RequestData) => Promise<SavedFile | Elsewhere>,
    ) => {
      note(path, 'GET');
      router.get(path, async (request, response) => {
        const visitor = await enter(request, response, name);
        if (!visitor) return;
        const visit = withMerchant(visitor);
        if (!visit) {
          response.redirect(303, addReturnAddress('/console/merchants', request.originalUrl));
          return;
        }
        const file = await build(visit, readSentData(request));
        if ('redirectTo' in file) {
          response.set({ 'cache-control': 'no-store' }).redirect(303, file.redirectTo);
          return;
        }
        response
          .set({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
          .attachment(file.name)
          .type(file.type)
          .send(file.content);
      });
    },

    /** Adds `POST /console<path>`, an action at a merchant, like `visitorPost`. */
    post: (
      name: string,
      path: string,
      run: (visit: ConsoleVisit, sent: RequestData) => Promise<Page | RedirectWithMessage | SlowOutcome>,
      options: ActionOptions = {},
    ) =>
      site.visitorPost(
        name,
        path,
        async (visitor, sent) => {
          const visit = withMerchant(visitor);
          if (!visit) throw new ApiError('invalid_value', 'Choose a merchant first.', 'merchant_id');
          return run(visit, sent);
        },
        options,
      ),

    /**
     * Adds `POST /console<path>`, an action that needs no merchant. The origin, the session's token and the role are
     * checked before `run` is called. By default, every role except the hiring manager may use the action. `run` returns
     * where to redirect to, or a page to show as the reply. `isLarge` raises the size limit for a form with a large text.
     * `isUpload` is set for a form with a file.
     */
    visitorPost: (
      name: string,
      path: string,
      run: (visitor: ConsoleVisitor, sent: RequestData) => Promise<Page | RedirectWithMessage | SlowOutcome>,
      { roles = consoleWriters, isLarge = false, isUpload = false }: ActionOptions = {},
    ) => {
      note(path, 'POST');
      const read = isUpload ? readUpload : isLarge ? readLargeForm : readForm;
      router.post(path, site.ownOrigin, read, async (request, response) => {
        response.locals['page'] = pageAddress(request, path);
        const visitor = await enter(request, response, name);
        if (!visitor) return;
        const sent = readSentData(request);
        checkToken(sent, visitor);
        if (!roles.includes(visitor.role)) throw new ApiError('forbidden', 'You have read-only access.');
        const result = await run(visitor, sent);
        const outcome = 'meanwhile' in result ? await outcomeOrMeanwhile(result, request, visitor) : result;
        if (!isGo(outcome)) {
          sendConsolePage(response, visitor, outcome, pageAddress(request, path));
          return;
        }
        cookies.setFlash(response, outcome.flash);
        const { session_id: sessionId } = visitor.session;
        if (outcome.secret)
          cookies.setSecret(response, { sessionId, path: `/console${outcome.goTo}` }, outcome.secret);
        response.redirect(303, visitor.href(outcome.goTo, outcome.query));
      });
    },

    readForm,
    /** Rejects forms that were sent from another site. */
    ownOrigin: (request: Request, _response: Response, next: () => void) => {
      if (request.headers.origin !== deps.publicOrigin)
        throw new ApiError(
          'forbidden',
          'This form was not sent from a page of the console. Reload the page and send it again.',
        );
      next();
    },

    /** Handles every address that has no page. */
    missing: async (request: Request, response: Response): Promise<void> => {
      await recognize(request, response);
      throw new ApiError('not_found', missingPage);
    },

    /** The last handler. It shows errors as a page, with the menu for people who are signed in. */
    errorPage: replyToErrors((request, response, error) => {
      if (error.status === 401) {
        toSignIn(request, response);
        return;
      }
      const visitor = response.locals['visitor'] as ConsoleVisitor | undefined;
      const home = visitor ? visitor.href(homePath) : '/console';
      const page = {
        title: titleOf(error.status),
        status: error.status,
        content: (
          <>
            <p class="error" role="alert">
              {error.message}
            </p>
            <p class="soft small">Request ID: {response.get('x-request-id')}</p>
            <p>
              <a href={home}>Back to the console</a>
            </p>
          </>
        ),
      };
      if (visitor) sendConsolePage(response, visitor, page);
      else sendOpenPage(response, page);
    }),
  };
  return site;
}

const titleOf = (status: number): string => {
  if (status === 404) return 'Page not found';
  if (status === 429) return 'Too many requests';
  if (status === 403) return 'Access denied';
  return status >= 500 ? 'Something went wrong' : 'This request can’t be completed';
};

const withMerchant = (visitor: ConsoleVisitor): ConsoleVisit | undefined =>
  visitor.merchant ? { ...visitor, merchant: visitor.merchant } : undefined;

/** Throws 403 if the form does not contain the session's token, which other sites cannot know. */
function checkToken({ form }: RequestData, { formToken }: ConsoleVisitor): void {
  if (!isFormToken(form['csrf'], formToken))
    throw new ApiError(
      'forbidden',
      'This form is from an earlier session. Go back, reload the page, and try again.',
    );
}
