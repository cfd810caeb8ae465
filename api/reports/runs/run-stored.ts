import { findStoredRun } from '../../../db/reports/run-settings';
import type { StoredRunSettings } from '../../../db/reports/run-settings';
import { ApiError } from '../../platform/operation/api-error';
import { unknownReport } from '../report-scope';
import { findTemplate } from '../templates';
import { runReport } from './run-report';
import type { RunCall, RunDeps } from './run-report';

type StoredRun = RunCall & {
  id: string;
  blockId: string | undefined;
  requestFilters: unknown;
  /** If true, runs the draft of the report if there is one. */
  draft: boolean;
};

/**
 * Runs a stored report or a template with the caller's saved filters. Throws a 404 for an unknown report, and a 403 for
 * the draft of a report that the caller cannot edit.
 */
export const runStoredReport = (deps: RunDeps, { id, draft, blockId, requestFilters, ...call }: StoredRun) =>
  runReport(deps, call, {
    statement: findStoredRun(id),
    asked: [id, draft, blockId, requestFilters],
    toRequest(settings) {
      const { definition, version } = definitionOf(id, settings, draft);
      const facts = { report_id: id, version };
      const savedFilters = settings.saved_filters ?? undefined;
      return { facts, definition, savedFilters, requestFilters, blockId, isStored: true };
    },
  });

function definitionOf(id: string, report: StoredRunSettings, draft: boolean) {
  const template = findTemplate(id);
  if (template) return { definition: template.definition, version: 1 };
  if (report.id === null || report.is_archived) throw unknownReport();
  if (draft && !report.can_edit)
    throw new ApiError('forbidden', 'Only those who can edit this report can run its draft.', 'draft');
  return draft && report.draft_version !== null
    ? { definition: report.draft, version: report.draft_version }
    : { definition: report.definition, version: report.published_version };
}
