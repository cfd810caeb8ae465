import { timingSafeEqual } from 'node:crypto';
import express, { Router } from 'express';
import type { Request, Response } from 'express';
import { html } from '../contracts/html';
import { ApiError } from '../contracts/api-error';
import type { Role } from '../contracts/vocabulary';
import { checkText } from '../http/check-text';
import { replyToErrors } from '../http/error-reply';
import { onlyMethod } from '../http/only-method';
import { noteFacts } from '../http/request-log';
import type { Meter } from '../../db/scope';
import { createCookies } from './cookies';
import { sendConsolePage, sendOpenPage } from './layout';
import type { Page } from './layout';
import { changingRoles, openVisit } from './visit';
import type { ConsoleDeps, Visit, Visitor } from './visit';

/** What came with a request: parameters of the path, the query, and of a POST the form. A repeated name is a list. */
export type Sent = {
  params: Record<string, string>;
  query: Record<string, string>;
  form: Record<string, string | string[]>;
};
/** After an act: where to go (`/access`), and what to say there. */
export type Go = { goTo: string; query?: Record<string, string>; flash: string };

export type Site = ReturnType<typeof createSite>;

const isGo = (outcome: Page | Go): outcome is Go => 'goTo' in outcome;

/** Where the pages of the console are added: `page` answers a GET, `act` a POST, `visitorPage` needs no merchant. */
export function createSite(deps: ConsoleDeps) {
  const router = Router({ caseSensitive: true });
  const cookies = createCookies(deps.publicOrigin);
  const readForm = express.urlencoded({ extended: false, limit: '64kb' });

  /** Who visits; undefined where the answer is sent already. */
  const enter = async (request: Request, response: Response, name: string): Promise<Visitor | undefined> => {
    const meter: Meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: name, profileId: null, meter });
    const cookie = cookies.read(request);
    if (!cookie && request.method === 'GET' && request.headers['sec-fetch-site'] === 'cross-site') {
      sendAgain(request, response);
      return undefined;
    }
    const visitor = await openVisit(deps, cookie, request, meter);
    if (!visitor) {
      if (cookie) cookies.clear(response);
      response.redirect(303, '/console/sign-in');
      return undefined;
    }
    noteFacts(request, { operation: name, profileId: visitor.session.profile_id, meter });
    // A page that refreshes itself uses nothing, and leaves the sentence to the page that is shown.
    if (request.headers['x-console-live'] !== undefined) return visitor;
    deps.lastUse.note('session', visitor.session.session_id);
    return request.method === 'POST' ? visitor : { ...visitor, flash: cookies.takeFlash(request, response) };
  };

  /** Methods of each path: a page and an act may share one. */
  const methods = new Map<string, ('GET' | 'POST')[]>();
  const note = (path: string, method: 'GET' | 'POST') =>
    void methods.set(path, [...(methods.get(path) ?? []), method]);

  const site = {
    router,
    cookies,

    /** Behind all pages and acts: 405 for another method. */
    refuseOtherMethods: () => {
      for (const [path, taken] of methods) router.all(path, onlyMethod(...taken));
    },

    /** A page that needs no merchant: the choice of one. */
    visitorPage: (name: string, path: string, render: (visitor: Visitor, sent: Sent) => Promise<Page>) => {
      note(path, 'GET');
      router.get(path, async (request, response) => {
        const visitor = await enter(request, response, name);
        if (visitor) sendConsolePage(response, visitor, await render(visitor, sentWith(request)));
      });
    },

    /** `GET /console<path>`: a page of one merchant. `name` is what log and metrics call it. */
    page: (name: string, path: string, render: (visit: Visit, sent: Sent) => Promise<Page>) => {
      note(path, 'GET');
      router.get(path, async (request, response) => {
        const visitor = await enter(request, response, name);
        const visit = visitor && withMerchant(visitor);
        if (visit) sendConsolePage(response, visit, await render(visit, sentWith(request)));
        else if (visitor) response.redirect(303, '/console/merchants');
      });
    },

    /**
     * `POST /console<path>`: an act. Origin, the session's token and the role are proven before it runs; by default
     * everybody but the hiring manager may. Its answer is where to go, or a page to show at once.
     */
    act: (
      name: string,
      path: string,
      run: (visit: Visit, sent: Sent) => Promise<Page | Go>,
      { roles = changingRoles }: { roles?: readonly Role[] } = {},
    ) => {
      note(path, 'POST');
      router.post(path, site.ownOrigin, readForm, async (request, response) => {
        const visitor = await enter(request, response, name);
        if (!visitor) return;
        const sent = sentWith(request);
        checkToken(sent, visitor);
        const visit = withMerchant(visitor);
        if (!visit) throw new ApiError(422, 'Choose a merchant first', 'merchant_id');
        if (!roles.includes(visit.role))
          throw new ApiError(403, 'Your role may look at this, and change nothing here');
        const outcome = await run(visit, sent);
        if (!isGo(outcome)) {
          sendConsolePage(response, visitor, outcome);
          return;
        }
        cookies.setFlash(response, outcome.flash);
        response.redirect(303, visit.href(outcome.goTo, outcome.query));
      });
    },

    readForm,
    /** Refuses a form of another site. */
    ownOrigin: (request: Request, _response: Response, next: () => void) => {
      if (request.headers.origin !== deps.publicOrigin)
        throw new ApiError(403, 'This form was not sent by a page of the console');
      next();
    },

    /** Last: what went wrong, as a page. */
    errorPage: replyToErrors((request, response, error) => {
      if (error.status === 401) {
        response.redirect(303, '/console/sign-in');
        return;
      }
      const title =
        error.status === 404 ? 'Not found' : error.status >= 500 ? 'That did not work' : 'Not possible';
      sendOpenPage(response, {
        title,
        status: error.status,
        content: html`<p class="fault" role="alert">${error.message}.</p>
          <p class="soft small">Request ${response.get('x-request-id')}</p>
          <p><a href="/console">To the console</a></p>`,
      });
    }),
  };
  return site;
}

const withMerchant = (visitor: Visitor): Visit | undefined =>
  visitor.merchant ? { ...visitor, merchant: visitor.merchant } : undefined;

/** The token of the form has to be the session's: another site cannot know it. Throws 403. */
function checkToken({ form }: Sent, { csrf }: Visitor): void {
  const sent = Buffer.from(typeof form['csrf'] === 'string' ? form['csrf'] : '');
  const own = Buffer.from(csrf);
  if (sent.length !== own.length || !timingSafeEqual(sent, own))
    throw new ApiError(
      403,
      'This form belongs to an earlier session: go back, reload the page and try again',
    );
}

/** Throws 422 on characters that no field may hold. */
export function sentWith(request: Request): Sent {
  const body: unknown = request.body;
  const form = { ...(typeof body === 'object' ? body : {}) } as Sent['form'];
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.query))
    if (typeof value === 'string') query[name] = value;
  checkText(form, undefined, 'The form');
  checkText(query, undefined, 'The address');
  return { params: request.params as Record<string, string>, query, form };
}

/** The text of a form's field, trimmed; '' where it is missing. */
export const textOf = ({ form }: Pick<Sent, 'form'>, name: string): string => {
  const value = form[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** Every value of a field that may be given more than once. */
export const listOf = ({ form }: Pick<Sent, 'form'>, name: string): string[] => {
  const value = form[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
};

/**
 * Who comes by a link of a mail or another site sends no strict cookie: the same page, asked for once more by a page of
 * ours, gets it.
 */
function sendAgain(request: Request, response: Response): void {
  response.setHeader('refresh', `0; url=${request.originalUrl}`);
  sendOpenPage(response, {
    title: 'One moment',
    content: html`<p><a href="${request.originalUrl}">Open the page</a></p>`,
  });
}
