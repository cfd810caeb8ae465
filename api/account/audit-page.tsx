import type { VNode } from 'preact';
import { findSubjectNames } from '../../db/platform/audit';
import { teamMemberList } from '../identity/public';
import type { ApiError } from '../platform/operation/api-error';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { Link, Pager, Panel, Table, Time } from '../platform/site/elements';
import { SelectField, SearchForm, TextField, TimeField } from '../platform/site/form';
import type { Option } from '../platform/site/form';
import { givenParameters, toInstants } from '../platform/site/query';
import type { Site } from '../platform/site/site';
import { ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps } from '../platform/site/visitor';
import { whoDid } from '../platform/site/who-did';
import { auditActions } from './audit-actions';
import { describeAuditEntry, namedIds, toNames } from './describe-audit-entry';
import type { Names } from './describe-audit-entry';
import { merchantAuditList } from './merchant-audit-list';
import type { AuditEntry } from './merchant-audit-list';

const path = '/audit';
const limit = 50;
const filterNames = ['actor', 'action', 'object_id', 'since', 'until'];
type Filter = Record<string, string>;

/** Adds the owners' page that lists who did what at the merchant, newest first. */
export function addAuditPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-audit', path, async (visit, { query }) => {
    const filter = givenParameters(query, filterNames);
    const [{ reply, error }, people] = await Promise.all([
      callOperation(deps, visit, merchantAuditList, {
        ...filter,
        ...toInstants(visit, filter),
        limit: String(limit),
        offset: query['offset'] ?? '0',
      }),
      callOperation(deps, visit, teamMemberList, { limit: '1000' }),
    ]);
    // Other roles get a 403 from both operations. The page is not in their menu.
    if (error?.status === 403) throw error;
    const entries = reply?.data ?? [];
    const names = toNames(
      await deps.database.query(visit.caller(ownerRoles), findSubjectNames(entries.flatMap(namedIds))),
    );
    const team = replyOf(people).data.map(({ profile_id, name, email }) => ({
      value: profile_id,
      label: name ?? email,
    }));
    return {
      title: 'Audit',
      at: path,
      status: error?.status,
      content: (
        <>
          <Panel>
            <FilterForm filter={filter} team={team} error={error} />
          </Panel>
          <Panel live="audit">
            {reply && (
              <>
                <AuditTable entries={entries} names={names} isFiltered={Object.keys(filter).length > 0} />
                <Pager path={path} {...reply.pagination} query={filter} />
              </>
            )}
          </Panel>
        </>
      ),
    };
  });
}

function FilterForm(props: { filter: Filter; team: readonly Option[]; error: ApiError | undefined }): VNode {
  const { filter, team, error } = props;
  const value = (name: string) => filter[name] ?? '';
  const actor = value('actor');
  const isOther = actor !== '' && team.every((person) => person.value !== actor);
  const people = [...team, ...(isOther ? [{ value: actor, label: actor }] : [])];
  const any = { value: '', label: 'Any' };
  return (
    <SearchForm path={path} names={filterNames} error={error}>
      <SelectField name="actor" label="Person" options={[any, ...people]} value={actor} />
      <SelectField name="action" label="Action" options={[any, ...actions]} value={value('action')} />
      <TextField name="object_id" label="Object ID" value={value('object_id')} maxlength={200} />
      <TimeField name="since" label="Since" value={value('since')} />
      <TimeField name="until" label="Until" value={value('until')} />
      <div>
        <button>Apply</button> {Object.keys(filter).length > 0 && <Link to={path}>Clear</Link>}
      </div>
    </SearchForm>
  );
}

const actions = Object.entries(auditActions)
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));

const AuditTable = (props: { entries: readonly AuditEntry[]; names: Names; isFiltered: boolean }): VNode => (
  <Table
    caption="Audit log"
    columns={['Time', 'Person', 'Activity', 'Record']}
    rows={props.entries.map((entry) => [
      <Time at={entry.created_at} />,
      whoDid(entry),
      describeAuditEntry(entry, props.names),
      <span class="mono small">
        {[entry.action, entry.object_id, describe(entry.details)].filter(Boolean).join(' ')}
      </span>,
    ])}
    empty={props.isFiltered ? 'No entries match these filters.' : 'No entries yet.'}
  />
);

const describe = (details: AuditEntry['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
