import { readFileSync } from 'node:fs';
import { errorCodes } from '../../../api/platform/operation/error-codes';
import { checkReport } from '../../../api/reports/language/check-definition';
import { issueCodes } from '../../../api/reports/language/issue';
import { presets } from '../../../api/reports/language/resolve-period';
import { templates } from '../../../api/reports/templates';
import { ratesColumns } from '../../../api/results/scoring-rates-csv';
import { blockTypes, operators } from '../../../db/reports/checked-report';
import { grains } from '../../../db/reports/dataset';
import { datasets } from '../../../db/reports/datasets/index';

const page = readFileSync('docs/guide/reports.md', 'utf8');
const check = (definition: unknown) =>
  checkReport({
    definition,
    datasets,
    now: new Date('2026-11-23T12:00:00Z'),
    merchantZone: 'Europe/Amsterdam',
  });

describe('docs/guide/reports.md', () => {
  it.each([...blockTypes, ...operators, ...presets, ...grains, ...issueCodes, ...datasets.keys()])(
    'explains %s',
    (word) => {
      expect(page).toContain(`\`${word}\``);
    },
  );

  it('shows a definition that is valid', () => {
    const [, example = ''] = /```json\n(\{\n {2}"schema"[^]*?)```/.exec(page) ?? [];
    expect(check(JSON.parse(example))).toMatchObject({ ok: true });
  });
});

describe('docs/guide/results.md', () => {
  it('explains every column of the export', () => {
    const results = readFileSync('docs/guide/results.md', 'utf8');
    expect(ratesColumns.filter((column) => !results.includes(`\`${column}\``))).toEqual([]);
  });
});

describe('the codes of issues', () => {
  it('are codes of errors', () => {
    expect(issueCodes.filter((code) => errorCodes[code].status !== 422)).toEqual([]);
  });
});

describe('the templates', () => {
  it.each([...templates.values()].map(({ definition }) => [definition.title, definition] as const))(
    'include %s, which is valid',
    (_, definition) => {
      expect(check(definition)).toMatchObject({ ok: true });
    },
  );
});
