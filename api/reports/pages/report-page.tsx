import type { VNode } from 'preact';
import type { z } from 'zod';
import { listInterviewNames, listPositionNames } from '../../../db/interviews/public';
import { subjectVisibility } from '../../../db/platform/find-subject';
import { ApiError } from '../../platform/operation/api-error';
import { PostButton, ConfirmButton } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Badge, Link, TimeWithRelative, Panel } from '../../platform/site/elements';
import { sentText } from '../../platform/site/site';
import type { RequestData, Site } from '../../platform/site/site';
import { chartScript } from '../../platform/site/site-assets';
import { consoleReaders, mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { maxTitle } from '../language/limits';
import { reportArchive } from '../report-archive';
import { reportCreate } from '../report-create';
import { reportFiltersSave } from '../report-filters-save';
import { reportGet } from '../report-get';
import { reportRun } from '../report-run';
import { unknownReport } from '../report-scope';
import { reportShare } from '../report-share';
import { writeCsv } from '../runs/csv';
import { fileNameOf } from '../runs/file-name';
import { Blocks } from './report-blocks';
import {
  filterNames,
  filterQuery,
  readFilterFields,
  ReportFilters,
  readSentFilters,
  readEffectiveFilters,
} from './report-filters';
import { addReportMails, readRecipients, ReportMails } from './report-mails';

/** The maximum number of interviews and positions in the lists of the filters. */
const maxNames = 200;
type Report = z.output<typeof reportGet.reply>;
const pathOf = (id: string) => `/reports/${id}`;
const idOf = ({ params }: RequestData) => params['id'] ?? '';

/** Adds the page of a report with its blocks, the files of its blocks, and the actions on the report. */
export function addReportPage(site: Site, deps: ConsoleDeps): void {
  const get = async (visit: ConsoleVisit, id: string): Promise<Report> =>
    replyOf(await callOperation(deps, visit, reportGet, { id }));
  const run = (visit: ConsoleVisit, id: string, query: RequestData['query'], blockId?: string) => {
    const filters = readFilterFields(query);
    return callOperation(deps, visit, reportRun, {
      id,
      ...(filters ? { filters: JSON.stringify(filters) } : {}),
      ...(query['draft'] === '1' ? { draft: 'true' } : {}),
      ...(blockId === undefined ? {} : { block_id: blockId }),
    });
  };

  site.page(
    'console-report',
    '/reports/:id',
    async (visit, sent) => {
      const { query } = sent;
      const report = await get(visit, idOf(sent));
      const draft = query['draft'] === '1' && report.draft_version !== null;
      if (report.is_archived) return { title: report.title, at: '/reports', content: <Archived /> };
      const canMail = report.can_edit && mayChange(visit);
      const [{ reply, error }, positions, interviews, people] = await Promise.all([
        run(visit, report.id, { ...query, draft: draft ? '1' : '' }),
        deps.database.query(visit.caller(), listPositionNames(maxNames)),
        deps.database.query(visit.caller(), listInterviewNames(maxNames)),
        canMail ? readRecipients(deps, visit) : [],
      ]);
      if (error && error.status !== 422) throw error;
      const address = filterQuery(query);
      return {
        title: reply?.title ?? report.title,
        at: '/reports',
        status: error?.status,
        scripts: [chartScript],
        content: (
          <>
            <ReportHead report={report} visit={visit} draft={draft} />
            <section class="panel no-print">
              <ReportFilters
                path={pathOf(report.id)}
                shown={reply ? readEffectiveFilters(reply.filters) : readSentFilters(query)}
                positions={positions}
                interviews={interviews}
                error={error}
                isNarrowed={'period' in address}
                draft={draft}
              />
              <OwnFilters report={report} address={address} isValid={error === undefined} />
            </section>
            {reply && (
              <Blocks
                reply={reply}
                hrefOf={(blockId) =>
                  visit.href(`${pathOf(report.id)}/blocks/${blockId}.csv`, {
                    ...address,
                    ...(draft ? { draft: '1' } : {}),
                  })
                }
              />
            )}
            {canMail && (
              <div class="no-print report-mails">
                <ReportMails report={report} people={people} />
              </div>
            )}
          </>
        ),
      };
    },
    { subject: subjectVisibility.report },
  );

  site.file('console-report-csv', '/reports/:id/blocks/:block.csv', async (visit, sent) => {
    const blockId = sent.params['block'] ?? '';
    const { reply, error } = await run(visit, idOf(sent), sent.query, blockId);
    if (error && error.field !== 'block_id') throw error;
    const { blocks } = reply ?? { blocks: [] };
    const [block] = blocks;
    if (!block || block.type === 'text')
      throw new ApiError('not_found', 'There is no such block in this report.');
    if (!block.ok) throw new ApiError('invalid_request', block.error ?? 'This block has no data.');
    const { columns, rows } = block;
    const content = writeCsv(columns, rows as Parameters<typeof writeCsv>[1]);
    const name = `${fileNameOf(reply?.title ?? '')}-${block.block_id}.csv`;
    return { name, type: 'text/csv; charset=utf-8', content };
  });

  addReportMails(site, deps);

  site.post('console-report-share', '/reports/:id/share', async (visit, sent) => {
    const shared = sentText(sent, 'shared') === 'true';
    const { id } = replyOf(await callOperation(deps, visit, reportShare, { id: idOf(sent), shared }));
    return { goTo: pathOf(id), flash: shared ? 'Report shared with the team.' : 'Report is private again.' };
  });

  site.post('console-report-archive', '/reports/:id/archive', async (visit, sent) => {
    replyOf(await callOperation(deps, visit, reportArchive, { id: idOf(sent) }));
    return { goTo: '/reports', flash: 'Report archived.' };
  });

  site.post('console-report-duplicate', '/reports/:id/duplicate', async (visit, sent) => {
    const { definition, title, is_template } = await get(visit, idOf(sent));
    const copy = `${title.slice(0, maxTitle - 7)} (copy)`;
    const { id } = replyOf(
      await callOperation(
        deps,
        visit,
        reportCreate,
        is_template ? { from_template: idOf(sent) } : { definition: { ...definition, title: copy } },
      ),
    );
    return { goTo: pathOf(id), flash: 'Report created. Only you and owners can see it until you share it.' };
  });

  site.post(
    'console-report-filters',
    '/reports/:id/filters',
    async (visit, sent) => {
      const fields = Object.fromEntries(
        filterNames.flatMap((name) => (sent.form[name] === undefined ? [] : [[name, sentText(sent, name)]])),
      );
      const filters = readFilterFields(fields) ?? {};
      const { id } = replyOf(
        await callOperation(deps, visit, reportFiltersSave, { id: idOf(sent), filters }),
      );
      const isReset = Object.keys(filters).length === 0;
      return {
        goTo: pathOf(id),
        flash: isReset
          ? 'Your filters were removed.'
          : 'Filters saved. They apply whenever you open this report.',
      };
    },
    { roles: consoleReaders },
  );
}

const Archived = (): VNode => (
  <Panel>
    <p>This report is archived and no longer runs.</p>
    <p>
      <Link to="/reports">All reports</Link>
    </p>
  </Panel>
);

function ReportHead({
  report,
  visit,
  draft,
}: {
  report: Report;
  visit: ConsoleVisit;
  draft: boolean;
}): VNode {
  const { id, is_template, is_shared, can_edit, draft_version, updated_at } = report;
  return (
    <div class="report-head no-print">
      <p class="soft">
        {is_template ? (
          <Badge>Template</Badge>
        ) : is_shared ? (
          <Badge tone="good">Shared</Badge>
        ) : (
          <Badge>Private</Badge>
        )}{' '}
        {updated_at !== null && (
          <>
            Changed <TimeWithRelative at={updated_at} />
          </>
        )}
      </p>
      {can_edit && draft_version !== null && (
        <p>
          {draft ? (
            <>
              This is the draft, which readers do not see.{' '}
              <Link to={pathOf(id)}>Show the published version</Link>
            </>
          ) : (
            <>
              This report has a draft.{' '}
              <Link to={pathOf(id)} query={{ draft: '1' }}>
                Show the draft
              </Link>
            </>
          )}
        </p>
      )}
      {mayChange(visit) && (
        <div class="acts-row">
          {can_edit && (
            <Link to={`${pathOf(id)}/edit`} class="button plain">
              Edit
            </Link>
          )}
          <PostButton path={`${pathOf(id)}/duplicate`} label={is_template ? 'Use template' : 'Duplicate'} />
          {can_edit && (
            <>
              <PostButton
                path={`${pathOf(id)}/share`}
                label={is_shared ? 'Make private' : 'Share with the team'}
                fields={{ shared: String(!is_shared) }}
              />
              <ConfirmButton
                id="archive"
                path={`${pathOf(id)}/archive`}
                label="Archive"
                title="Archive this report?"
              >
                Nobody can run it or find it in the list afterwards.
              </ConfirmButton>
            </>
          )}
        </div>
      )}
    </div>
  );
}

/**
 * Shows the button that saves the page's current filters for the visitor, and the button that deletes the visitor's
 * saved filters.
 */
function OwnFilters(props: {
  report: Report;
  address: Record<string, string>;
  isValid: boolean;
}): VNode | null {
  const { report, address, isValid } = props;
  const hasSaved = Object.keys(report.saved_filters).length > 0;
  const canSave = isValid && 'period' in address;
  if (!hasSaved && !canSave) return null;
  const path = `${pathOf(report.id)}/filters`;
  return (
    <div class="acts-row">
      {canSave && <PostButton path={path} label="Save as my filters" fields={address} />}
      {hasSaved && <PostButton path={path} label="Reset my filters" />}
      {hasSaved && !canSave && <span class="soft small">Your saved filters are applied.</span>}
    </div>
  );
}

/** Returns the report, or throws a 404 if the visitor cannot edit it or it is archived. */
export function requireEditable(report: Report): Report {
  if (!report.can_edit || report.is_archived) throw unknownReport();
  return report;
}
