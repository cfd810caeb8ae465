import { listActs, nameSubjects } from '../../db/platform/audit';
import type { Act } from '../../db/platform/audit';
import { Pager, Panel, Table, Time } from '../platform/site/elements';
import { offsetOf } from '../platform/site/query';
import type { Site } from '../platform/site/site';
import type { ConsoleDeps } from '../platform/site/visitor';
import { whoDid } from '../platform/site/who-did';
import { actWords, namedIds, toNames } from './act-words';

const path = '/activity';
const limit = 50;

/** Adds the page that lists who did what at the merchant, newest first. */
export function addActivityPage(site: Site, { database }: ConsoleDeps): void {
  site.page('console-activity', path, async (visit, { query }) => {
    const offset = offsetOf(query);
    const { acts, names } = await database.read(visit.caller(), async (trx) => {
      const listed = await trx.rows(listActs(limit, offset));
      const subjects = await trx.rows(nameSubjects(listed.flatMap(namedIds)));
      return { acts: listed, names: toNames(subjects) };
    });
    return {
      title: 'Activity',
      at: path,
      content: (
        <Panel live="acts">
          <Table
            caption="Activity"
            columns={['Time', 'Person', 'Activity', 'Record']}
            rows={acts.map((act) => [
              <Time at={act.created_at} />,
              whoDid(act),
              actWords(act, names),
              <span class="mono small">
                {[act.act, act.subject_id, describe(act.details)].filter(Boolean).join(' ')}
              </span>,
            ])}
            empty="No activity yet."
          />
          <Pager path={path} total={acts[0]?.total ?? offset} limit={limit} offset={offset} />
        </Panel>
      ),
    };
  });
}

const describe = (details: Act['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
