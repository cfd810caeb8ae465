import type { Column } from '../../../api/reports/runs/block-data';
import { writeCsv } from '../../../api/reports/runs/csv';

const column = (id: string, label: string): Column => ({
  id,
  label,
  kind: 'dimension',
  type: 'text',
  format: 'text',
});

describe('writeCsv', () => {
  it('writes labels, numbers, empty cells and quoted texts', () => {
    const rows = [
      { a: 'x,"y"', b: -1.5 },
      { a: null, b: 0 },
      { a: 'two\nlines', b: null },
    ];
    expect(writeCsv([column('a', 'Name'), column('b', 'Count')], rows)).toBe(
      '\uFEFFName,Count\r\n"x,""y""",-1.5\r\n,0\r\n"two\nlines",\r\n',
    );
  });

  it('names the units of durations and percents', () => {
    const columns = ['duration', 'percent', 'integer'].map((format) => ({
      ...column(format, 'Any'),
      format,
    }));
    expect(writeCsv(columns, [])).toBe('\uFEFFAny (s),Any (0–1),Any\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@a', '\ta', '\ra', '\n=1', '\u00a0=1', '\uFEFF=1', '\u200b=1', '\uFF1D1'])(
    'writes no formula for %j',
    (text) => {
      const [, line = ''] = writeCsv([column('a', 'Name')], [{ a: text }]).split('\r\n');
      expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
    },
  );
});
