import type { ComponentChildren, VNode } from 'preact';
import {
  featureStates,
  issueStates,
  listFeatureRequests,
  listTechnicalIssues,
} from '../../db/support/support-list';
import type { ListedFeatureRequest, ListedIssue } from '../../db/support/support-list';
import { featureRequestId, technicalIssueId } from '../../workflows/ids';
import { Badge, Dash, Link, Mono, Pager, Soft, Table, Tabs, Time } from '../platform/site/elements';
import { givenParameters, offsetOf, oneOf } from '../platform/site/query';
import type { Site } from '../platform/site/site';
import type { ConsoleDeps } from '../platform/site/visitor';
import { WorkflowLink } from '../platform/site/workflow-link';

const path = '/support';
const limit = 20;
const shownCharacters = 100;

/** Adds the page that lists the technical issues and feature requests of the merchant's people, with their states. */
export function addSupportPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-support', path, async (visit, { query }) => {
    const issues = listOf(query, 'issues', issueStates);
    const requests = listOf(query, 'requests', featureStates);
    const [reports, features] = await Promise.all([
      deps.database.query(visit.caller(), listTechnicalIssues(issues.state, limit, issues.offset)),
      deps.database.query(visit.caller(), listFeatureRequests(requests.state, limit, requests.offset)),
    ]);
    return {
      title: 'Support',
      at: '/support',
      content: (
        <>
          <Section
            list={issues}
            others={requests.kept}
            title="Technical issues"
            hint="Sent to the support desk, which replies to the reporter by email."
            entries={issueTabs}
            total={reports[0]?.total ?? 0}
          >
            <IssueTable
              temporalUi={deps.temporalUi}
              reports={reports}
              isFiltered={issues.state !== undefined}
            />
          </Section>
          <Section
            list={requests}
            others={issues.kept}
            title="Feature requests"
            hint="Posted on the public board under the author’s name. The company is not named."
            entries={requestTabs}
            total={features[0]?.total ?? 0}
          >
            <RequestTable
              temporalUi={deps.temporalUi}
              requests={features}
              isFiltered={requests.state !== undefined}
            />
          </Section>
        </>
      ),
    };
  });
}

type List<State extends string = string> = {
  name: string;
  state: State | undefined;
  offset: number;
  /** The state and offset of this list as query parameters. Links in the other list keep them. */
  kept: Record<string, string>;
};

/** Reads the query parameters of one of the two lists. */
function listOf<State extends string>(
  query: Record<string, string>,
  name: string,
  states: readonly State[],
): List<State> {
  const offsetName = `${name}_offset`;
  const offset = offsetOf(query, offsetName);
  return {
    name,
    state: oneOf(states, query[name]),
    offset,
    kept: givenParameters(query, [name, offsetName]),
  };
}

function Section(props: {
  list: List;
  others: Record<string, string>;
  title: string;
  hint: string;
  entries: readonly (readonly [string, string])[];
  total: number;
  children: ComponentChildren;
}): VNode {
  const { title, hint, entries, total, children } = props;
  const { name, state, offset } = props.list;
  const query = { ...props.others, [name]: state };
  return (
    <section class="panel">
      <h2>{title}</h2>
      <p class="soft small">{hint}</p>
      <Tabs path={path} label={`${title} by state`} name={name} entries={entries} query={query} />
      <div id={name} data-live>
        {children}
        {/*
         * A page beyond the end has no rows and no total. Its offset then serves as the total, so that the pager
         * links back to pages with rows.
         */}
        <Pager
          {...{ path, limit, offset, query }}
          total={total === 0 ? offset : total}
          offsetName={`${name}_offset`}
        />
      </div>
    </section>
  );
}

const issueTabs = [
  ['', 'All'],
  ['queued', 'Queued'],
  ['sent', 'Sent'],
  ['gave_up', 'Failed'],
] as const;
const requestTabs = [
  ['', 'All'],
  ['posted', 'Posted'],
  ['pending', 'Pending'],
] as const;

type TableProps = Pick<ConsoleDeps, 'temporalUi'> & { isFiltered: boolean };

const IssueTable = (props: TableProps & { reports: readonly ListedIssue[] }): VNode => (
  <Table
    caption="Technical issues"
    columns={['Reported', 'Issue', 'About', 'State', 'Attempts', 'Workflow']}
    rows={props.reports.map((report) => [
      <When at={report.created_at} who={report.reporter} />,
      <Folded id={`issue-${report.id}`} text={report.description} />,
      <About report={report} />,
      <IssueState {...report} />,
      <>
        {report.attempts}
        {report.last_failure !== null && report.state !== 'sent' && (
          <>
            <br />
            <Soft>Last error: {report.last_failure}</Soft>
          </>
        )}
      </>,
      <span class="small">
        <WorkflowLink temporalUi={props.temporalUi} id={technicalIssueId(report.id)} />
      </span>,
    ])}
    empty={props.isFiltered ? 'No technical issues in this state.' : 'No technical issues yet.'}
  />
);

const RequestTable = (props: TableProps & { requests: readonly ListedFeatureRequest[] }): VNode => (
  <Table
    caption="Feature requests"
    columns={['Requested', 'Feature', 'State', 'Workflow']}
    rows={props.requests.map((request) => [
      <When at={request.created_at} who={request.author} />,
      <>
        <strong class="long">
          <bdi>{request.title}</bdi>
        </strong>{' '}
        <Folded id={`request-${request.id}`} text={request.description} />
      </>,
      request.posted_at === null ? (
        <Badge tone="warn">Pending</Badge>
      ) : (
        <Done tone="good" word="Posted" at={request.posted_at} />
      ),
      <span class="small">
        <WorkflowLink temporalUi={props.temporalUi} id={featureRequestId(request.id)} />
      </span>,
    ])}
    empty={props.isFiltered ? 'No feature requests in this state.' : 'No feature requests yet.'}
  />
);

/** Shown instead of the name of a person from another account. */
const stranger = 'Platform admin or operator';

const When = ({ at, who }: { at: string; who: string | null }): VNode => (
  <>
    <Time at={at} />
    <br />
    <Soft>
      <bdi>{who ?? stranger}</bdi>
    </Soft>
  </>
);

/** Shows the first line of a text. If there is more, people can unfold the whole text. */
function Folded({ id, text }: { id: string; text: string }): VNode {
  const characters = Array.from(text.split('\n', 1)[0]?.trim() ?? '');
  const first = characters.slice(0, shownCharacters).join('').trimEnd();
  if (first === text) return <span class="report">{text}</span>;
  return (
    <details class="report" id={id}>
      <summary>{first} …</summary>
      <p class="said">{text}</p>
    </details>
  );
}

/**
 * Lists what the issue is about: the interview, position and result. Each is a link if it has a page in the visitor's
 * environment.
 */
function About({ report }: { report: ListedIssue }): VNode {
  const { result_id: result, has_result: hasResult } = report;
  const parts = [
    resultsOf('interview', report.interview_id, report.interview_name),
    resultsOf('position', report.position_id, report.position_name),
    result !== null &&
      (hasResult ? <Link to={`/results/${result}`}>Result</Link> : unknown('result', result)),
  ].filter(Boolean);
  if (parts.length === 0) return <Dash />;
  return <>{parts.map((part, place) => [place > 0 && <br />, part])}</>;
}

/** Links to the results of an interview or position. The parameter `interview_id` of the results page accepts both. */
function resultsOf(what: string, id: string | null, name: string | null): VNode | null {
  if (id === null) return null;
  if (name === null) return unknown(what, id);
  return (
    <Link to="/results" query={{ interview_id: id }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

const unknown = (what: string, id: string): VNode => (
  <span class="small">
    {what} <Mono>{id}</Mono>
  </span>
);

function IssueState({ state, reference, sent_at, gave_up_at }: ListedIssue): VNode {
  if (state === 'sent') return <Done tone="good" word="Sent" note={reference} at={sent_at} />;
  if (state === 'gave_up') return <Done tone="bad" word="Failed" at={gave_up_at} />;
  return <Badge tone="warn">Queued</Badge>;
}

const Done = (props: {
  tone: 'good' | 'bad';
  word: string;
  note?: string | null;
  at: string | null;
}): VNode => (
  <>
    <Badge tone={props.tone}>{props.word}</Badge> {props.note}
    <br />
    <Soft>
      <Time at={props.at} />
    </Soft>
  </>
);
