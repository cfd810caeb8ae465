import { errorBody } from '../../../api/platform/http/error-reply';
import { parseSent, readBodyInput } from '../../../api/platform/http/read-input';
import { validatedLater } from '../../../api/platform/operation/define-operation';
import { checkReport } from '../../../api/reports/language/check-definition';
import { reportCreate } from '../../../api/reports/report-create';
import { reportFiltersSave } from '../../../api/reports/report-filters-save';
import { reportPreview } from '../../../api/reports/report-preview';
import { reportUpdate } from '../../../api/reports/report-update';
import { toDefinitionError } from '../../../api/reports/runs/run-report';
import { datasets } from './datasets.fixture';

/**
 * Returns a definition as text. `1e999` is valid JSON, but JSON.parse makes it Infinity, which no reply and no row
 * can contain.
 */
const definition = (block: string) =>
  `{"schema":"platform.report/v1","title":"Any","blocks":[{"id":"b","type":"table","dataset":"interview_results",
    "dimensions":["department"],"measures":["completed"],${block}}]}`;
const facts = {
  environment: 'production' as const,
  webhookTargets: { allowedRanges: [], allowedPorts: [], allowHttp: false },
};

describe('a value in a definition that Postgres or JSON cannot hold', () => {
  it.each([
    ['"limit":1e999', 'blocks[0].limit', 'must be a whole number from 1 to 500'],
    ['"limit":1e300', 'blocks[0].limit', 'must be a whole number from 1 to 500'],
    ['"where":[{"field":"completed","op":"gt","value":-1e999}]', 'blocks[0].where[0]', 'must be a'],
    ['"title":"a\\u0000b"', 'blocks[0].title', 'must not contain a NUL character'],
  ])('has details: %s', (block, path, sentence) => {
    const sent = readBodyInput(`{"definition":${definition(block)}}`, validatedLater(reportPreview));
    const parsed = parseSent(reportPreview, sent, facts);
    if (parsed.error) throw parsed.error;
    const checked = checkReport({
      definition: parsed.value.definition,
      datasets,
      now: new Date(),
      merchantZone: 'UTC',
    });
    const body = errorBody(toDefinitionError(checked.ok ? [] : checked.issues), 'an-id');
    expect(body.details).toMatchObject([{ path, block_id: 'b', error: expect.stringContaining(sentence) }]);
    expect(body.name).toBe(path);
  });

  it.each([
    [reportPreview, ['definition', 'filters']],
    [reportCreate, ['definition']],
    [reportUpdate, ['definition']],
    [reportFiltersSave, ['filters']],
  ])('is left to the checks of reports by every operation that takes one', (operation, fields) => {
    expect(validatedLater(operation)).toEqual(fields);
  });
});
