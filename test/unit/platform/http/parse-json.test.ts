import { parseJson } from '../../../../api/platform/http/parse-json';
import { ApiError } from '../../../../api/platform/operation/api-error';

const faultOf = (text: string) => {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? [error.status, error.message] : error;
  }
};
const zeros = (count: number) => `[${Array(count).fill(0).join(',')}]`;

describe('parseJson', () => {
  it('parses what JSON.parse parses', () => {
    const text = JSON.stringify({ a: [1, { b: 'x,[{"\\' }], c: null });
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each(['{', '{}{}', "{'a':1}", 'x'.repeat(5_000)])('returns a 422 for %.20s', (text) =>
    expect(faultOf(text)).toEqual([422, 'The body is not valid JSON.']),
  );

  it('accepts 29,000 values and returns a 422 for 31,000', () => {
    const lists = (count: number) => `[${Array(count).fill(zeros(1_000)).join(',')}]`;
    expect(faultOf(lists(28))).toBeUndefined();
    expect(faultOf(lists(31))).toEqual([422, expect.stringContaining('more than 30000 values')]);
  });

  it.each([
    ['list', zeros],
    ['object', (count: number) => `{${Array.from({ length: count }, (_, key) => `"${key}":[{}]`).join()}}`],
  ])('accepts a %s of 2,000 entries and returns a 422 for 2,001, on any level', (_what, make) => {
    expect(faultOf(`[[],{"a":${make(2_000)}}]`)).toBeUndefined();
    expect(faultOf(`[[],{"a":${make(2_001)}}]`)).toEqual([
      422,
      expect.stringContaining('more than 2000 entries'),
    ]);
  });

  it('does not count commas and brackets in texts', () => {
    expect(faultOf(JSON.stringify(',[{"\\'.repeat(60_000)))).toBeUndefined();
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('rejects %s of 100,000 levels before it parses them', (_what, open, close) => {
    expect(faultOf(open.repeat(100_000))).toEqual([
      422,
      'The body must not be nested more than 32 levels deep.',
    ]);
    expect(faultOf(`${open.repeat(100_000)}1${close.repeat(100_000)}`)).toEqual([
      422,
      'The body must not be nested more than 32 levels deep.',
    ]);
  });
});
