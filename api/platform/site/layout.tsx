import type { Response } from 'express';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { oneLine } from '../text/one-line';
import type { Asset } from './assets';
import { HiddenFields } from './buttons';
import { sendDocument } from './document';
import { CopyButton, Link, Time } from './elements';
import { LaterPlaceholder } from './later';
import { consoleScripts, consoleStyle } from './site-assets';
import { isOwner } from './visitor';
import type { NewSecret, ConsoleVisitor } from './visitor';
import { useMerchantTimeZone, useVisitor, VisitorContext } from './visitor-context';

type Entry = { label: string; path: string; ownersOnly?: boolean };
/** An entry of the menu. If it has `pages`, they are shown below the menu while one of them is open. */
type Section = Entry & { pages?: readonly Entry[] };

/** The menu. The console opens with the page of the first entry. */
const navigation = [
  {
    label: 'Results',
    path: '/results',
    pages: [
      { label: 'All results', path: '/results' },
      { label: 'Requests', path: '/requests' },
    ],
  },
  {
    label: 'Candidates',
    path: '/candidates',
    pages: [
      { label: 'All candidates', path: '/candidates' },
      { label: 'Mails', path: '/mails' },
    ],
  },
  {
    label: 'Interviews',
    path: '/interviews',
    pages: [
      { label: 'Interviews', path: '/interviews' },
      { label: 'Positions', path: '/positions' },
      { label: 'Knowledge', path: '/knowledge' },
    ],
  },
  { label: 'Reports', path: '/reports' },
  {
    label: 'Webhooks',
    path: '/deliveries',
    pages: [
      { label: 'Deliveries', path: '/deliveries' },
      { label: 'Endpoints', path: '/endpoints' },
      { label: 'Replays', path: '/replays' },
    ],
  },
  { label: 'Support', path: '/support' },
  { label: 'Team', path: '/team', ownersOnly: true },
  {
    label: 'Settings',
    path: '/settings',
    pages: [
      { label: 'General', path: '/settings' },
      { label: 'Access', path: '/access' },
      { label: 'Usage', path: '/usage', ownersOnly: true },
      { label: 'Audit', path: '/audit', ownersOnly: true },
    ],
  },
] as const satisfies readonly Section[];
const sections: readonly Section[] = navigation;

type EntryOf<Each> = Each extends { pages: readonly (infer Inner)[] } ? Inner : Each;
/** The path of a page that is in the menu. */
type PagePath = EntryOf<(typeof navigation)[number]> extends { path: infer Path } ? Path : never;

/** The page that the console opens with. */
export const homePath = navigation[0].path;

export type Page = {
  title: string;
  content: ComponentChildren;
  /** The menu entry that is highlighted for this page. */
  at?: PagePath;
  /** The HTTP status of the reply, 200 by default. */
  status?: number | undefined;
  /** The origins from which the page may play media. */
  mediaOrigins?: readonly string[] | undefined;
  /** Scripts that only this page loads. The page must also work without them. */
  scripts?: readonly Asset[];
  /** What follows the content as soon as it is there. The browser shows the page until then. */
  later?: Promise<ComponentChildren>;
};

/** Sends a page to a person who is signed in. */
export function sendConsolePage(
  response: Response,
  visitor: ConsoleVisitor,
  page: Page,
  /** The address from which live.js refreshes the page, if the page is the reply to a form. */
  source?: string,
): void {
  send(
    response,
    page,
    <VisitorContext.Provider value={visitor}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="top">
        <div>
          <span class="brand">Interview platform</span>
          {visitor.merchant && <SearchBox />}
          <WhoIsIn />
        </div>
        {visitor.merchant && <Menu at={page.at} />}
      </header>
      <main id="content" tabindex={-1} data-source={source}>
        {visitor.flash !== null && (
          <p class="flash" role="status">
            {visitor.flash}
          </p>
        )}
        {visitor.secret && <NewSecrets {...visitor.secret} />}
        <h1>{oneLine(page.title)}</h1>
        {page.content}
        {page.later && <LaterPlaceholder />}
        {visitor.merchant && <TimeZoneNote />}
      </main>
    </VisitorContext.Provider>,
    page.later?.then((content) =>
      renderToString(<VisitorContext.Provider value={visitor}>{content}</VisitorContext.Provider>),
    ),
  );
}

/** Sends a page to a person who is not signed in. */
export function sendOpenPage(response: Response, page: Page): void {
  send(
    response,
    page,
    <main class="narrow">
      <div class="panel">
        <h1>{oneLine(page.title)}</h1>
        {page.content}
      </div>
    </main>,
  );
}

function send(response: Response, page: Page, body: VNode, later?: Promise<string>): void {
  const { title, status, mediaOrigins, scripts = [] } = page;
  // The console checks the `Origin` header of its forms. Browsers would not send this origin with the policy
  // `no-referrer`, which other pages use.
  response.setHeader('referrer-policy', 'same-origin');
  sendDocument(response, {
    title: `${title} – console`,
    lang: 'en',
    styles: [consoleStyle],
    scripts: [...consoleScripts, ...scripts],
    body,
    status,
    mediaOrigins,
    later,
  });
}

function WhoIsIn(): VNode {
  const { session, merchant, role, csrf } = useVisitor();
  return (
    <div class="who">
      <span>
        <strong>{merchant?.name ?? 'No merchant selected'}</strong>{' '}
        <span class={`badge ${tones[session.environment]}`}>{session.environment}</span>
      </span>
      {session.may_choose && <a href="/console/merchants">Switch merchant</a>}
      <span>{`${oneLine(session.name ?? session.email)} (${roleNames[role] ?? role})`}</span>
      <form method="post" action="/console/sign-out">
        <HiddenFields fields={{ csrf }} />
        <button class="plain">Sign out</button>
      </form>
    </div>
  );
}

/** The search box of every page. search-key.ts moves the focus to it. */
function SearchBox(): VNode {
  const { pathname, searchParams } = new URL(useVisitor().href('/search'), 'http://console');
  return (
    <form class="search" role="search" method="get" action={pathname}>
      <HiddenFields fields={Object.fromEntries(searchParams)} />
      <input
        type="search"
        name="q"
        data-search
        maxlength={200}
        placeholder="Name, email or ID"
        aria-label="Search"
        aria-keyshortcuts="/"
        title="Press / to search"
      />
    </form>
  );
}

const tones = { production: 'bad', uat: 'warn', development: 'plain', demo: 'plain' } as const;

/** The names under which pages show the roles. */
export const roleNames: Partial<Record<string, string>> = {
  merchant_owner: 'owner',
  merchant: 'recruiter',
  merchant_selection: 'hiring manager',
  user: 'coaching user',
  mentor: 'mentor',
  admin: 'platform admin',
  service: 'service key',
};

function Menu({ at }: { at: PagePath | undefined }): VNode {
  const pagesOf = ({ pages = [] }: Section) => pages;
  const current = sections.find(
    (section) => section.path === at || pagesOf(section).some(({ path }) => path === at),
  );
  return (
    <>
      <div>
        <nav class="menu" aria-label="Menu">
          <Entries entries={sections} isCurrent={(entry) => entry === current} />
        </nav>
      </div>
      {current?.pages && (
        <div>
          <nav class="menu pages-of" aria-label={current.label}>
            <Entries entries={current.pages} isCurrent={({ path }) => path === at} />
          </nav>
        </div>
      )}
    </>
  );
}

function Entries(props: { entries: readonly Section[]; isCurrent: (entry: Section) => boolean }): VNode {
  const visitor = useVisitor();
  const { entries, isCurrent } = props;
  return (
    <ul>
      {entries
        .filter(({ ownersOnly }) => !ownersOnly || isOwner(visitor))
        .map((entry) => (
          <li>
            <a
              href={visitor.href(entry.path)}
              aria-current={isCurrent(entry) ? (entry.pages ? 'true' : 'page') : undefined}
            >
              {entry.label}
            </a>
          </li>
        ))}
    </ul>
  );
}

/** Shows new secrets. They are not shown again. */
const NewSecrets = ({ title, secrets, previousEndsAt }: NewSecret): VNode => (
  <section class="panel" role="status">
    <h2>{title}</h2>
    <p>Copy it now. You won’t be able to see it again.</p>
    <div class="fields">
      {secrets.map(([id, label, secret]) => (
        <div class="field">
          <label for={id}>{label}</label>
          <div class="copyable">
            <input id={id} class="mono" readonly value={secret} />
            <CopyButton what={label} />
          </div>
        </div>
      ))}
    </div>
    {previousEndsAt !== undefined && (
      <p class="soft">
        The previous secret stays valid until <Time at={previousEndsAt} />.
      </p>
    )}
  </section>
);

const TimeZoneNote = (): VNode => (
  <p class="soft small zone">
    Times are in {useMerchantTimeZone()}. <Link to="/settings">Time zone settings</Link>
  </p>
);
