import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { array, assert, asyncProperty, property, string, stringMatching, tuple } from 'fast-check';
import { Pool } from 'undici';
import { customHeaders, maskSecret } from '../../../api/webhooks/webhook-headers';

const problemsOf = (headers: unknown) => customHeaders.safeParse(headers).error?.issues ?? [];
const codeOf = (headers: unknown): unknown => {
  const [issue] = problemsOf(headers);
  return issue?.code === 'custom' ? issue.params?.['code'] : issue?.code;
};

describe('custom headers', () => {
  it.each([
    { authorization: 'Bearer abc' },
    { 'X-Api-Key': 'a b\u00e4\u00ff~' },
    { 'user-agent': 'acme' },
    {
      'x-webhook-id': '1',
      'x-content-type': '2',
      hostname: '3',
      'x-host': '4',
      team: '5',
      "!#$%&'*+.^_`|~": '6',
    },
    { ['a'.repeat(100)]: 'v'.repeat(1_024) },
    { 'x-empty': '' },
    {},
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, ''])),
  ])('keep %j as sent', (headers) => {
    expect(customHeaders.parse(headers)).toEqual(headers);
  });

  it.each([
    'webhook-id',
    'Webhook-Signature',
    'webhook-',
    'x-platform-event',
    'X-Platform-Anything',
    'host',
    'Content-Type',
    'content-length',
    'content-encoding',
    'Transfer-Encoding',
    'connection',
    'expect',
    'Upgrade',
    'keep-alive',
    'TE',
    'trailer',
    'proxy-authorization',
    'Proxy-Connection',
  ])('reject %s, which belongs to the platform', (name) => {
    expect(codeOf({ [name]: 'x' })).toBe('invalid_value');
  });

  it.each(['', 'x y', 'x:y', 'x\r\ny', 'x\u0000', 'ä', 'x(y)', '"x"', 'x/y', '日'])(
    'reject the name %j',
    (name) => {
      expect(codeOf({ [name]: 'x' })).toBe('invalid_format');
    },
  );

  it('reject a name of 101 characters', () => {
    expect(codeOf({ ['a'.repeat(101)]: 'x' })).toBe('too_long');
  });

  it.each(['a\r\nx-evil: 1', 'a\n', '\u0000', 'a\tb', '\u007f', '\u0080', '\u009f', '\u0100', '€', '😀'])(
    'reject the value %j and do not repeat it',
    (value) => {
      expect(codeOf({ 'x-a': value })).toBe('invalid_format');
    },
  );

  it('reject a value of 1025 characters and do not repeat it', () => {
    expect(codeOf({ 'x-a': 'v'.repeat(1_025) })).toBe('too_long');
  });

  it('reject a name that occurs twice in different case', () => {
    expect(codeOf({ 'x-a': '1', 'X-A': '2' })).toBe('duplicate_value');
  });

  it('report every wrong header', () => {
    expect(problemsOf({ host: 'a', ok: 'b', 'x y': 'c', 'x-a': 'é€' })).toMatchObject([
      { path: ['host'], params: { code: 'invalid_value' } },
      { path: ['x y'], params: { code: 'invalid_format' } },
      { path: ['x-a'], params: { code: 'invalid_format' } },
    ]);
  });

  it('reject 21 headers', () => {
    const headers = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, '']));
    expect(codeOf(headers)).toBe('too_long');
  });

  it.each([
    [12_288, undefined],
    [12_289, 'too_long'],
  ])('limit names and values to 12,288 characters together: %i', (length, problem) => {
    const entries = Array.from({ length: 12 }, (_, index) => [`x-${10 + index}`, 'v'.repeat(1_000)]);
    const left = length - 12 * 1_004 - 'y'.length;
    const headers = Object.fromEntries([...entries, ['y', 'v'.repeat(left)]]);
    expect(codeOf(headers)).toBe(problem);
  });

  it('reject __proto__', () => {
    expect(codeOf(JSON.parse('{"__proto__": "x", "x-a": "1"}'))).toBe('invalid_value');
  });

  it.each([null, [], 'x-a: 1', 1, { 'x-a': 1 }, { 'x-a': null }, { 'x-a': ['1'] }])(
    'reject %j',
    (headers) => {
      expect(customHeaders.safeParse(headers).success).toBe(false);
    },
  );
});

describe('custom headers in an HTTP client', () => {
  let receiver: Server;
  let pool: Pool;
  let seen: string[] = [];
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      seen = request.rawHeaders;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = receiver.address();
    pool = new Pool(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
  afterAll(async () => {
    await pool.close();
    receiver.close();
  });

  const names = stringMatching(/^[!#$%&'*+.^_`|~\dA-Za-z-]{1,100}$/);
  const values = stringMatching(/^[\u0020-\u007e\u00a0-\u00ff]{0,200}$/);
  const anything = string({ unit: 'binary', maxLength: 12 });

  it('are sent and received when they are accepted', async () => {
    await assert(
      asyncProperty(array(tuple(names, values), { maxLength: 5 }), async (entries) => {
        const headers = customHeaders.safeParse(Object.fromEntries(entries)).data;
        if (!headers) return;
        const { statusCode, body } = await pool.request({ method: 'POST', path: '/', headers, body: '{}' });
        await body.dump();
        expect(statusCode).toBe(200);
        for (const [name, value] of Object.entries(headers)) {
          // The HTTP parser of the receiver removes spaces before and after a value.
          const at = seen.findIndex((each, index) => index % 2 === 0 && each === name);
          expect([name, seen[at + 1]]).toEqual([name, value.replace(/^ +| +$/g, '')]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('never make the validation throw', () => {
    assert(property(anything, anything, (name, value) => void codeOf({ [name]: value })));
  });
});

describe('maskSecret', () => {
  it('shows the first four characters of a long value', () => {
    expect(maskSecret('Bearer 0123456789')).toBe('Bear…');
  });

  it.each(['', 'abcd', 'fifteen letters'])('shows nothing of %j, which is too short', (value) => {
    expect(maskSecret(value)).toBe('…');
  });
});
