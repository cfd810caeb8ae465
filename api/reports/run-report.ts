import type { z } from 'zod';
import type { blockReply } from './run-reply';
import { findFirstRow, runBlocks } from './run-blocks';
import type { BlockOutcome } from './run-blocks';
import { checkReport, checkStoredReport } from './check-definition';
import type { CheckedReport, ReadyBlock, ReportInput, StoredBlock } from './checked';
import type { Issue } from './issue';
import { limits } from './limits';
import { visibleDatasets } from './catalog';
import { datasets } from '../../db/reports/datasets/index';
import type { CheckedBlock } from '../../db/reports/checked-report';
import type { Transaction } from '../../db/platform/database';
import { toOneError } from '../platform/operation/api-error';
import type { ApiError } from '../platform/operation/api-error';
import type { ReportScope } from './report-scope';

/** An index has the first row of every dataset. */
const firstRowTimeoutMs = 2_000;

export type RunRequest = {
  definition: unknown;
  savedFilters?: unknown;
  requestFilters?: unknown;
  /** The only block to run. */
  blockId?: string | undefined;
  /** A stored report runs although some of its blocks are no longer valid. */
  isStored: boolean;
  receivedAt: number;
};

export type BlockReply = z.input<typeof blockReply>;

/**
 * Checks and runs a report in a transaction that sees one moment (docs/reports.md#how-it-runs). Throws the 422 of a definition
 * or request that is wrong.
 */
export async function runReport(trx: Transaction, scope: ReportScope, request: RunRequest) {
  const now = new Date(request.receivedAt);
  const { definition, savedFilters, requestFilters, blockId, isStored } = request;
  const input: ReportInput = {
    definition,
    savedFilters,
    requestFilters,
    ...(blockId === undefined ? {} : { blockId }),
    datasets: visibleDatasets(datasets, scope.role),
    now,
    merchantZone: scope.zone,
  };
  const check = isStored ? checkStoredReport : checkWhole;
  let checked = orThrow(check(input));
  const outcomeOf = new Map<string, BlockOutcome>();
  const endless = blocksOf(checked).filter(({ period }) => period !== null && period.from === null);
  if (endless.length > 0) {
    const firstOf = await findFirst(trx, endless, outcomeOf);
    checked = orThrow(check({ ...input, firstRowAt: (dataset) => firstOf.get(dataset) ?? now }));
  }
  const endsAt = request.receivedAt + limits.report_timeout_ms;
  const ready = blocksOf(checked).filter(({ id }) => !outcomeOf.has(id));
  const outcomes = await runBlocks(trx, ready, checked.checkedFilters, { now, endsAt });
  for (const [index, outcome] of outcomes.entries()) outcomeOf.set(ready[index]?.id ?? '', outcome);
  return {
    title: checked.title,
    filters: checked.filters,
    blocks: checked.blocks.map((entry) =>
      entry.ok ? toReply(entry.block, outcomeOf.get(entry.block.id)) : toRefusal(entry),
    ),
  };
}

/** Checks a definition that is not stored, in the form that a stored one has. */
function checkWhole(input: ReportInput): ReturnType<typeof checkStoredReport> {
  const checked = checkReport(input);
  if (!checked.ok) return checked;
  const blocks = checked.report.blocks.map((block) => ({ ok: true as const, block }));
  return { ok: true, report: { ...checked.report, blocks } };
}

function orThrow(checked: ReturnType<typeof checkStoredReport>): CheckedReport<StoredBlock> {
  if (!checked.ok) throw toDefinitionError(checked.issues);
  return checked.report;
}

/** The 422 of a definition: its errors have the place as `name`, and `details` say how to repair each. */
export function toDefinitionError(issues: readonly Issue[]): ApiError {
  const error = toOneError(
    issues.map(({ path, code, error: text }) => ({ name: path || 'definition', code, error: text })),
  );
  error.details = issues;
  return error;
}

const isData = (block: ReadyBlock): block is ReadyBlock & CheckedBlock => block.type !== 'text';
const blocksOf = ({ blocks }: CheckedReport<StoredBlock>) =>
  blocks.flatMap((entry) => (entry.ok && isData(entry.block) ? [entry.block] : []));

/** Finds the first row of each dataset of these blocks, by its id. The blocks of a dataset that takes too long get an outcome. */
async function findFirst(
  trx: Transaction,
  blocks: readonly CheckedBlock[],
  outcomeOf: Map<string, BlockOutcome>,
): Promise<Map<string, Date>> {
  const firstOf = new Map<string, Date>();
  for (const dataset of new Set(blocks.map((block) => block.dataset))) {
    const found = await findFirstRow(trx, dataset, firstRowTimeoutMs);
    if ('outcome' in found) {
      for (const { id } of blocks.filter((block) => block.dataset === dataset))
        outcomeOf.set(id, found.outcome);
    } else if (found.first) firstOf.set(dataset.id, found.first);
  }
  return firstOf;
}

function toReply(block: ReadyBlock, outcome: BlockOutcome | undefined): BlockReply {
  const { id, type, title, width } = block;
  const shared = { block_id: id, type, title, width };
  if (block.type === 'text') return { ...shared, ok: true, content_md: block.contentMd };
  const { period, goal, notApplied } = block;
  const facts = {
    ...shared,
    dataset: block.dataset.id,
    period: period && {
      preset: period.preset,
      first_day: period.firstDay,
      last_day: period.lastDay,
      from: period.from,
      to: period.to,
    },
    goal,
    not_applied: [...notApplied],
  };
  if (!outcome || 'error' in outcome)
    return { ...facts, ok: false, error: outcome?.error ?? 'This block did not run.', ...noData };
  return { ...facts, ok: true, ...noData, ...outcome.data };
}

const noData = { columns: [], rows: [], truncated: false, totals: null, others: null, previous: null };

const toRefusal = ({ id, title, issues, error }: StoredBlock & { ok: false }): BlockReply => ({
  block_id: id ?? '',
  type: null,
  title,
  width: null,
  ok: false,
  error,
  details: [...issues],
  ...noData,
});
