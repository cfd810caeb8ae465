import type { VNode } from 'preact';
import { candidateStatuses } from '../../../db/people/vocabulary';
import type { ApiError } from '../../platform/operation/api-error';
import { maxCountedEntries } from '../../platform/operation/vocabulary';
import { callOperation } from '../../platform/site/call-operation';
import { Dash, Link, OneLine, Pager, Panel, Soft, Table, Time } from '../../platform/site/elements';
import { SelectField, SearchForm, TextField } from '../../platform/site/form';
import type { Option } from '../../platform/site/form';
import { givenParameters } from '../../platform/site/query';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps } from '../../platform/site/visitor';
import { oneLine } from '../../platform/text/one-line';
import { merchantCandidateList } from '../merchant-candidate-list';
import type { MerchantCandidate } from '../merchant-candidate-list';
import { CandidateBadge, candidateWords, MailBadge } from './candidate-words';
import { interviewOptions } from './interview-options';

const path = '/candidates';
const limit = 50;
const filterNames = ['interview_id', 'status', 'filter_text'] as const;
type Filter = Record<string, string>;

/** Adds the page that lists candidates, filtered by interview, status and text. */
export function addCandidatesPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-candidates', path, async (visit, { query }) => {
    const filter = givenParameters(query, filterNames);
    const [{ reply, error }, interviews] = await Promise.all([
      callOperation(deps, visit, merchantCandidateList, {
        ...filter,
        limit: String(limit),
        offset: query['offset'] ?? '0',
      }),
      interviewOptions(deps, visit, filter['interview_id']),
    ]);
    return {
      title: 'Candidates',
      at: path,
      status: error?.status,
      content: (
        <>
          {mayChange(visit) && (
            <p>
              <Link class="button" to="/candidates/invite" query={{ interview_id: filter['interview_id'] }}>
                Invite candidates
              </Link>
            </p>
          )}
          <Panel>
            <FilterForm {...{ filter, interviews, error }} />
          </Panel>
          <Panel live="candidates">
            {reply && (
              <>
                <CandidateTable candidates={reply.data} isFiltered={Object.keys(filter).length > 0} />
                <Pager path={path} {...reply.pagination} countedTo={maxCountedEntries} query={filter} />
              </>
            )}
          </Panel>
        </>
      ),
    };
  });
}

const statusOptions = [
  { value: '', label: 'All' },
  ...candidateStatuses.map((value) => ({ value, label: candidateWords[value] })),
];

const FilterForm = (props: {
  filter: Filter;
  interviews: readonly Option[];
  error: ApiError | undefined;
}): VNode => {
  const { filter, interviews, error } = props;
  const { interview_id = '', status = '', filter_text = '' } = filter;
  return (
    <SearchForm path={path} names={filterNames} error={error}>
      <SelectField
        name="interview_id"
        label="Interview or position"
        options={[{ value: '', label: 'All' }, ...interviews]}
        value={interview_id}
      />
      <SelectField name="status" label="Status" options={statusOptions} value={status} />
      <TextField name="filter_text" label="Name, email or ID" value={filter_text} maxlength={200} />
      <div>
        <button class="plain">Apply</button> {Object.keys(filter).length > 0 && <Link to={path}>Clear</Link>}
      </div>
    </SearchForm>
  );
};

/** A table of candidates. A row is one person at one interview or position. */
export const CandidateTable = (props: {
  candidates: readonly MerchantCandidate[];
  isFiltered: boolean;
}): VNode => (
  <Table
    caption="Candidates"
    columns={['Candidate', 'Interview', 'Status', 'Stage', 'Mail', 'Added']}
    rows={props.candidates.map((candidate) => [
      <PersonLink {...candidate} />,
      <OneLine text={oneLine(candidate.interview_name)} />,
      <>
        <CandidateBadge status={candidate.status} />
        {candidate.interview_result_id !== null && (
          <>
            {' '}
            <Link to={`/results/${candidate.interview_result_id}`}>Result</Link>
          </>
        )}
      </>,
      candidate.stage ?? <Dash />,
      candidate.mail_status === null ? <Dash /> : <MailBadge status={candidate.mail_status} />,
      <Time at={candidate.created_at} />,
    ])}
    empty={props.isFiltered ? 'No candidates match these filters.' : 'No candidates yet.'}
  />
);

/** A person's name, which leads to the person's page, and address. */
export function PersonLink(props: {
  profile_id: string | null;
  name: string | null;
  email: string | null;
}): VNode {
  const name = oneLine(props.name ?? '');
  const email = props.email ?? 'Address deleted';
  return (
    <>
      <OneLine
        text={name || email}
        {...(props.profile_id === null ? {} : { to: `${path}/${props.profile_id}` })}
      />
      {name !== '' && (
        <>
          <br />
          <Soft>
            <OneLine text={email} />
          </Soft>
        </>
      )}
    </>
  );
}
