import type { z } from 'zod';
import { printReport } from '../../../api/reports/runs/printed-report';
import { runExample, runReply } from '../../../api/reports/runs/run-reply';

type Block = z.input<typeof runReply>['blocks'][number];
const [kpi] = runExample.blocks as [Block];
const department = {
  id: 'department',
  label: 'Department',
  kind: 'dimension',
  type: 'text',
  format: 'text',
} as const;
const week = {
  ...department,
  id: 'completed_at',
  label: 'Completed at',
  type: 'date',
  format: 'date',
  grain: 'week',
};
const [measure] = kpi.columns ?? [];
const print = (changes: Partial<Block>) => {
  const block = { ...kpi, previous: null, ...changes };
  const [printed] = printReport(runReply.parse({ ...runExample, blocks: [block] })).blocks;
  return printed;
};
const columns = measure ? [department, measure] : [];

describe('printReport', () => {
  it('names the period, the time zone and the filters', () => {
    const filters = { ...runExample.filters, position_ids: ['one'], include_test: true };
    const { title, facts } = printReport(runReply.parse({ ...runExample, filters }));
    expect([title, facts]).toEqual([
      'Completed interviews',
      ['Dec 18, 2025 – Jan 16, 2026', 'Time zone Europe/Amsterdam', '1 position', 'Test attempts included'],
    ]);
  });

  it('shows the numbers of a kpi with those before', () => {
    expect(print({ previous: kpi.previous ?? null })?.kpis).toEqual([
      { label: 'Completed', value: '42', note: 'Before: 40' },
    ]);
  });

  it('shows why a block has no data', () => {
    expect(print({ ok: false, error: 'This block took longer than 8 s.' })?.error).toBe(
      'This block took longer than 8 s.',
    );
  });

  it('cuts a long name between characters', () => {
    const rows = [{ department: `${'a'.repeat(118)}😀 backend`, completed: 1 }];
    const name = print({ type: 'table', columns, rows })?.table?.rows[0]?.[0];
    expect(name).toBe(`${'a'.repeat(118)}…`);
  });

  it('draws a line over time, with a gap where a value is missing, above its table', () => {
    const rows = [40, null, 80].map((completed, at) => ({
      completed_at: `2026-01-${12 + 7 * at}`,
      completed,
    }));
    const printed = print({ type: 'line', columns: measure ? [week, measure] : [], rows });
    expect(printed?.charts[0]?.series[0]?.values).toEqual([0.5, null, 1]);
    expect(printed?.table?.rows.map((row) => row[1])).toEqual(['40', '–', '80']);
    expect(printed?.table?.bars).toBeNull();
  });

  it('gives rows of other charts bars by their first number', () => {
    const rows = [
      { department: 'Sales', completed: 40 },
      { department: null, completed: 10 },
    ];
    const table = print({ type: 'bar', columns, rows })?.table;
    expect([table?.rows, table?.bars]).toEqual([
      [
        ['Sales', '40'],
        ['No department', '10'],
      ],
      [1, 0.25],
    ]);
  });

  it('says how many rows it leaves out', () => {
    const rows = Array.from({ length: 130 }, (_, at) => ({ department: `D${at}`, completed: at }));
    const printed = print({ type: 'table', columns, rows });
    expect([printed?.table?.rows.length, printed?.notes]).toEqual([100, ['The first 100 of 130 rows.']]);
  });

  it('shows the words of a text without its marks', () => {
    const printed = print({ type: 'text', content_md: '# Head\n\nSome *words*\n\n- one' });
    expect(printed?.paragraphs).toEqual([
      { kind: 'heading', text: 'Head' },
      { kind: 'text', text: 'Some words' },
      { kind: 'item', text: 'one' },
    ]);
  });
});
