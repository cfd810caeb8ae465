import type { ComponentChildren, VNode } from 'preact';
import type { z } from 'zod';
import { jobInterviewGet, jobInterviewList, knowledgeBaseGet } from '../../interviews/public';
import type { Operation } from '../../platform/operation/define-operation';
import { uuid } from '../../platform/operation/vocabulary';
import { callOperation } from '../../platform/site/call-operation';
import { Link, OneLine, Panel, Soft, Table } from '../../platform/site/elements';
import type { Site } from '../../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { oneLine } from '../../platform/text/one-line';
import { reportGet } from '../../reports/public';
import { jobInterviewDetails } from '../../results/public';
import { webhookDeliveryGet, webhookEndpointGet, webhookEndpointList } from '../../webhooks/public';
import { merchantCandidateList } from '../merchant-candidate-list';
import { CandidateTable } from './candidates-page';

const limit = 20;
const maxCharacters = 200;

/** A record with a page. */
type Hit = { path: string; name: string; kind: string };

/**
 * Adds the page of the search box: people by name, address and reference, interviews and endpoints by name, and records
 * of any kind by their id. If there is only one match, its page is opened.
 */
export function addSearchPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-search', '/search', async (visit, { query }) => {
    const text = (query['q'] ?? '').trim().slice(0, maxCharacters).toWellFormed();
    const isId = uuid.safeParse(text).success;
    const [people, hits] = await Promise.all([
      text === '' ? undefined : findPeople(deps, visit, text, isId),
      text === '' ? [] : isId ? findById(deps, visit, text) : findByName(deps, visit, text),
    ]);
    const candidates = people?.data ?? [];
    const ids = new Set(candidates.map(({ profile_id }) => profile_id));
    const paths = [...[...ids].map((id) => `/candidates/${id}`), ...hits.map(({ path }) => path)];
    const [only] = paths;
    if (only !== undefined && paths.length === 1) return { redirectTo: visit.href(only) };
    return {
      title: text === '' ? 'Search' : `Search: ${text}`,
      content:
        paths.length === 0 ? (
          <p>
            {text === ''
              ? 'Type a name, an email address or an ID into the search box.'
              : 'Nothing found. Search for a name, an email address or an ID.'}
          </p>
        ) : (
          <>
            <Hits hits={hits} />
            {people && candidates.length > 0 && (
              <Panel title="Candidates">
                <CandidateTable candidates={candidates} isFiltered />
                {people.pagination.has_more && (
                  <p>
                    <Link to="/candidates" query={{ filter_text: text }}>
                      All candidates that match
                    </Link>
                  </p>
                )}
              </Panel>
            )}
          </>
        ),
    };
  });
}

const Hits = ({ hits }: { hits: readonly Hit[] }): ComponentChildren =>
  hits.length > 0 && (
    <Panel title="Records">
      <Table
        caption="Records"
        columns={['Name', 'Kind']}
        rows={hits.map(({ path, name, kind }): VNode[] => [
          <OneLine text={oneLine(name)} to={path} />,
          <Soft>{kind}</Soft>,
        ])}
      />
    </Panel>
  );

/** Finds candidates by text, or by the id of the person or of an enrolment. */
async function findPeople(deps: ConsoleDeps, visit: ConsoleVisit, text: string, isId: boolean) {
  const find = async (filter: Record<string, string>) =>
    (await callOperation(deps, visit, merchantCandidateList, { ...filter, limit: String(limit) })).reply;
  if (!isId) return find({ filter_text: text });
  const replies = await Promise.all([find({ profile_id: text }), find({ profile_interview_id: text })]);
  return replies.find((reply) => reply && reply.data.length > 0);
}

/** Finds interviews, positions and webhook endpoints whose names contain the text. */
async function findByName(deps: ConsoleDeps, visit: ConsoleVisit, text: string): Promise<Hit[]> {
  const [interviews, endpoints] = await Promise.all([
    callOperation(deps, visit, jobInterviewList, { filter_text: text, limit: String(limit) }),
    callOperation(deps, visit, webhookEndpointList, {}),
  ]);
  const wanted = text.toLowerCase();
  return [
    ...(interviews.reply?.data ?? []).map(({ id, name, is_multistage }) =>
      interviewHit(id, name, is_multistage),
    ),
    ...(endpoints.reply?.data ?? [])
      .filter(({ url, description }) => `${url} ${description ?? ''}`.toLowerCase().includes(wanted))
      .map(({ id, url }) => ({ path: `/endpoints/${id}`, name: url, kind: 'Webhook endpoint' })),
  ];
}

const interviewHit = (id: string, name: string, isPosition: boolean): Hit =>
  isPosition
    ? { path: `/positions/${id}`, name, kind: 'Position' }
    : { path: `/interviews/${id}`, name, kind: 'Interview' };

/** Asks each operation that reads one record whether the id is one of its records. */
async function findById(deps: ConsoleDeps, visit: ConsoleVisit, id: string): Promise<Hit[]> {
  const find = async <Input extends z.ZodType, Reply extends z.ZodType>(
    operation: Operation<Input, Reply>,
    input: z.input<Input>,
    toHit: (reply: z.output<Reply>) => Hit,
  ): Promise<Hit[]> => {
    const { reply } = await callOperation(deps, visit, operation, input);
    return reply === undefined ? [] : [toHit(reply)];
  };
  const found = await Promise.all([
    find(jobInterviewDetails, { interview_result_id: id }, ({ candidate }) => ({
      path: `/results/${id}`,
      name: candidate?.name ?? candidate?.email ?? id,
      kind: 'Result',
    })),
    find(jobInterviewGet, { position_id: id }, ({ name, is_multistage }) =>
      interviewHit(id, name, is_multistage),
    ),
    find(knowledgeBaseGet, { knowledge_base_id: id }, ({ name }) => ({
      path: `/knowledge/${id}`,
      name,
      kind: 'Knowledge base',
    })),
    find(webhookDeliveryGet, { delivery_id: id }, ({ event }) => ({
      path: `/deliveries/${id}`,
      name: event,
      kind: 'Webhook delivery',
    })),
    find(webhookEndpointGet, { endpoint_id: id }, ({ url }) => ({
      path: `/endpoints/${id}`,
      name: url,
      kind: 'Webhook endpoint',
    })),
    find(reportGet, { id }, () => ({ path: `/reports/${id}`, name: id, kind: 'Report' })),
  ]);
  return found.flat();
}
