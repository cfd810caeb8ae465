import type { AccessNote } from './access-acts';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { listColleagues, listServiceKeys, listSessions } from '../../db/identity/access';
import type { Colleague, OpenSession, ServiceKey } from '../../db/identity/access';
import { addAccessActs } from './access-acts';
import { badge, confirmButton, panel, postForm, table, timestamp } from '../platform/site/elements';
import type { Cell } from '../platform/site/elements';
import { formFields } from '../platform/site/form-fields';
import { roleNames } from '../platform/site/layout';
import type { Page } from '../platform/site/layout';
import type { Site } from '../platform/site/site';
import { isOwner, lookingRoles, mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const limitRows = 200;

/**
 * Adds the page of the merchant's service keys and its people's sessions: who may call the API, and when each was
 * last used.
 */
export function addAccessPage(site: Site, deps: ConsoleDeps): void {
  const { database } = deps;
  const render = async (visit: Visit, note: AccessNote = {}): Promise<Page> => {
    const lists = await database.read(visit.caller(lookingRoles), async (trx) => ({
      keys: await trx.rows(listServiceKeys(limitRows)),
      sessions: await trx.rows(listSessions(limitRows)),
      colleagues: isOwner(visit) ? await trx.rows(listColleagues(limitRows)) : [],
    }));
    return {
      title: 'Access',
      key: 'access',
      status: note.keyFault?.status ?? note.sessionFault?.status ?? 200,
      content: html`${panel('Service keys', keyTable(visit, lists.keys), 'keys')}
      ${isOwner(visit) ? panel('New service key', keyForm(visit, note)) : null}
      ${panel(isOwner(visit) ? 'Sessions' : 'Your sessions', sessionTable(visit, lists.sessions), 'sessions')}
      ${mayChange(visit) ? panel('New session of the API', sessionForm(visit, lists.colleagues, note)) : null}`,
    };
  };

  site.page('console-access', '/access', (visit) => render(visit));
  addAccessActs(site, deps, render);
}

const keyTable = (visit: Visit, keys: ServiceKey[]): Html =>
  table(
    'Service keys',
    ['Name', 'State', 'Created', 'By', 'Last used', ...(isOwner(visit) ? [''] : [])],
    keys.map(({ id, name, created_at, created_by_name, last_used_at, revoked_at }) => [
      name ?? 'unnamed',
      revoked_at === null ? badge('live', 'good') : html`${badge('revoked')} ${timestamp(revoked_at)}`,
      timestamp(created_at),
      created_by_name ?? 'the platform',
      last_used_at === null ? 'never' : timestamp(last_used_at),
      ...(isOwner(visit)
        ? [
            revoked_at === null
              ? confirmButton(visit, '/access/keys/revoke', {
                  id: `revoke-${id}`,
                  label: 'Revoke',
                  title: `Revoke the key ${name ?? 'without a name'}`,
                  question: 'Whatever uses this key is refused at once.',
                  fields: { id },
                })
              : null,
          ]
        : []),
    ]),
    'This merchant has no service key in this environment.',
  );

function keyForm(visit: Visit, { keyFault, entered }: AccessNote): Html {
  const form = formFields(['name'], keyFault);
  return html`<p class="soft">
      A key reaches ${visit.merchant.name} and its sub-merchants in ${visit.session.environment}. It is shown
      once. Calls with a key name the merchant: <code>merchant_id</code> is <code>${visit.merchant.id}</code>.
    </p>
    ${form.summary}
    ${postForm(
      visit,
      '/access/keys/create',
      html`${form.text('name', 'Name', entered?.['name'] ?? '', { required: true, maxlength: 100 })}
        <div><button>Create key</button></div>`,
      'inline',
    )}`;
}

const sessionTable = (visit: Visit, sessions: OpenSession[]): Html =>
  table(
    'Sessions',
    ['Person', 'Of', 'Label', 'Since', 'Last used', 'Ends', ...(mayChange(visit) ? [''] : [])],
    sessions.map((session) => [
      html`${session.name ?? session.email}
      ${session.id === visit.session.session_id ? badge('this one', 'good') : null}`,
      session.kind === 'console' ? 'console' : 'API',
      session.label ?? html`<span class="soft small long">${session.user_agent ?? '–'}</span>`,
      timestamp(session.created_at),
      lastUse(visit, session),
      timestamp(session.expires_at),
      ...(mayChange(visit)
        ? [
            confirmButton(visit, '/access/sessions/revoke', {
              id: `revoke-${session.id}`,
              label: 'Revoke',
              title: `Revoke a session of ${session.name ?? session.email}`,
              question: 'Its tokens are refused at once.',
              fields: { id: session.id },
            }),
          ]
        : []),
    ]),
    'There is no session.',
  );

/** The session that shows this page is in use now, whatever last use has been written. */
function lastUse(visit: Visit, { id, last_used_at }: OpenSession): Cell {
  if (id === visit.session.session_id) return 'now';
  return last_used_at === null ? 'never' : timestamp(last_used_at);
}

function sessionForm(visit: Visit, colleagues: Colleague[], { sessionFault, entered }: AccessNote): Html {
  const form = formFields(['profile_id', 'label'], sessionFault);
  const { profile_id: ownId, name, email } = visit.session;
  const others = colleagues.filter(({ id }) => id !== ownId);
  const people = [
    { value: ownId, label: `${name ?? email} (you)` },
    ...others.map((person) => ({
      value: person.id,
      label: `${person.name ?? person.email} (${roleNames[person.role] ?? person.role})`,
    })),
  ];
  return html`<p class="soft">
      An access token of one hour and a refresh token of 30 days, with the rights of that person. Shown once.
    </p>
    ${form.summary}
    ${postForm(
      visit,
      '/access/sessions/create',
      html`${others.length > 0 ? form.choice('profile_id', 'Person', people, entered?.['profile_id'] ?? ownId) : null}
        ${form.text('label', 'Label', entered?.['label'] ?? '', { required: true, maxlength: 100 })}
        <div><button>Create session</button></div>`,
      'inline',
    )}`;
}
