import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import {
  featureStates,
  issueStates,
  listFeatureRequests,
  listIssueReports,
} from '../../db/support/support-list';
import type { ListedFeatureRequest, ListedIssue } from '../../db/support/support-list';
import { featureRequestId, issueReportId } from '../../workflows/ids';
import { badge, pager, table, timestamp } from '../platform/site/elements';
import { given, oneOf, tabs } from '../platform/site/list-elements';
import type { Site } from '../platform/site/site';
import { workflowLink } from '../platform/site/temporal-link';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const path = '/support';
const limit = 20;
const shownCharacters = 100;

/** Adds the page of technical issues and feature requests of the merchant's people, with their states. */
export function addSupportPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-support', path, async (visit, { query }) => {
    const issues = listOf(query, 'issues', issueStates);
    const requests = listOf(query, 'requests', featureStates);
    const [reports, features] = await Promise.all([
      deps.database.query(visit.caller(), listIssueReports(issues.state, limit, issues.offset)),
      deps.database.query(visit.caller(), listFeatureRequests(requests.state, limit, requests.offset)),
    ]);
    return {
      title: 'Support',
      key: 'support',
      content: html`${section(visit, issues, requests.kept, {
        title: 'Technical issues',
        hint: 'Sent to the support desk, which answers the reporter by e-mail.',
        entries: issueTabs,
        total: reports[0]?.total ?? 0,
        content: issueTable(deps, visit, reports, issues.state),
      })}
      ${section(visit, requests, issues.kept, {
        title: 'Feature requests',
        hint: 'Posted on the public board under the author’s name; the company is not named.',
        entries: requestTabs,
        total: features[0]?.total ?? 0,
        content: requestTable(deps, features, requests.state),
      })}`,
    };
  });
}

type List<State extends string = string> = {
  name: string;
  state: State | undefined;
  offset: number;
  /** The values that the address contains for it. */
  kept: Record<string, string>;
};

/** The part of the address that belongs to one of the two lists. */
function listOf<State extends string>(
  query: Record<string, string>,
  name: string,
  states: readonly State[],
): List<State> {
  const offsetName = `${name}_offset`;
  const offset = /^\d{1,7}$/.test(query[offsetName] ?? '') ? Number(query[offsetName]) : 0;
  return { name, state: oneOf(states, query[name]), offset, kept: given(query, [name, offsetName]) };
}

function section(
  visit: Visit,
  { name, state, offset }: List,
  others: Record<string, string>,
  shown: {
    title: string;
    hint: string;
    entries: readonly (readonly [string, string])[];
    total: number;
    content: Html;
  },
): Html {
  const query = { ...others, [name]: state };
  // A page beyond the end has no count, so go back to a page that has rows.
  const page = {
    total: shown.total === 0 ? offset : shown.total,
    limit,
    offset,
    offsetName: `${name}_offset`,
  };
  return html`<section class="panel">
    <h2>${shown.title}</h2>
    <p class="soft small">${shown.hint}</p>
    ${tabs(visit, path, `${shown.title} by state`, { name, entries: shown.entries, query })}
    <div id="${name}" data-live>${shown.content} ${pager(visit, path, page, query)}</div>
  </section>`;
}

const issueTabs = [
  ['', 'All'],
  ['queued', 'Queued'],
  ['sent', 'Sent'],
  ['gave_up', 'Given up'],
] as const;
const requestTabs = [
  ['', 'All'],
  ['posted', 'Posted'],
  ['pending', 'Being posted'],
] as const;

const issueTable = (
  deps: ConsoleDeps,
  visit: Visit,
  reports: readonly ListedIssue[],
  state: string | undefined,
): Html =>
  table(
    'Technical issues',
    ['Reported', 'What', 'About', 'State', 'Attempts', 'Workflow'],
    reports.map((report) => [
      html`${timestamp(report.created_at)}<br /><span class="soft small"
          ><bdi>${report.reporter ?? stranger}</bdi></span
        >`,
      folded(`issue-${report.id}`, report.description),
      about(visit, report),
      issueState(report),
      html`${report.attempts}${
        report.last_failure === null || report.state === 'sent'
          ? null
          : html`<br /><span class="soft small">last: ${report.last_failure}</span>`
      }`,
      html`<span class="small">${workflowLink(deps, issueReportId(report.id))}</span>`,
    ]),
    state === undefined ? 'No technical issues yet.' : 'No technical issues in this state.',
  );

const requestTable = (
  deps: ConsoleDeps,
  requests: readonly ListedFeatureRequest[],
  state: string | undefined,
): Html =>
  table(
    'Feature requests',
    ['Asked', 'What', 'State', 'Workflow'],
    requests.map((request) => [
      html`${timestamp(request.created_at)}<br /><span class="soft small"
          ><bdi>${request.author ?? stranger}</bdi></span
        >`,
      html`<strong class="long"><bdi>${request.title}</bdi></strong
        >${folded(`request-${request.id}`, request.description)}`,
      request.posted_at === null
        ? badge('being posted', 'warn')
        : html`${badge('posted', 'good')}<br /><span class="soft small"
              >${timestamp(request.posted_at)}</span
            >`,
      html`<span class="small">${workflowLink(deps, featureRequestId(request.id))}</span>`,
    ]),
    state === undefined ? 'No feature requests yet.' : 'No feature requests in this state.',
  );

/** Profiles of other accounts are not shown. */
const stranger = 'a platform admin or an operator';

/** Shows the first line, and the whole text in a disclosure if there is more. */
function folded(id: string, text: string): Html {
  const characters = Array.from(text.split('\n', 1)[0]?.trim() ?? '');
  const first = characters.slice(0, shownCharacters).join('').trimEnd();
  if (first === text) return html`<span class="report">${text}</span>`;
  return html`<details class="report" id="${id}">
    <summary>${first} …</summary>
    <p class="said">${text}</p>
  </details>`;
}

/** The subjects of the issue. Each is a link if it has a page in the visitor's environment. */
function about(visit: Visit, report: ListedIssue): Html {
  const { result_id: result, has_result: hasResult } = report;
  const parts = [
    resultsOf(visit, 'interview', report.interview_id, report.interview_name),
    resultsOf(visit, 'position', report.position_id, report.position_name),
    result === null
      ? null
      : hasResult
        ? html`<a href="${visit.href(`/results/${result}`)}">its result</a>`
        : unknown('result', result),
  ].flatMap((part) => part ?? []);
  if (parts.length === 0) return html`<span class="soft">–</span>`;
  return html`${parts.map((part, place) => (place === 0 ? part : html`<br />${part}`))}`;
}

/** The results page also accepts a position. */
function resultsOf(visit: Visit, what: string, id: string | null, name: string | null): Html | null {
  if (id === null) return null;
  if (name === null) return unknown(what, id);
  return html`<a href="${visit.href('/results', { interview_id: id })}"><bdi>${name}</bdi></a>`;
}

const unknown = (what: string, id: string): Html =>
  html`<span class="small">${what} <span class="mono">${id}</span></span>`;

function issueState({ state, reference, sent_at, gave_up_at }: ListedIssue): Html {
  if (state === 'sent')
    return html`${badge('sent', 'good')} ${reference}<br /><span class="soft small"
        >${timestamp(sent_at)}</span
      >`;
  if (state === 'gave_up')
    return html`${badge('given up', 'bad')}<br /><span class="soft small">${timestamp(gave_up_at)}</span>`;
  return badge('queued', 'warn');
}
