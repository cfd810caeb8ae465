import { ApiError } from '../../../api/contracts/api-error';
import { parseJson } from '../../../api/http/parse-json';

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

  it.each(['{', '{}{}', "{'a':1}", 'x'.repeat(5_000)])('refuses %.20s with 422', (text) =>
    expect(faultOf(text)).toEqual([422, 'The body is not valid JSON']),
  );

  it('takes 29,000 values and refuses 31,000', () => {
    expect(faultOf(zeros(29_000))).toBeUndefined();
    expect(faultOf(zeros(31_000))).toEqual([422, expect.stringContaining('over 30000 values')]);
  });

  it('counts no commas and brackets of texts', () => {
    expect(faultOf(JSON.stringify(',[{"\\'.repeat(60_000)))).toBeUndefined();
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('refuses %s of 100,000 levels before it parses them', (_what, open, close) => {
    expect(faultOf(open.repeat(100_000))).toEqual([422, 'The body is nested deeper than 32 levels']);
    expect(faultOf(`${open.repeat(100_000)}1${close.repeat(100_000)}`)).toEqual([
      422,
      'The body is nested deeper than 32 levels',
    ]);
  });
});
