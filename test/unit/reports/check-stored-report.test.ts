import { checkStoredReport } from '../../../api/reports/language/check-definition';
import { results, kpi, inputOf } from './report-input.fixture';

describe('a stored report', () => {
  const gone = { ...kpi, id: 'gone', title: 'Gone', measures: ['avg_scor'] };
  const text = { id: 'text', type: 'text', content_md: '' };

  it('runs the blocks whose fields still exist', () => {
    const result = checkStoredReport(inputOf([kpi, gone]));
    expect(result).toMatchObject({
      ok: true,
      report: {
        blocks: [
          { ok: true, block: { id: 'number' } },
          { ok: false, id: 'gone', title: 'Gone', issues: [{ code: 'unknown_measure' }] },
        ],
      },
    });
  });

  it('has only the block that was asked for', () => {
    expect(checkStoredReport(inputOf([kpi, gone], {}, { blockId: 'gone' }))).toMatchObject({
      report: { blocks: [{ ok: false, id: 'gone' }] },
    });
    expect(checkStoredReport(inputOf([kpi], {}, { blockId: 'x' }))).toMatchObject({
      ok: false,
      issues: [{ path: 'block_id', valid: ['number'] }],
    });
  });

  it('fails in every block with data when its filters or the saved ones are wrong', () => {
    const result = checkStoredReport(inputOf([kpi, text], {}, { savedFilters: { timezone: 'Mars' } }));
    expect(result).toMatchObject({
      report: {
        blocks: [
          { ok: false, error: expect.stringContaining('filters.timezone of the saved filters') },
          { ok: true },
        ],
      },
    });
  });

  it('fails in the block that the filters of the request make impossible', () => {
    const line = {
      id: 'hours',
      type: 'line',
      ...results,
      dimensions: [{ field: 'completed_at', grain: 'hour' }],
    };
    const requestFilters = { period: { preset: 'last_year' } };
    const result = checkStoredReport(inputOf([kpi, line], {}, { requestFilters }));
    expect(result).toMatchObject({
      report: {
        blocks: [{ ok: true }, { ok: false, issues: [{ source: 'request', path: 'filters.period' }] }],
      },
    });
  });

  it('is refused when the filters of the request are malformed', () => {
    const requestFilters = { period: { preset: 'last_yaer' } };
    expect(checkStoredReport(inputOf([kpi], {}, { requestFilters }))).toMatchObject({
      ok: false,
      issues: [{ source: 'request', suggestion: 'last_year' }],
    });
  });
});
