import type { BlockType } from '../../../db/reports/checked-report';
import type { Grain } from '../../../db/reports/dataset';
import { presets } from './resolve-period';
import type { Preset } from './resolve-period';

/*
 * These tables map names of other report languages to the keys and words of this one. They are used for suggestions
 * only.
 */

export type Synonyms = ReadonlyMap<string, string>;

/** Turns `{measures: 'metrics metric'}` into a map from each name to its key. */
const synonymsOf = (names: Readonly<Record<string, string>>): Synonyms =>
  new Map(Object.entries(names).flatMap(([key, list]) => list.split(' ').map((name) => [name, key])));

/** Writes `groupBy`, `Group By` and `group-by` as `group_by`. */
export const toSnakeCase = (name: string): string =>
  name
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();

export const keySynonyms = {
  report: synonymsOf({
    schema: 'version $schema',
    title: 'name label',
    filters: 'filter',
    blocks: 'block widgets charts panels items',
  }),
  filters: synonymsOf({
    period: 'date_range time_range range dates',
    timezone: 'tz time_zone',
    position_ids: 'position position_id',
    interview_ids: 'interview interview_id',
    include_test: 'include_tests test',
    where: 'conditions',
  }),
  period: synonymsOf({
    preset: 'name range type kind',
    from: 'start start_date since begin',
    to: 'end end_date until',
  }),
  block: synonymsOf({
    id: 'key block_id',
    type: 'kind chart_type block_type visualization viz chart',
    dataset: 'source table data_source',
    title: 'name label heading',
    dimensions: 'group_by groupby dimension breakdown breakdowns by',
    measures: 'metrics metric measure values',
    where: 'filter filters conditions',
    sort: 'order_by orderby sort_by order',
    limit: 'top max_rows',
    compare: 'comparison compare_to compare_with',
    period: 'date_range time_range range',
    content_md: 'content markdown text md body',
    goal: 'target',
    totals: 'total show_totals',
    others: 'other',
    width: 'span',
  }),
  condition: synonymsOf({
    field: 'column dimension measure name key',
    op: 'operator comparator operation',
    value: 'values val',
  }),
  sort: synonymsOf({ field: 'column by name key measure dimension', dir: 'direction order' }),
  dimension: synonymsOf({
    field: 'name column id dimension',
    grain: 'granularity interval bucket unit',
  }),
  measure: synonymsOf({ measure: 'field id metric', as: 'alias name label', where: 'filter filters' }),
  ratio: synonymsOf({ as: 'alias name label' }),
} as const;

export const typeSynonyms: Synonyms = synonymsOf({
  kpi: 'number metric big_number stat scorecard value single_value counter',
  line: 'line_chart linechart area timeseries time_series trend',
  bar: 'bar_chart barchart chart column column_chart columns histogram bars',
  pie: 'pie_chart piechart donut doughnut',
  funnel: 'funnel_chart funnelchart',
  table: 'data_table grid list',
  text: 'markdown md note heading',
} satisfies Partial<Record<BlockType, string>>);

export const grainSynonyms: Synonyms = synonymsOf({
  hour: 'hourly',
  day: 'daily date',
  week: 'weekly',
  month: 'monthly',
  quarter: 'quarterly',
  year: 'yearly annual annually',
} satisfies Record<Grain, string>);

export const compareSynonyms: Synonyms = synonymsOf({
  previous_period:
    'previous prior last_period prior_period previous_day previous_week previous_month previous_quarter',
  previous_year: 'last_year prior_year yoy year_over_year',
});

export const directionSynonyms: Synonyms = synonymsOf({ asc: 'ascending up', desc: 'descending down' });

export const datasetSynonyms: Synonyms = synonymsOf({
  interview_results: 'interviews interview attempts',
  invitations: 'invites',
});

const presetSynonyms = synonymsOf({
  today: 'day this_day current_day',
  yesterday: 'last_day previous_day',
  this_week: 'week current_week wtd week_to_date',
  this_month: 'month current_month mtd month_to_date',
  this_quarter: 'quarter current_quarter qtd quarter_to_date',
  this_year: 'year current_year ytd year_to_date',
  last_7_days: 'past_week',
  last_30_days: 'past_month',
  last_90_days: 'past_quarter',
  last_365_days: 'past_year',
  last_week: 'previous_week',
  last_month: 'previous_month',
  last_quarter: 'previous_quarter',
  last_year: 'previous_year',
  all_time: 'all alltime lifetime ever max',
});

const daysOfUnit: Record<string, number> = {
  day: 1,
  d: 1,
  week: 7,
  w: 7,
  month: 30,
  m: 30,
  year: 365,
  y: 365,
};
const rolling = [7, 14, 30, 90, 180, 365];

/**
 * Returns the preset that another name for a period means. If there is no preset of that length, as for
 * `last_60_days`, returns the next longer preset.
 */
export function guessPreset(text: string): Preset | undefined {
  if (text.length > 40) return undefined;
  const name = toSnakeCase(text).replace(/^(prev|prior)_/, 'previous_');
  const known = presetSynonyms.get(name) ?? name;
  const preset = presets.find((one) => one === known);
  if (preset) return preset;
  const [, count, unit = ''] =
    /^(?:last|past|previous|trailing|rolling)?_?(\d{1,4})_?([a-z]+?)s?$/.exec(name) ?? [];
  if (count === undefined) return undefined;
  if (Number(count) === 12 && /^m(onth)?$/.test(unit)) return 'last_12_months';
  const days = Number(count) * (daysOfUnit[unit] ?? Number.NaN);
  const fitting = rolling.find((length) => length >= days);
  return presets.find((one) => one === `last_${fitting}_days`);
}
