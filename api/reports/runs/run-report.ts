import type { z } from 'zod';
import { CallerGone } from '../../../db/platform/database';
import type { Caller, Database } from '../../../db/platform/database';
import type { Statement } from '../../../db/platform/statement';
import type { CheckedBlock } from '../../../db/reports/checked-report';
import { datasets } from '../../../db/reports/datasets/index';
import type { RunSettings } from '../../../db/reports/run-settings';
import type { OperationDeps } from '../../deps';
import { toOneError } from '../../platform/operation/api-error';
import type { ApiError } from '../../platform/operation/api-error';
import { visibleDatasets } from '../language/build-catalog';
import { checkReport, checkStoredReport } from '../language/check-definition';
import type { CheckedReport, PlacedBlock, ReportInput, StoredBlock } from '../language/checked';
import type { Issue } from '../language/issue';
import { limits } from '../language/limits';
import { toRunScope } from '../report-scope';
import type { RunScope } from '../report-scope';
import { NotCached, readFromCache, readThroughCache } from './read-rows';
import type { ReadRows } from './read-rows';
import { hashOf } from './result-cache';
import { findFirstRow, runBlocks } from './run-blocks';
import type { BlockOutcome } from './run-blocks';
import type { blockReply, runReply } from './run-reply';

type RunRequest = {
  /** The id and version of the report in the reply. Both are null for a definition that is not stored. */
  facts: { report_id: string | null; version: number | null };
  definition: unknown;
  savedFilters?: unknown;
  requestFilters?: unknown;
  /** The id of the only block to run. If it is missing, all blocks run. */
  blockId?: string | undefined;
  /** True if the report is stored. A stored report runs even if some of its blocks have become invalid. */
  isStored: boolean;
};

export type BlockReply = z.input<typeof blockReply>;
type Run = z.input<typeof runReply>;

/** The dependencies of operations that run reports. */
export type RunDeps = Pick<OperationDeps, 'reportResults'> & {
  database: Pick<Database, 'query' | 'snapshot'>;
};
/**
 * A report to run. `statement` reads its settings, `toRequest` makes the request from them, and `asked` has all
 * parameters of the call.
 */
export type ReportToRun<Settings> = {
  statement: Statement<Settings>;
  asked: unknown;
  toRequest: (settings: Settings) => RunRequest;
};
export type RunCall = { caller: Caller; signal: AbortSignal; receivedAt: number };

/**
 * Checks and runs a report (docs/reports.md#how-it-runs). Reads all rows from the cache if possible, and otherwise in
 * one transaction, so that all blocks see the same moment. Throws a 422 if the definition or the request is invalid.
 */
export async function runReport<Settings extends RunSettings>(
  { database, reportResults: { cache, running, seen } }: RunDeps,
  { caller, signal, receivedAt }: RunCall,
  { statement, asked, toRequest }: ReportToRun<Settings>,
): Promise<Run> {
  const key = sharedRunKey(caller, asked, receivedAt);
  const begin = (): Promise<Run> => {
    let tell: (what: string | undefined) => void = () => undefined;
    const what = new Promise<string | undefined>((resolve) => (tell = resolve));
    const result = database
      .snapshot(
        caller,
        async (trx) => {
          const settings = await trx.one(statement);
          const scope = toRunScope(settings);
          const request = toRequest(settings);
          tell(hashOf([scope.key, request]));
          return evaluate(readThroughCache(trx, cache, scope.key), scope, request, receivedAt);
        },
        signal,
      )
      .finally(() => {
        tell(undefined);
        if (running.get(key)?.result === result) running.delete(key);
      });
    // Replaces an earlier run of the same request, because the data may have changed since that run began.
    running.set(key, { what, result });
    return result;
  };
  // The rows of a new request are not in the cache, so its settings are read in the same transaction as its rows.
  const isNew = !seen.has(key);
  seen.set(key, true);
  if (isNew) return begin();
  const [settings] = await database.query(caller, statement);
  if (!settings) throw new Error('the caller has a merchant');
  const scope = toRunScope(settings);
  const request = toRequest(settings);
  try {
    return await evaluate(readFromCache(cache, scope.key), scope, request, receivedAt);
  } catch (error) {
    if (!(error instanceof NotCached)) throw error;
  }
  const current = running.get(key);
  if (!current || (await current.what) !== hashOf([scope.key, request])) return begin();
  const share = (shared: Promise<Run>): Promise<Run> =>
    shared.catch((error: unknown) => {
      if (signal.aborted || !(error instanceof CallerGone)) throw error;
      // The caller who began the run has left. The first of the others begins it again, and the rest share that run.
      const newer = running.get(key);
      return newer ? share(newer.result as Promise<Run>) : begin();
    });
  return share(current.result as Promise<Run>);
}

/**
 * Returns the key of a request. Requests with the same key can share a report run, so the key contains the caller. It
 * also contains the minute: local days begin at full minutes, so requests of one minute have the same current day.
 * The positions that the caller may see are not part of the key: they are compared later as part of a hash, after the
 * caller's settings were read.
 */
export function sharedRunKey(caller: Caller, asked: unknown, receivedAt: number): string {
  const minute = Math.floor(receivedAt / 60_000);
  if (caller.kind !== 'user_session' && caller.kind !== 'service_key') return hashOf([caller, asked, minute]);
  const { environment, askedMerchantId } = caller;
  const who =
    caller.kind === 'service_key' ? caller.keyHash : [caller.profileId, caller.role, caller.homeMerchantId];
  return hashOf([caller.kind, who, environment, askedMerchantId, asked, minute]);
}

/** Evaluates a report with the rows that `read` returns. */
async function evaluate(
  read: ReadRows,
  scope: RunScope,
  request: RunRequest,
  receivedAt: number,
): Promise<Run> {
  const now = new Date(receivedAt);
  const { facts, definition, savedFilters, requestFilters, blockId, isStored } = request;
  const input: ReportInput = {
    definition,
    savedFilters,
    requestFilters,
    ...(blockId === undefined ? {} : { blockId }),
    datasets: visibleDatasets(datasets, scope),
    now,
    merchantZone: scope.zone,
  };
  const check = isStored ? checkStoredReport : checkWhole;
  let checked = orThrow(check(input));
  const outcomeOf = new Map<string, BlockOutcome>();
  const endless = blocksOf(checked).filter(({ period }) => period !== null && period.from === null);
  const endsAt = receivedAt + limits.report_timeout_ms;
  if (endless.length > 0) {
    const firstOf = await findFirst(read, endless, { endsAt, outcomeOf });
    checked = orThrow(check({ ...input, firstRowAt: (dataset) => firstOf.get(dataset) ?? now }));
  }
  const ready = blocksOf(checked).filter(({ id }) => !outcomeOf.has(id));
  const options = { filters: checked.checkedFilters, rollup: scope.rollup, now, endsAt };
  const outcomes = await runBlocks(read, ready, options);
  for (const [index, outcome] of outcomes.entries()) outcomeOf.set(ready[index]?.id ?? '', outcome);
  return {
    ...facts,
    title: checked.title,
    filters: checked.filters,
    blocks: checked.blocks.map((entry) =>
      entry.ok ? toReply(entry.block, outcomeOf.get(entry.block.id)) : toRefusal(entry),
    ),
  };
}

/** Checks a definition that is not stored, and returns it in the form of a stored one. */
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

/**
 * Returns the 422 for the issues of a definition. The `name` of each error is the issue's path, and `details` say how
 * to repair the definition. The sentence of the first issue says how many more there are.
 */
export function toDefinitionError(issues: readonly Issue[]): ApiError {
  const more = issues.length - 1;
  const hint = more < 1 ? '' : ` (\`details\` has ${more} more ${more === 1 ? 'issue' : 'issues'})`;
  const error = toOneError(
    issues.map(({ path, code, error: text }, at) => ({
      name: path || 'definition',
      code,
      error: at === 0 ? text + hint : text,
    })),
  );
  error.details = issues;
  return error;
}

const isData = (block: PlacedBlock): block is PlacedBlock & CheckedBlock => block.type !== 'text';
const blocksOf = ({ blocks }: CheckedReport<StoredBlock>) =>
  blocks.flatMap((entry) => (entry.ok && isData(entry.block) ? [entry.block] : []));

/**
 * Returns the time of the first row of each dataset, keyed by dataset id. If the query of a dataset times out, records
 * the error as the outcome of its blocks.
 */
async function findFirst(
  read: ReadRows,
  blocks: readonly CheckedBlock[],
  { endsAt, outcomeOf }: { endsAt: number; outcomeOf: Map<string, BlockOutcome> },
): Promise<Map<string, Date>> {
  const firstOf = new Map<string, Date>();
  for (const dataset of new Set(blocks.map((block) => block.dataset))) {
    const found = await findFirstRow(read, dataset, endsAt);
    if ('outcome' in found) {
      for (const { id } of blocks.filter((block) => block.dataset === dataset))
        outcomeOf.set(id, found.outcome);
    } else if (found.first) firstOf.set(dataset.id, found.first);
  }
  return firstOf;
}

function toReply(block: PlacedBlock, outcome: BlockOutcome | undefined): BlockReply {
  const { id, type, title, width } = block;
  const shared = { block_id: id, type, title, width };
  if (block.type === 'text')
    return { ...shared, ok: true, content_md: block.contentMd, period: null, ...noData };
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
  period: null,
  ...noData,
});
