import { html } from '../contracts/html';
import { listActs } from '../../db/audit';
import type { Act } from '../../db/audit';
import { pager, table, timestamp } from './elements';
import { roleNames } from './layout';
import type { Site } from './site';
import type { ConsoleDeps } from './visit';

const limit = 50;

/** Who did what at the merchant, the latest first. */
export function addActivityPage(site: Site, { database }: ConsoleDeps): void {
  site.page('console-activity', '/activity', async (visit, { query }) => {
    const offset = offsetOf(query);
    const acts = await database.queryAsCaller<Act>(visit.caller(), listActs(limit, offset));
    return {
      title: 'Activity',
      key: 'activity',
      content: html`<section class="panel">
        <div id="acts" data-live>
          ${table(
            'Acts',
            ['When', 'Who', 'What', 'On', 'Details'],
            acts.map((act) => [
              timestamp(act.created_at),
              whoDid(act),
              act.act,
              html`<span class="mono">${act.subject_id}</span>`,
              html`<span class="mono">${describe(act.details)}</span>`,
            ]),
            'Nobody has changed anything yet.',
          )}
          ${pager(visit, '/activity', { total: acts[0]?.total ?? offset, limit, offset })}
        </div>
      </section>`,
    };
  });
}

/** The row that a list begins at, of the address; 0 for anything else than a small whole number. */
export const offsetOf = (query: Record<string, string>): number =>
  /^\d{1,7}$/.test(query['offset'] ?? '') ? Number(query['offset']) : 0;

function whoDid({ actor_name, actor_role }: Act): string {
  const role = roleNames[actor_role] ?? actor_role;
  if (actor_name !== null) return `${actor_name} (${role})`;
  return actor_role === 'merchant_owner' || actor_role === 'merchant' ? `an operator (${role})` : role;
}

const describe = (details: Act['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
