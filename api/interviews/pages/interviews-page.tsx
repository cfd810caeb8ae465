import type { VNode } from 'preact';
import type { ApiError } from '../../platform/operation/api-error';
import { maxCountedEntries } from '../../platform/operation/vocabulary';
import { HiddenFields } from '../../platform/site/buttons';
import { callOperation } from '../../platform/site/call-operation';
import {
  Badge,
  Dash,
  Link,
  OneLine,
  Pager,
  Panel,
  Soft,
  Table,
  Tabs,
  Time,
} from '../../platform/site/elements';
import { SelectField, SearchForm, TextField } from '../../platform/site/form';
import { givenParameters } from '../../platform/site/query';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps } from '../../platform/site/visitor';
import { jobInterviewList } from '../job-interview-list';
import type { ListedInterview } from '../job-interview-list';
import { optionsOf, StatusBadge, statusTabs, typeNames } from './interview-words';

const path = '/interviews';
const limit = 50;
const filterNames = ['status', 'type', 'tag', 'filter_text'] as const;
type Filter = Record<string, string>;

/** Adds the page that lists the interviews, filtered by status, type, tag and text. */
export function addInterviewsPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-interviews', path, async (visit, { query }) => {
    const filter = givenParameters(query, filterNames);
    const { reply, error } = await callOperation(deps, visit, jobInterviewList, {
      ...filter,
      is_multistage: 'false',
      limit: String(limit),
      offset: query['offset'] ?? '0',
    });
    return {
      title: 'Interviews',
      at: path,
      status: error?.status,
      content: (
        <>
          <Tabs path={path} label="Interviews" name="status" entries={statusTabs} query={filter} />
          {mayChange(visit) && (
            <p>
              <Link class="button" to="/interviews/new">
                New interview
              </Link>
            </p>
          )}
          <Panel>
            <FilterForm filter={filter} error={error} />
          </Panel>
          <Panel live="interviews">
            {reply && (
              <>
                <InterviewTable interviews={reply.data} isFiltered={Object.keys(filter).length > 0} />
                <Pager path={path} {...reply.pagination} countedTo={maxCountedEntries} query={filter} />
              </>
            )}
          </Panel>
        </>
      ),
    };
  });
}

const FilterForm = ({ filter, error }: { filter: Filter; error: ApiError | undefined }): VNode => {
  const { status, type = '', tag = '', filter_text = '' } = filter;
  return (
    <SearchForm path={path} names={['type', 'tag', 'filter_text']} error={error}>
      {status !== undefined && <HiddenFields fields={{ status }} />}
      <TextField name="filter_text" label="Name or reference" value={filter_text} maxlength={200} />
      <SelectField
        name="type"
        label="Type"
        options={[{ value: '', label: 'All' }, ...optionsOf(typeNames)]}
        value={type}
      />
      <TextField name="tag" label="Tag" value={tag} maxlength={200} isShort />
      <div>
        <button class="plain">Apply</button>{' '}
        {(type || tag || filter_text) && (
          <Link to={path} query={{ status }}>
            Clear
          </Link>
        )}
      </div>
    </SearchForm>
  );
};

const InterviewTable = (props: { interviews: readonly ListedInterview[]; isFiltered: boolean }): VNode => (
  <Table
    caption="Interviews"
    columns={['Interview', 'Type', 'Status', 'Questions', 'Results', 'Tags', 'Created']}
    rows={props.interviews.map((interview) => [
      <>
        <OneLine text={interview.name} to={`${path}/${interview.id}`} />
        {interview.position_id !== null && (
          <>
            <br />
            <Soft>
              Step of <Link to={`/positions/${interview.position_id}`}>a position</Link>
            </Soft>
          </>
        )}
      </>,
      interview.type && typeNames[interview.type],
      <StatusBadge status={interview.status} />,
      interview.question_count,
      interview.result_count > 0 ? (
        <Link to="/results" query={{ interview_id: interview.id }}>
          {interview.result_count}
        </Link>
      ) : (
        0
      ),
      interview.tags && interview.tags.length > 0 ? (
        interview.tags.map((tag) => [
          <Link to={path} query={{ tag }}>
            <Badge>{tag}</Badge>
          </Link>,
          ' ',
        ])
      ) : (
        <Dash />
      ),
      <Time at={interview.created_at} />,
    ])}
    empty={props.isFiltered ? 'No interviews match these filters.' : 'No interviews yet.'}
  />
);
