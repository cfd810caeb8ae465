import type { PostResult } from '../../../activities/providers/webhook-attempt';
import { maskResponse, masksOf } from '../../../activities/webhooks/sender/mask-response';

const answer: PostResult = {
  outcome: 'refused',
  status: 500,
  response_headers: {},
  response_body: '',
  is_truncated: false,
  peer_address: null,
  error: null,
  ms: { dns: null, connect: null, tls: null, first_byte: null, total: 1 },
  retry_after_ms: null,
};
const mask = (headers: Record<string, string>, changes: Partial<PostResult>): PostResult => {
  return maskResponse({ ...answer, ...changes }, masksOf(headers));
};
const bodyOf = (headers: Record<string, string>, response_body: string, is_truncated = false) =>
  mask(headers, { response_body, is_truncated }).response_body;

describe('maskResponse', () => {
  it('masks a value in body, headers and error as in the request, however often it occurs', () => {
    const secret = 'b1946ac92492d2347c6235b4d2611184';
    expect(
      mask(
        { 'x-api-key': secret },
        {
          response_body: `<${secret}><${secret}>`,
          response_headers: { 'x-echo': `key=${secret}`, date: 'today' },
          error: `reset after ${secret}`,
        },
      ),
    ).toEqual({
      ...answer,
      response_body: '<b194…><b194…>',
      response_headers: { 'x-echo': 'key=b194…', date: 'today' },
      error: 'reset after b194…',
    });
  });

  it.each([
    ['a value in JSON', { 'x-a': 'say "hi" \\ bye' }, JSON.stringify({ a: 'say "hi" \\ bye' }), '{"a":"…"}'],
    ['a percent-encoded value', { 'x-a': 'a b/c' }, 'q=a%20b%2Fc', 'q=…'],
    [
      'a credential without its scheme',
      { authorization: 'Bearer abcd1234' },
      'bad token abcd1234',
      'bad token …',
    ],
    [
      'a value with signs of replacement patterns',
      { 'x-a': '$&$&-longer-than-sixteen' },
      '$&$&-longer-than-sixteen',
      '$&$&…',
    ],
    ['a value that begins like another one', { 'x-a': 'abcd', 'x-b': 'abcd-efgh' }, 'abcd-efgh abcd', '… …'],
    ['values of four characters, but not of three', { 'x-a': 'abc', 'x-b': 'defg' }, 'abc defg', 'abc …'],
    ['a value with spaces around it', { 'x-a': ' abcd ' }, '[abcd]', '[…]'],
  ])('masks %s', (_, headers, body, shown) => {
    expect(bodyOf(headers, body)).toBe(shown);
  });

  it('masks the beginning of a value at the end of a truncated body', () => {
    const headers = { 'x-a': 'abcdefgh' };
    expect(bodyOf(headers, 'key: abcdefg', true)).toBe('key: …');
    expect(bodyOf(headers, 'key: abcd', true)).toBe('key: …');
    expect(bodyOf(headers, 'key: abcdefg')).toBe('key: abcdefg');
  });

  it('returns nulls for an attempt without a response', () => {
    expect(mask({ 'x-a': 'abcd' }, { response_headers: null, response_body: null })).toMatchObject({
      response_headers: null,
      response_body: null,
      error: null,
    });
  });
});

describe('masksOf', () => {
  it.each<Record<string, string>>([{}, { 'x-a': '' }, { 'x-a': 'abc' }])(
    'returns nothing for %j',
    (headers) => {
      expect(masksOf(headers)).toEqual([]);
    },
  );
});
