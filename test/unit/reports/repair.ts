import { applyRepair } from '../../../api/reports/language/apply-repair';
import { checkReport } from '../../../api/reports/language/check-definition';
import type { CheckedReport, PlacedBlock, ReportInput } from '../../../api/reports/language/checked';
import type { Issue } from '../../../api/reports/language/issue';

type Sent = Pick<ReportInput, 'definition' | 'requestFilters' | 'savedFilters' | 'blockId'>;

/**
 * Repairs a call like an AI agent that knows only the issue: puts the suggestion, or else the first valid value, at
 * the issue's path. If there is neither, deletes the value at the path.
 */
export function repair<T extends Sent>(sent: T, issue: Issue): T {
  if (issue.source === 'definition') return { ...sent, definition: applyRepair(sent.definition, issue) };
  const key = issue.source === 'saved' ? 'savedFilters' : 'requestFilters';
  const parameters = { filters: sent[key], block_id: sent.blockId };
  const after = applyRepair(parameters, issue) as typeof parameters;
  return { ...sent, [key]: after.filters, blockId: after.block_id };
}

/** Repairs the first issue of a report again and again until the report is accepted. Throws after 300 repairs. */
export function settle(input: ReportInput): CheckedReport<PlacedBlock> {
  let sent = input;
  for (let round = 0; round < 300; round += 1) {
    const result = checkReport(sent);
    if (result.ok) return result.report;
    const [issue] = result.issues;
    if (issue) sent = repair(sent, issue);
  }
  throw new Error(JSON.stringify(checkReport(sent)));
}
