import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { ApiError } from '../platform/operation/api-error';
import { merchantResultList } from './merchant-result-list';
import type { MerchantResult } from './merchant-result-list';
import { listInterviewNames } from '../../db/interviews/public';
import type { InterviewName } from '../../db/interviews/public';
import { callOperation } from '../platform/site/call-operation';
import { badge, pager, table, timestamp } from '../platform/site/elements';
import { formFields } from '../platform/site/form-fields';
import { askForm, given, tabs } from '../platform/site/list-elements';
import { decisionBadge, number, standingBadge } from './result-words';
import type { Site } from '../platform/site/site';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const path = '/results';
const limit = 50;
const limitInterviews = 200;
const filterNames = ['tab', 'interview_id', 'filter_text', 'order_by'] as const;

/** Adds the page that lists results of interviews, filtered by state, interview and candidate. */
export function addResultsPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-results', path, async (visit, { query }) => {
    const filter = given(query, filterNames);
    const [listed, interviews] = await Promise.all([
      callOperation(deps, visit, merchantResultList, {
        ...filter,
        limit: String(limit),
        offset: query['offset'] ?? '0',
      }),
      deps.database.query(visit.caller(), listInterviewNames(limitInterviews)),
    ]);
    return {
      title: 'Results',
      key: 'results',
      status: listed.error?.status ?? 200,
      content: html`${tabs(visit, path, 'Results', { name: 'tab', entries: tabNames, query: filter })}
        ${filterForm(visit, filter, interviews, listed.error)}
        <section class="panel">
          <div id="results" data-live>
            ${
              listed.reply &&
              html`${resultTable(visit, listed.reply.data, isNarrowed(filter))}
              ${pager(visit, path, listed.reply.pagination, filter)}`
            }
          </div>
        </section>`,
    };
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
  { value: 'updated_at_newest', label: 'Latest change first' },
  { value: 'score', label: 'Best score first' },
];

function filterForm(
  visit: Visit,
  filter: Record<string, string>,
  interviews: readonly InterviewName[],
  fault: ApiError | undefined,
): Html {
  const chosen = filter['interview_id'] ?? '';
  const known = interviews.map(({ id, name }) => ({ value: id, label: name }));
  const other = chosen !== '' && !known.some(({ value }) => value === chosen);
  const options = [
    { value: '', label: 'All' },
    ...known,
    ...(other ? [{ value: chosen, label: chosen }] : []),
  ];
  const form = formFields(['interview_id', 'filter_text', 'order_by'], fault);
  return html`${form.summary}
    <section class="panel">
      ${askForm(
        visit,
        path,
        html`${filter['tab'] ? html`<input type="hidden" name="tab" value="${filter['tab']}" />` : null}
          ${form.choice('interview_id', 'Interview', options, chosen)}
          ${form.text('filter_text', 'Candidate', filter['filter_text'] ?? '', { maxlength: 200 })}
          ${form.choice('order_by', 'Order', orders, filter['order_by'] ?? 'created_at_newest')}
          <div><button>Show</button></div>`,
      )}
    </section>`;
}

/** Returns true if the address filters the results. A sort order does not count. */
const isNarrowed = ({ tab, interview_id, filter_text }: Record<string, string>): boolean =>
  [tab, interview_id, filter_text].some((value) => value !== undefined);

const resultTable = (visit: Visit, results: readonly MerchantResult[], isFiltered: boolean): Html =>
  table(
    'Results',
    ['Candidate', 'Interview', 'Standing', 'Score', 'Decision', 'Submitted'],
    results.map((result) => [
      html`<a
          class="one-line"
          title="${candidateName(result)}"
          href="${visit.href(`${path}/${result.interview_result_id}`)}"
          >${candidateName(result)}</a
        >
        ${result.is_test ? badge('test') : null}${
          result.candidate?.name
            ? html`<br /><span class="soft small one-line" title="${result.candidate.email}"
                  >${result.candidate.email}</span
                >`
            : null
        }`,
      html`${result.interview_name}${
        result.attempt > 1 ? html`<br /><span class="soft small">attempt ${result.attempt}</span>` : null
      }`,
      standingBadge(result),
      number(result.score) ?? html`<span class="soft">–</span>`,
      html`${result.status === 'draft' ? null : decisionBadge(result.recruiter_go_next_round)}
      ${result.recruiter_shortlist ? badge('shortlist', 'warn') : null}`,
      timestamp(result.submitted_at),
    ]),
    isFiltered ? 'No results match these filters.' : 'No results yet.',
  );

/** The candidate's name or address. A test link has no candidate. */
export const candidateName = ({ candidate }: Pick<MerchantResult, 'candidate'>): string =>
  candidate === null ? 'No candidate' : (candidate.name ?? candidate.email);
