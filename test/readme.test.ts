import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { fillMarkers, processVariables, renderTable } from '../local/print-configuration';

const root = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const configuration = read('docs/configuration.md');

describe('README.md', () => {
  it('has at most 120 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });
});

describe('docs/configuration.md', () => {
  it('has the tables of the schemas; to renew them run node dist/local/print-configuration.js docs/configuration.md', () => {
    expect(configuration).toBe(fillMarkers(configuration));
  });

  it.each(Object.entries(processVariables))('%s: every variable says what it means', (_, variables) => {
    const rows = renderTable(variables).split('\n').slice(2);
    expect(rows).toHaveLength(Object.keys(variables.shape).length);
    expect(
      rows.filter((row) => !/^\| `[A-Z_]+` \| (required|unset|empty|`[^`]+`) \| .{8,} \|$/.test(row)),
    ).toEqual([]);
  });
});

describe('renderTable', () => {
  it('required, optional and with a default: each is told', () => {
    const variables = z.object({
      A: z.string().describe('Must be there'),
      B: z.string().optional().describe('May be there'),
      C: z.coerce.number().default(5).describe('Five'),
      D: z.string().default('').describe('Nothing'),
    });
    expect(renderTable(variables).split('\n').slice(2)).toEqual([
      '| `A` | required | Must be there |',
      '| `B` | unset | May be there |',
      '| `C` | `5` | Five |',
      '| `D` | empty | Nothing |',
    ]);
  });

  it('a text without the markers: refused', () => {
    expect(() => fillMarkers('# Nothing')).toThrow('<!-- configuration:api -->');
  });
});
