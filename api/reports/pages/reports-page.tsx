import type { VNode } from 'preact';
import { listReportLayouts } from '../../../db/reports/reports';
import { HiddenFields } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Link, Pager, Panel, Tabs } from '../../platform/site/elements';
import { SearchForm, TextField } from '../../platform/site/form';
import { givenParameters } from '../../platform/site/query';
import { sentText } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import { isOwner, mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { reportCreate } from '../report-create';
import { reportList } from '../report-list';
import { findTemplate } from '../templates';
import { ReportCards } from './report-cards';
import type { ListedReport } from './report-cards';
import type { LayoutBlock } from './thumbnail';

const path = '/reports';
const limit = 50;

/** Adds the page that lists reports and templates, with a button that copies a template. */
export function addReportsPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-reports', path, async (visit, { query }) => {
    const filter = givenParameters(query, ['scope', 'filter_text']);
    const tabs = tabsFor(visit);
    const scope = filter['scope'] ?? tabs[0]?.scope ?? 'shared';
    const { reply, error } = await callOperation(deps, visit, reportList, {
      ...filter,
      // The scope comes unchecked from the address. The operation validates it.
      scope: scope as 'mine',
      limit: String(limit),
      offset: query['offset'] ?? '0',
    });
    // A 403 means that custom reports are not enabled for this account. The whole page is then an error page.
    if (error?.status === 403) throw error;
    const layouts = await layoutsOf(deps, visit, reply?.data ?? []);
    return {
      title: 'Reports',
      at: path,
      status: error?.status,
      content: (
        <>
          {mayChange(visit) && (
            <p>
              <Link to={`${path}/new`} class="button">
                New report
              </Link>
            </p>
          )}
          <Tabs
            path={path}
            label="Reports"
            name="scope"
            entries={tabs.map(({ scope: value, label }, at) => [at === 0 ? '' : value, label])}
            query={filter['scope'] === tabs[0]?.scope ? { ...filter, scope: undefined } : filter}
          />
          <Panel>
            <SearchForm path={path} names={['filter_text']} error={error}>
              {filter['scope'] !== undefined && <HiddenFields fields={{ scope: filter['scope'] }} />}
              <TextField
                name="filter_text"
                label="Title"
                value={filter['filter_text'] ?? ''}
                maxlength={200}
              />
              <div>
                <button class="plain">Search</button>{' '}
                {filter['filter_text'] && (
                  <Link to={path} query={{ scope: filter['scope'] }}>
                    Clear
                  </Link>
                )}
              </div>
            </SearchForm>
          </Panel>
          {reply && (
            <Panel>
              {reply.data.length === 0 ? (
                <Empty scope={scope} isSearch={Boolean(filter['filter_text'])} mayCreate={mayChange(visit)} />
              ) : (
                <ReportCards path={path} reports={reply.data} layouts={layouts} mayCopy={mayChange(visit)} />
              )}
              <Pager path={path} {...reply.pagination} query={filter} />
            </Panel>
          )}
        </>
      ),
    };
  });

  site.post('console-report-copy-template', path, async (visit, sent) => {
    const from_template = sentText(sent, 'template_id');
    const { id } = replyOf(await callOperation(deps, visit, reportCreate, { from_template }));
    return {
      goTo: `${path}/${id}`,
      flash: 'Report created. Only you and owners can see it until you share it.',
    };
  });
}

/** Returns the tabs. A hiring manager creates no reports, so the first tab lists shared ones. */
const tabsFor = (visit: ConsoleVisit) => [
  ...(mayChange(visit) ? [{ scope: 'mine', label: 'Mine' }] : []),
  { scope: 'shared', label: mayChange(visit) ? 'Shared by others' : 'Shared' },
  { scope: 'templates', label: 'Templates' },
  ...(isOwner(visit) ? [{ scope: 'all', label: 'All' }] : []),
];

function Empty(props: { scope: string; isSearch: boolean; mayCreate: boolean }): VNode {
  const { scope, isSearch, mayCreate } = props;
  if (isSearch) return <p class="soft">No {scope === 'templates' ? scope : 'reports'} match this search.</p>;
  return (
    <p class="soft">
      {emptyTexts[scope] ?? 'No reports yet.'}{' '}
      {mayCreate && scope !== 'shared' && (
        <>
          Start from a{' '}
          <Link to={path} query={{ scope: 'templates' }}>
            template
          </Link>
          .
        </>
      )}
    </p>
  );
}

/** Returns the blocks of the listed reports. */
async function layoutsOf(deps: ConsoleDeps, visit: ConsoleVisit, reports: readonly ListedReport[]) {
  const layouts = new Map<string, readonly LayoutBlock[]>();
  const stored = reports.filter(({ is_template }) => !is_template).map(({ id }) => id);
  for (const { id } of reports) layouts.set(id, findTemplate(id)?.definition.blocks ?? []);
  if (stored.length > 0)
    for (const { id, blocks } of await deps.database.query(visit.caller(), listReportLayouts(stored)))
      layouts.set(id, blocks);
  return layouts;
}

const emptyTexts: Record<string, string> = {
  mine: 'You have no reports yet.',
  shared: 'Nobody has shared a report with the team yet.',
};
