import type { VNode } from 'preact';
import { listInterviewNames } from '../../db/interviews/public';
import type { InterviewName } from '../../db/interviews/public';
import type { ApiError } from '../platform/operation/api-error';
import { HiddenFields } from '../platform/site/buttons';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { Badge, Dash, Link, OneLine, Pager, Panel, Soft, Table, Tabs, Time } from '../platform/site/elements';
import { SelectField, SearchForm, TextField } from '../platform/site/form';
import { givenParameters } from '../platform/site/query';
import type { Site } from '../platform/site/site';
import type { ConsoleDeps } from '../platform/site/visitor';
import { oneLine } from '../platform/text/one-line';
import { merchantResultList } from './merchant-result-list';
import type { MerchantResult } from './merchant-result-list';
import { merchantScoringExport } from './merchant-scoring-export';
import { DecisionBadge, isAvatarVisit, roundedText, StateBadge } from './result-words';
import { monthOf } from './scoring-rates-csv';

const path = '/results';
const ratesPath = '/results/scoring-rates.csv';
const rateMonths = 12;
const limit = 50;
const limitInterviews = 200;
const filterNames = ['tab', 'interview_id', 'filter_text', 'order_by'] as const;
type Filter = Record<string, string>;

/** Adds the page that lists results of interviews, filtered by state, interview and candidate. */
export function addResultsPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-results', path, async (visit, { query }) => {
    const filter = givenParameters(query, filterNames);
    const [{ reply, error }, interviews] = await Promise.all([
      callOperation(deps, visit, merchantResultList, {
        ...filter,
        limit: String(limit),
        offset: query['offset'] ?? '0',
      }),
      deps.database.query(visit.caller(), listInterviewNames(limitInterviews)),
    ]);
    return {
      title: 'Results',
      at: path,
      status: error?.status,
      content: (
        <>
          <Tabs path={path} label="Results" name="tab" entries={tabNames} query={filter} />
          <Panel>
            <FilterForm filter={filter} interviews={interviews} error={error} />
          </Panel>
          <Panel live="results">
            {reply && (
              <>
                <ResultTable results={reply.data} isFiltered={isNarrowed(filter)} />
                <Pager path={path} {...reply.pagination} query={filter} />
              </>
            )}
          </Panel>
          <p>
            <Link class="button plain" to={ratesPath} query={{ interview_id: filter['interview_id'] }}>
              Download scoring rates
            </Link>{' '}
            <Soft>The last {rateMonths} months as CSV, without data of candidates.</Soft>
          </p>
        </>
      ),
    };
  });

  site.file('console-scoring-rates', ratesPath, async (visit, { query }) => {
    const content = replyOf(
      await callOperation(deps, visit, merchantScoringExport, {
        ...givenParameters(query, ['interview_id']),
        from: monthOf(new Date(), 1 - rateMonths),
        to: monthOf(new Date()),
      }),
    );
    return { name: 'scoring-rates.csv', type: 'text/csv; charset=utf-8', content };
  });
}

const tabNames = [
  ['', 'All'],
  ['undecided', 'Undecided'],
  ['shortlist', 'Shortlist'],
  ['selected', 'Advanced'],
  ['rejected', 'Rejected'],
  ['completed', 'Submitted'],
  ['incomplete', 'Not submitted'],
] as const;

const orders = [
  { value: 'created_at_newest', label: 'Newest first' },
  { value: 'created_at_oldest', label: 'Oldest first' },
  { value: 'updated_at_newest', label: 'Recently changed first' },
  { value: 'score', label: 'Highest score first' },
];

const FilterForm = (props: {
  filter: Filter;
  interviews: readonly InterviewName[];
  error: ApiError | undefined;
}): VNode => {
  const { filter, interviews, error } = props;
  const { tab, interview_id: chosen = '', filter_text = '', order_by = 'created_at_newest' } = filter;
  const known = interviews.map(({ id, name }) => ({ value: id, label: name }));
  const isOther = chosen !== '' && !known.some(({ value }) => value === chosen);
  const options = [
    { value: '', label: 'All' },
    ...known,
    ...(isOther ? [{ value: chosen, label: chosen }] : []),
  ];
  return (
    <SearchForm path={path} names={['interview_id', 'filter_text', 'order_by']} error={error}>
      {tab !== undefined && <HiddenFields fields={{ tab }} />}
      <SelectField name="interview_id" label="Interview" options={options} value={chosen} />
      <TextField name="filter_text" label="Candidate" value={filter_text} maxlength={200} />
      <SelectField name="order_by" label="Sort by" options={orders} value={order_by} />
      <div>
        <button>Apply</button>{' '}
        {isNarrowed({ ...filter, tab: '' }) && (
          <Link to={path} query={{ tab }}>
            Clear
          </Link>
        )}
      </div>
    </SearchForm>
  );
};

/** Returns true if the query filters the list. A sort order alone is not a filter. */
const isNarrowed = ({ tab, interview_id, filter_text }: Filter): boolean =>
  [tab, interview_id, filter_text].some(Boolean);

const ResultTable = (props: { results: readonly MerchantResult[]; isFiltered: boolean }): VNode => (
  <Table
    caption="Results"
    columns={['Candidate', 'Interview', 'State', 'Score', 'Decision', 'Submitted']}
    rows={props.results.map((result) => [
      <>
        <OneLine text={candidateName(result)} to={`${path}/${result.interview_result_id}`} />{' '}
        {result.is_test && <Badge>Test</Badge>}
        {result.candidate?.name && (
          <>
            <br />
            <Soft>
              <OneLine text={result.candidate.email} />
            </Soft>
          </>
        )}
      </>,
      <>
        <OneLine text={result.interview_name} />
        {result.attempt > 1 && (
          <>
            <br />
            <Soft>Attempt {result.attempt}</Soft>
          </>
        )}
      </>,
      <StateBadge {...result} isVisit={isAvatarVisit(result)} />,
      scoreOf(result) ?? <Dash />,
      <>
        {result.status !== 'draft' && <DecisionBadge decision={result.recruiter_go_next_round} />}{' '}
        {result.recruiter_shortlist && <Badge tone="warn">Shortlist</Badge>}
      </>,
      <Time at={result.submitted_at} />,
    ])}
    empty={props.isFiltered ? 'No results match these filters.' : 'No results yet.'}
  />
);

/** The score, with the highest possible one if that is not 10. */
const scoreOf = ({ score, max_score }: MerchantResult): string | null =>
  score === null || max_score === 10
    ? roundedText(score)
    : `${roundedText(score)} of ${roundedText(max_score)}`;

/** The candidate's name or address. A test link and a visit of a public avatar have no candidate. */
export const candidateName = (result: Pick<MerchantResult, 'candidate' | 'is_test'>): string => {
  const { candidate } = result;
  if (candidate === null) return isAvatarVisit(result) ? 'Visitor' : 'No candidate';
  return oneLine(candidate.name ?? '') || candidate.email;
};
