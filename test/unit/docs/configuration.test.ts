import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { fillMarkers, processVariables, renderTable } from '../../../local/print-configuration';

const root = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const configuration = read('docs/configuration.md');

describe('README.md', () => {
  it('has at most 120 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });
});

describe('docs/configuration.md', () => {
  it('has the tables of the schemas (to update them: node dist/local/print-configuration.js docs/configuration.md)', () => {
    expect(configuration).toBe(fillMarkers(configuration));
  });

  it.each(Object.entries(processVariables))('explains every variable: %s', (_, variables) => {
    const rows = renderTable(variables).split('\n').slice(2);
    expect(rows).toHaveLength(Object.keys(variables.shape).length);
    expect(
      rows.filter((row) => !/^\| `[A-Z_]+` \| (required|unset|empty|`[^`]+`) \| .{8,} \|$/.test(row)),
    ).toEqual([]);
  });
});

describe('renderTable', () => {
  it('shows whether a variable is required, optional or has a default', () => {
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

  it('throws for a text without the markers', () => {
    expect(() => fillMarkers('# Nothing')).toThrow('<!-- configuration:api -->');
  });
});
