import type { Caller, Database, Transaction } from '../../db/platform/database';
import { findReport, findSavedFilters } from '../../db/reports/reports';
import type { StoredReport } from '../../db/reports/reports';
import { ApiError } from '../platform/operation/api-error';
import { readReportScope, unknownReport } from './report-scope';
import { runReport } from './run-report';
import { findTemplate } from './templates';

export type StoredRun = {
  id: string;
  blockId: string | undefined;
  requestFilters: unknown;
  /** Runs the draft, if there is one. */
  draft: boolean;
  caller: Caller;
  signal: AbortSignal;
  receivedAt: number;
};

/** Runs a stored report or a template with the caller's saved filters. Throws 404, and 403 for somebody else's draft. */
export const runStored = (
  database: Pick<Database, 'snapshot'>,
  { id, draft, caller, signal, ...request }: StoredRun,
) =>
  database.snapshot(
    caller,
    async (trx) => {
      const [scope, report, saved] = await inOneTrip(trx, id);
      const { definition, version } = definitionOf(id, report, draft);
      const run = { ...request, definition, savedFilters: saved?.filters, isStored: true };
      return { ...(await runReport(trx, scope, run)), report_id: id, version };
    },
    signal,
  );

/** Statements that are sent without waiting share a round trip. The scope's error comes first. */
async function inOneTrip(trx: Transaction, id: string) {
  const reads = [
    readReportScope(trx),
    findTemplate(id) ? Promise.resolve(undefined) : trx.maybeOne(findReport(id)),
    trx.maybeOne(findSavedFilters(id)),
  ] as const;
  await Promise.allSettled(reads);
  return Promise.all(reads);
}

function definitionOf(id: string, report: StoredReport | undefined, draft: boolean) {
  const template = findTemplate(id);
  if (template) return { definition: template.definition, version: 1 };
  if (!report || report.is_archived) throw unknownReport();
  if (draft && !report.can_edit)
    throw new ApiError('forbidden', 'Only those who can edit this report can run its draft.', 'draft');
  return draft && report.draft_version !== null
    ? { definition: report.draft, version: report.draft_version }
    : { definition: report.definition, version: report.published_version };
}
