import type { Response } from 'express';
import { html } from '../text/html';
import type { Html } from '../text/html';
import { createPageSender } from './html-page';
import { factStyle } from './fact-style';
import { newSecretPanel } from './new-secret';
import { consoleStyle } from './style';
import { isOwner } from './visitor';
import type { Visitor } from './visitor';

export type PageKey =
  | 'deliveries'
  | 'endpoints'
  | 'results'
  | 'support'
  | 'team'
  | 'access'
  | 'activity'
  | 'settings';
/** The pages in the menu, in this order. The first is the entry page. */
export const navigation: readonly { key: PageKey; label: string; path: string; ownersOnly?: boolean }[] = [
  { key: 'deliveries', label: 'Deliveries', path: '/deliveries' },
  { key: 'endpoints', label: 'Endpoints', path: '/endpoints' },
  { key: 'results', label: 'Results', path: '/results' },
  { key: 'support', label: 'Support', path: '/support' },
  { key: 'team', label: 'Team', path: '/team', ownersOnly: true },
  { key: 'access', label: 'Access', path: '/access' },
  { key: 'activity', label: 'Activity', path: '/activity' },
  { key: 'settings', label: 'Settings', path: '/settings' },
];

export const liveScriptPath = '/console/assets/live.js';
const send = createPageSender(consoleStyle + factStyle, liveScriptPath);

export type Page = {
  title: string;
  content: Html;
  /** The menu entry that the page belongs to. */
  key?: PageKey;
  status?: number;
  /** The origins of the media that the page plays. */
  mediaOrigins?: readonly string[];
};

/** Sends a page to a person who is signed in. */
export function sendConsolePage(
  response: Response,
  visitor: Visitor,
  page: Page,
  /** The address from which live.js refreshes a page that was the reply to a form. */
  source?: string,
): void {
  sendBody(
    response,
    page,
    html`<a class="skip" href="#content">Skip to content</a>
      <header class="top">
        <div>
          <span class="brand">Interview platform console</span>
          ${whoIsIn(visitor)}
        </div>
        ${visitor.merchant === null ? null : menu(visitor, page.key)}
      </header>
      <main id="content" tabindex="-1" ${source === undefined ? null : html`data-source="${source}"`}>
        ${visitor.flash === null ? null : html`<p class="flash" role="status">${visitor.flash}</p>`}
        ${visitor.secret === null ? null : newSecretPanel(visitor.secret)}
        <h1>${page.title}</h1>
        ${page.content}
      </main>`,
  );
}

/** Sends a page to a person who is not signed in. */
export function sendOpenPage(response: Response, page: Page): void {
  sendBody(
    response,
    page,
    html`<main class="narrow">
      <div class="panel">
        <h1>${page.title}</h1>
        ${page.content}
      </div>
    </main>`,
  );
}

function sendBody(response: Response, { title, status = 200, mediaOrigins = [] }: Page, body: Html): void {
  // With `no-referrer`, the policy of all other pages, browsers do not send a form's origin.
  response.setHeader('referrer-policy', 'same-origin');
  send(response, status, { title: `${title} – console`, lang: 'en', dir: 'ltr', body, mediaOrigins });
}

function whoIsIn({ session, merchant, role, csrf }: Visitor): Html {
  const place = merchant === null ? 'No merchant chosen' : merchant.name;
  return html`<div class="who">
    <span
      ><strong>${place}</strong>
      <span class="badge ${tones[session.environment]}">${session.environment}</span></span
    >
    ${session.may_choose ? html`<a href="/console/merchants">Choose merchant</a>` : null}
    <span>${session.name ?? session.email} (${roleNames[role] ?? role})</span>
    <form method="post" action="/console/sign-out">
      <input type="hidden" name="csrf" value="${csrf}" /><button class="plain">Sign out</button>
    </form>
  </div>`;
}

const tones = { production: 'bad', uat: 'warn', development: 'plain', demo: 'plain' } as const;

/** The names of roles that the pages show. */
export const roleNames: Partial<Record<string, string>> = {
  merchant_owner: 'owner',
  merchant: 'recruiter',
  merchant_selection: 'hiring manager',
  user: 'coaching user',
  mentor: 'mentor',
  admin: 'platform admin',
  service: 'service key',
};

const menu = (visitor: Visitor, current: PageKey | undefined): Html =>
  html`<div>
    <nav aria-label="Pages">
      <ul>
        ${navigation
          .filter(({ ownersOnly }) => !ownersOnly || isOwner(visitor))
          .map(
            ({ key, label, path }) =>
              html`<li>
                <a href="${visitor.href(path)}" ${key === current ? html`aria-current="page"` : null}
                  >${label}</a
                >
              </li>`,
          )}
      </ul>
    </nav>
  </div>`;
