import { listAuditEntries, nameSubjects } from '../../db/platform/audit';
import type { AuditEntry } from '../../db/platform/audit';
import { Pager, Panel, Table, Time } from '../platform/site/elements';
import { offsetOf } from '../platform/site/query';
import type { Site } from '../platform/site/site';
import type { ConsoleDeps } from '../platform/site/visitor';
import { whoDid } from '../platform/site/who-did';
import { describeAuditEntry, namedIds, toNames } from './describe-audit-entry';

const path = '/activity';
const limit = 50;

/** Adds the page that lists who did what at the merchant, newest first. */
export function addActivityPage(site: Site, { database }: ConsoleDeps): void {
  site.page('console-activity', path, async (visit, { query }) => {
    const offset = offsetOf(query);
    const { entries, names } = await database.read(visit.caller(), async (trx) => {
      const listed = await trx.rows(listAuditEntries(limit, offset));
      const subjects = await trx.rows(nameSubjects(listed.flatMap(namedIds)));
      return { entries: listed, names: toNames(subjects) };
    });
    return {
      title: 'Activity',
      at: path,
      content: (
        <Panel live="acts">
          <Table
            caption="Activity"
            columns={['Time', 'Person', 'Activity', 'Record']}
            rows={entries.map((entry) => [
              <Time at={entry.created_at} />,
              whoDid(entry),
              describeAuditEntry(entry, names),
              <span class="mono small">
                {[entry.act, entry.subject_id, describe(entry.details)].filter(Boolean).join(' ')}
              </span>,
            ])}
            empty="No activity yet."
          />
          <Pager path={path} total={entries[0]?.total ?? offset} limit={limit} offset={offset} />
        </Panel>
      ),
    };
  });
}

const describe = (details: AuditEntry['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
