import type { Dataset } from '../../../db/reports/dataset';
import { readBlock } from './check-block';
import { readFilters, writeFilters } from './check-filters';
import { readTitle } from './check-scalars';
import type {
  BlockSettings,
  CheckedReport,
  PlacedBlock,
  RejectedReport,
  ReportInput,
  StoredBlock,
} from './checked';
import { readFiltersByDataset } from './filters-by-dataset';
import { maxIssues, LocatedValue, quoteValue, rejectUnknownKeys } from './issue';
import type { Issue, IssueSource } from './issue';
import { jsonBytes } from './json-size';
import { limits, reportSchema } from './limits';
import { isShallow, parseListOrObject } from './other-forms';
import { keySynonyms } from './synonyms';

/** Checks a definition that a caller sends. A single issue makes the whole definition invalid. */
export function checkReport(
  input: ReportInput,
): RejectedReport | { ok: true; report: CheckedReport<PlacedBlock> } {
  const { issues, report } = readReport(input);
  const all = [...issues, ...(report?.blocks ?? []).flatMap((block) => (block.ok ? [] : block.issues))];
  if (!report || all.length > 0) return { ok: false, issues: all.slice(0, maxIssues) };
  const blocks = report.blocks.flatMap((entry) => (entry.ok ? [entry.block] : []));
  return { ok: true, report: { ...report, blocks: withId(blocks, input.blockId, ({ id }) => id) } };
}

/**
 * Checks a stored report before it runs. A block that has become invalid, for example because a field was removed, is
 * returned with its issues, and the other blocks still run. If the request has invalid parameters, nothing runs.
 */
export function checkStoredReport(
  input: ReportInput,
): RejectedReport | { ok: true; report: CheckedReport<StoredBlock> } {
  const { issues, report } = readReport(input);
  const ofRequest = issues.filter(({ source }) => source === 'request');
  if (!report || ofRequest.length > 0)
    return { ok: false, issues: ofRequest.length > 0 ? ofRequest : issues };
  const blocks = report.blocks.map((entry) => failBlock(entry, issues));
  return {
    ok: true,
    report: {
      ...report,
      blocks: withId(blocks, input.blockId, (entry) => (entry.ok ? entry.block.id : entry.id)),
    },
  };
}

/**
 * Returns the block as invalid if the report as a whole has issues. Text blocks stay valid, because they read no
 * data.
 */
function failBlock(entry: StoredBlock, issues: readonly Issue[]): StoredBlock {
  const [first] = issues;
  if (!first || !entry.ok || entry.block.type === 'text') return entry;
  const { id, title } = entry.block;
  return { ok: false, id, title, issues, error: first.error };
}

const withId = <T>(
  blocks: readonly T[],
  id: string | undefined,
  idOf: (block: T) => string | null,
): readonly T[] => (id === undefined ? blocks : blocks.filter((block) => idOf(block) === id));

/** Reads all parts of the input. `report` is null if no block could run. */
function readReport(input: ReportInput): { issues: Issue[]; report: CheckedReport<StoredBlock> | null } {
  const issues: Issue[] = [];
  const place = (source: IssueSource, value: unknown, ...path: string[]) =>
    new LocatedValue(value, path, { issues, source, block: null });
  const root = place('definition', input.definition);
  if (!root.isObject) {
    const parsed = parseListOrObject(root.value) ?? root.value;
    const isList = Array.isArray(parsed) && parsed.length > 0 && isShallow(parsed);
    const isSendable =
      isList && jsonBytes(parsed, limits.max_definition_bytes) <= limits.max_definition_bytes;
    const blocks = isSendable ? parsed : undefined;
    const isReport = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    const suggestion = isReport ? parsed : minimalReport(input.datasets, blocks);
    root.fail('bad_value', { what: 'must be an object', suggestion });
    return { issues, report: null };
  }
  const sources = [
    root.at('filters'),
    place('saved', input.savedFilters, 'filters'),
    place('request', input.requestFilters, 'filters'),
  ];
  if (isTooLarge(root, sources)) return { issues, report: null };
  rejectUnknownKeys(root, ['schema', 'title', 'filters', 'blocks'], keySynonyms.report);
  const schema = root.at('schema');
  if (schema.value !== reportSchema)
    schema.fail('bad_schema', {
      what: schema.isMissing ? 'is required' : `unknown schema ${quoteValue(schema.value)}`,
      valid: [reportSchema],
    });
  const title = readTitle(root.at('title'), 'Untitled report') ?? '';
  const filters = readFilters(sources, input);
  const clock = { now: input.now, zone: filters.timezone };
  const list = root.at('blocks');
  const items = readList(list, input.datasets);
  const filtersByDataset = readFiltersByDataset(filters.where, usedDatasets(items, input.datasets));
  const { datasets, firstRowAt } = input;
  const settings = { datasets, filters, filtersByDataset, clock, firstRowAt };
  const blocks = readBlocks(items, settings);
  checkBlockId(place('request', input.blockId, 'block_id'), items);
  const checkedFilters = {
    positionIds: filters.position_ids?.length ? filters.position_ids : null,
    interviewIds: filters.interview_ids?.length ? filters.interview_ids : null,
    includeTest: filters.include_test,
    timezone: filters.timezone,
  };
  return {
    issues,
    report: items.length === 0 ? null : { title, filters: writeFilters(filters), checkedFilters, blocks },
  };
}

/**
 * Returns true if the input is too large. Records an issue for each of the largest parts of the definition, until the
 * definition without these parts would be small enough.
 */
function isTooLarge(root: LocatedValue, sources: readonly LocatedValue[]): boolean {
  const max = limits.max_definition_bytes;
  let isLarge = false;
  for (const source of sources.slice(1)) {
    if (source.isMissing || jsonBytes(source.value, max) <= max) continue;
    source.fail('too_many', { what: `must have at most ${max} bytes of JSON` });
    isLarge = true;
  }
  if (jsonBytes(root.value, max) <= max) return isLarge;
  const blocks = root.at('blocks').entries();
  const keys = Object.keys(root.value as object).filter((key) => blocks.length === 0 || key !== 'blocks');
  const parts = [...keys.map((key) => root.at(key)), ...blocks]
    .map((place) => ({ place, bytes: jsonBytes(place.value, Number.MAX_SAFE_INTEGER) }))
    .sort((a, b) => b.bytes - a.bytes);
  let rest = jsonBytes(root.value, Number.MAX_SAFE_INTEGER);
  for (const { place, bytes } of parts) {
    if (rest <= max) break;
    place.fail('too_many', { what: `must be smaller: a definition has at most ${max} bytes of JSON` });
    rest -= bytes;
  }
  return true;
}

function readList(list: LocatedValue, datasets: ReportInput['datasets']): readonly LocatedValue[] {
  const sample = sampleBlock(datasets);
  if (!Array.isArray(list.value) || list.value.length === 0) {
    list.fail('bad_value', {
      what: list.isMissing ? 'is required' : `must be a list of 1 to ${limits.max_blocks} blocks`,
      suggestion: [sample],
    });
    return [];
  }
  const items = list.entries();
  for (const item of items.slice(limits.max_blocks))
    item.fail('too_many', { what: `a report must have at most ${limits.max_blocks} blocks` });
  return items.slice(0, limits.max_blocks);
}

function readBlocks(items: readonly LocatedValue[], settings: BlockSettings): StoredBlock[] {
  const taken = new Set<string>();
  const sent = new Set(items.map((item) => item.at('id').value).filter((id) => typeof id === 'string'));
  return items.map((item, index): StoredBlock => {
    const sentId = item.at('id').value;
    const id = isBlockId(sentId) ? sentId : null;
    const issues: Issue[] = [];
    const place = new LocatedValue(item.value, item.path, {
      issues,
      source: 'definition',
      block: { index, id },
    });
    const block = readOne(place, id, { index, taken, sent, settings });
    const [first] = issues;
    if (block && !first) return { ok: true, block };
    const title = place.at('title').value;
    return {
      ok: false,
      id,
      title: typeof title === 'string' ? title : null,
      issues,
      error: first?.error ?? '',
    };
  });
}

type Ids = { index: number; taken: Set<string>; sent: Set<string>; settings: BlockSettings };

function readOne(
  place: LocatedValue,
  id: string | null,
  { index, taken, sent, settings }: Ids,
): PlacedBlock | undefined {
  if (!place.isObject)
    return place.fail('bad_value', {
      what: 'must be an object',
      suggestion: sampleBlock(settings.datasets, freeId(`block-${index + 1}`, sent)),
    });
  const isNew = id !== null && !taken.has(id);
  const suggestion = isNew ? id : freeId(id ?? `block-${index + 1}`, sent);
  if (id === null)
    place.at('id').fail('bad_value', {
      what: place.at('id').isMissing ? 'is required' : 'must be 1 to 40 characters of a-z, 0-9, _ and -',
      suggestion,
    });
  else if (!isNew)
    place.at('id').fail('duplicate_id', { what: `block id "${id}" is used twice`, suggestion });
  taken.add(suggestion);
  return readBlock(place, suggestion, settings);
}

const isBlockId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 40 && /^[a-z0-9_-]+$/.test(value);

function freeId(base: string, sent: Set<string>): string {
  let free = base;
  for (let count = 2; sent.has(free); count += 1) free = `${base.slice(0, 36)}-${count}`;
  // Remembers the suggested id, so that two blocks without an id get different suggestions.
  sent.add(free);
  return free;
}

function checkBlockId(place: LocatedValue, items: readonly LocatedValue[]): void {
  if (place.isMissing || items.length === 0) return;
  const ids = items.map((item) => item.at('id').value).filter(isBlockId);
  if (!ids.includes(String(place.value)))
    place.fail('unknown_value', { what: `unknown block ${quoteValue(place.value)}`, valid: ids });
}

/** Returns the datasets that the blocks name, or all datasets if no block names a known one. */
function usedDatasets(items: readonly LocatedValue[], datasets: ReadonlyMap<string, Dataset>): Dataset[] {
  const named = new Set(items.map((item) => item.at('dataset').value));
  const used = [...datasets.values()].filter(({ id }) => named.has(id));
  return used.length > 0 ? used : [...datasets.values()];
}

/** Returns a block that is valid for an account with these datasets. */
function sampleBlock(datasets: ReadonlyMap<string, Dataset>, id = 'block-1'): unknown {
  for (const dataset of datasets.values())
    for (const measure of dataset.measures.values())
      if (!measure.tableOnly) return { id, type: 'kpi', dataset: dataset.id, measures: [measure.id] };
  return { id, type: 'text', content_md: 'Text' };
}

const minimalReport = (
  datasets: ReadonlyMap<string, Dataset>,
  blocks: readonly unknown[] = [sampleBlock(datasets)],
): unknown => ({ schema: reportSchema, title: 'Untitled report', blocks });
