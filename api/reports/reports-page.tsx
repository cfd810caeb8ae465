import type { VNode } from 'preact';
import type { z } from 'zod';
import { reportCreate } from './report-create';
import { reportList } from './report-list';
import { findTemplate } from './templates';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { ActButton, Hidden } from '../platform/site/buttons';
import { Badge, Dash, Link, Moment, OneLine, Pager, Panel, Table, Tabs } from '../platform/site/elements';
import { SearchForm, TextField } from '../platform/site/form';
import { given } from '../platform/site/query';
import { textOf } from '../platform/site/site';
import type { Site } from '../platform/site/site';
import { isOwner, mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const path = '/reports';
const limit = 50;
type ListedReport = z.output<typeof reportList.reply>['data'][number];
type Filter = Record<string, string>;

/** Adds the page that lists reports and templates. A template is copied from here. */
export function addReportsPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-reports', path, async (visit, { query }) => {
    const filter = given(query, ['scope', 'filter_text']);
    const tabs = tabsFor(visit);
    const scope = filter['scope'] ?? tabs[0]?.scope ?? 'shared';
    const { reply, error } = await callOperation(deps, visit, reportList, {
      ...filter,
      // The operation validates the scope of the address.
      scope: scope as 'mine',
      limit: String(limit),
      offset: query['offset'] ?? '0',
    });
    // An account without reports has neither tabs nor a search.
    if (error?.status === 403) throw error;
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
              {filter['scope'] !== undefined && <Hidden fields={{ scope: filter['scope'] }} />}
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
              {scope === 'templates' ? (
                <TemplateTable templates={reply.data} mayCopy={mayChange(visit)} />
              ) : (
                <ReportTable
                  reports={reply.data}
                  scope={scope}
                  filter={filter}
                  mayCreate={mayChange(visit)}
                />
              )}
              <Pager path={path} {...reply.pagination} query={filter} />
            </Panel>
          )}
        </>
      ),
    };
  });

  site.act('console-report-copy-template', path, async (visit, sent) => {
    const from_template = textOf(sent, 'template_id');
    const { id } = replyOf(await callOperation(deps, visit, reportCreate, { from_template }));
    return {
      goTo: `${path}/${id}`,
      flash: 'Report created. Only you and owners can see it until you share it.',
    };
  });
}

/** A hiring manager creates no reports, so the first tab is that of shared ones. */
const tabsFor = (visit: Visit) => [
  ...(mayChange(visit) ? [{ scope: 'mine', label: 'Mine' }] : []),
  { scope: 'shared', label: mayChange(visit) ? 'Shared by others' : 'Shared' },
  { scope: 'templates', label: 'Templates' },
  ...(isOwner(visit) ? [{ scope: 'all', label: 'All' }] : []),
];

function ReportTable(props: {
  reports: readonly ListedReport[];
  scope: string;
  filter: Filter;
  mayCreate: boolean;
}): VNode {
  const { reports, scope, filter, mayCreate } = props;
  if (reports.length === 0 && !filter['filter_text'])
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
  return (
    <Table
      caption="Reports"
      columns={['Title', 'Visibility', 'Created by', 'Changed']}
      rows={reports.map(({ id, title, is_shared, has_draft, can_edit, creator_name, updated_at }) => [
        <>
          <OneLine text={title} to={`${path}/${id}`} />{' '}
          {has_draft && can_edit && <Badge tone="warn">Draft</Badge>}
        </>,
        is_shared ? <Badge tone="good">Shared</Badge> : <Badge>Private</Badge>,
        creator_name === null ? <Dash /> : <OneLine text={creator_name} />,
        <Moment at={updated_at} />,
      ])}
      empty="No reports match this search."
    />
  );
}

const emptyTexts: Record<string, string> = {
  mine: 'You have no reports yet.',
  shared: 'Nobody has shared a report with the team yet.',
};

const TemplateTable = (props: { templates: readonly ListedReport[]; mayCopy: boolean }): VNode => (
  <Table
    caption="Templates"
    columns={['Title', 'Content', ...(props.mayCopy ? [''] : [])]}
    rows={props.templates.map(({ id, title }) => [
      <OneLine text={title} to={`${path}/${id}`} />,
      <span class="soft">{contentOf(id)}</span>,
      ...(props.mayCopy ? [<ActButton path={path} label="Use template" fields={{ template_id: id }} />] : []),
    ])}
    empty="No templates match this search."
  />
);

/** The titles of a template's blocks. */
const contentOf = (id: string): string =>
  (findTemplate(id)?.definition.blocks ?? [])
    .flatMap(({ title }) => (typeof title === 'string' ? [title] : []))
    .join(', ');
