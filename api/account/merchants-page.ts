import { html } from '../platform/text/html';
import { listReachableMerchants } from '../../db/platform/console-sessions';
import { field, table, textInput } from '../platform/site/elements';
import { navigation, roleNames } from '../platform/site/layout';
import { atMerchant, safeReturn } from '../platform/site/return-address';
import type { Site } from '../platform/site/site';
import { hrefOf } from '../platform/site/visit';
import { lookingRoles } from '../platform/site/visitor';
import type { ConsoleDeps } from '../platform/site/visitor';

const limitRows = 100;

/** Adds the page on which platform admins and operators choose the merchant to work in. */
export function addMerchantsPage(site: Site, { database }: ConsoleDeps): void {
  site.visitorPage('console-merchants', '/merchants', async (visitor, { query }) => {
    const filter = query['filter_text'] ?? '';
    const merchants = await database.query(
      visitor.caller(lookingRoles, false),
      listReachableMerchants(filter, limitRows),
    );
    const returnTo = safeReturn(query['return_to']);
    const next = returnTo ?? hrefOf(navigation[0]?.path ?? '');
    return {
      title: 'Choose a merchant',
      content: html`<section class="panel">
          <form class="inline" method="get" action="/console/merchants">
            ${returnTo === undefined ? null : html`<input type="hidden" name="return_to" value="${returnTo}" />`}
            ${field('filter_text', 'Name', textInput('filter_text', filter))}
            <div><button>Search</button></div>
          </form>
        </section>
        <section class="panel">
          ${table(
            'Merchants',
            ['Merchant', 'Your role there'],
            merchants.map(({ id, name, role }) => [
              html`<a href="${atMerchant(next, id)}">${name}</a>`,
              roleNames[role] ?? role,
            ]),
            filter === '' ? 'You cannot open any merchant yet.' : 'No merchants match this name.',
          )}
          ${merchants.length === limitRows ? html`<p class="soft">The first ${limitRows}; search for others.</p>` : null}
        </section>`,
    };
  });
}
