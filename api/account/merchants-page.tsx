import { listReachableMerchants } from '../../db/platform/console-sessions';
import { Hidden, Submit } from '../platform/site/buttons';
import { Panel, Table } from '../platform/site/elements';
import { SearchForm, TextField } from '../platform/site/form';
import { homePath, roleNames } from '../platform/site/layout';
import { atMerchant, safeReturn } from '../platform/site/return-address';
import type { Site } from '../platform/site/site';
import { hrefOf } from '../platform/site/visit';
import { consoleReaders } from '../platform/site/visitor';
import type { ConsoleDeps } from '../platform/site/visitor';

const limitRows = 100;

/** Adds the page on which platform admins and operators choose the merchant to work in. */
export function addMerchantsPage(site: Site, { database }: ConsoleDeps): void {
  site.visitorPage('console-merchants', '/merchants', async (visitor, { query }) => {
    const filter = query['filter_text'] ?? '';
    const merchants = await database.query(
      visitor.caller(consoleReaders, false),
      listReachableMerchants(filter, limitRows),
    );
    const returnTo = safeReturn(query['return_to']);
    const next = returnTo ?? hrefOf(homePath);
    return {
      title: 'Choose a merchant',
      content: (
        <>
          <Panel>
            <SearchForm path="/merchants">
              {returnTo !== undefined && <Hidden fields={{ return_to: returnTo }} />}
              <TextField name="filter_text" label="Name" value={filter} />
              <Submit>Search</Submit>
            </SearchForm>
          </Panel>
          <Panel>
            <Table
              caption="Merchants"
              columns={['Merchant', 'Your role']}
              rows={merchants.map(({ id, name, role }) => [
                <a href={atMerchant(next, id)}>{name}</a>,
                roleNames[role] ?? role,
              ])}
              empty={
                filter === '' ? 'You have no access to any merchant yet.' : 'No merchants match this name.'
              }
            />
            {merchants.length === limitRows && (
              <p class="soft">Only the first {limitRows} are shown. Search by name to find others.</p>
            )}
          </Panel>
        </>
      ),
    };
  });
}
