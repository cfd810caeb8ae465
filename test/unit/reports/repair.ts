import { checkReport } from '../../../api/reports/check-definition';
import type { CheckedReport, ReadyBlock, ReportInput } from '../../../api/reports/checked';
import type { Issue } from '../../../api/reports/issue';

/** Reads `blocks[1].measures[0]["a b"]`. */
export function readPath(text: string): (string | number)[] {
  const parts = text.match(/\[\d+\]|\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/g) ?? [];
  return parts.map((part) =>
    part.startsWith('[') ? (JSON.parse(part.slice(1, -1)) as string | number) : part,
  );
}

type Sent = Pick<ReportInput, 'definition' | 'requestFilters' | 'savedFilters' | 'blockId'>;

/**
 * Repairs what an agent sent without knowing anything but the issue: its suggestion, else the first valid value, is put at the
 * path, and without either what is there is deleted.
 */
export function repair<T extends Sent>(sent: T, issue: Issue): T {
  const path = readPath(issue.path);
  if (issue.source === 'definition') return { ...sent, definition: apply(sent.definition, path, issue) };
  const key = issue.source === 'saved' ? 'savedFilters' : 'requestFilters';
  const parameters = { filters: sent[key], block_id: sent.blockId };
  const after = apply(parameters, path, issue) as typeof parameters;
  return { ...sent, [key]: after.filters, blockId: after.block_id };
}

/** Returns a copy with the repair. Containers outside of the path are shared, because they may be too deep to be copied. */
function apply(value: unknown, [key, ...rest]: readonly (string | number)[], issue: Issue): unknown {
  if (key === undefined) return issue.suggestion ?? issue.valid[0];
  const entries = Array.isArray(value) ? new Map(value.entries()) : new Map(Object.entries(value as object));
  const map = entries as Map<string | number, unknown>;
  if (rest.length > 0) map.set(key, apply(map.get(key), rest, issue));
  else if (issue.code === 'unknown_key' && issue.suggestion !== undefined) {
    map.set(issue.suggestion as string, map.get(key));
    map.delete(key);
  } else if (issue.suggestion !== undefined) map.set(key, issue.suggestion);
  else if (issue.valid.length > 0) map.set(key, issue.valid[0]);
  else map.delete(key);
  return Array.isArray(value) ? [...map.values()] : Object.fromEntries(map);
}

/** Repairs the first issue until the report is accepted. Throws if that takes more than 300 repairs. */
export function settle(input: ReportInput): CheckedReport<ReadyBlock> {
  let sent = input;
  for (let round = 0; round < 300; round += 1) {
    const result = checkReport(sent);
    if (result.ok) return result.report;
    const [issue] = result.issues;
    if (issue) sent = repair(sent, issue);
  }
  throw new Error(JSON.stringify(checkReport(sent)));
}
