import { array, assert, asyncProperty, property, string, stringMatching, tuple } from 'fast-check';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { Pool } from 'undici';
import { customHeaders, maskSecret } from '../../../api/webhooks/webhook-headers';

const problemsOf = (headers: unknown) => customHeaders.safeParse(headers).error?.issues ?? [];
const problemOf = (headers: unknown) => problemsOf(headers)[0]?.message;

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
  ])('%j: kept as sent', (headers) => {
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
  ])('%s: the platform’s', (name) => {
    expect(problemOf({ [name]: 'x' })).toBe("must not be set: that header is the platform's");
  });

  it.each(['', 'x y', 'x:y', 'x\r\ny', 'x\u0000', 'ä', 'x(y)', '"x"', 'x/y', '日'])(
    'name %j: no token',
    (name) => {
      expect(problemOf({ [name]: 'x' })).toBe(
        'must have a name of letters, digits and hyphens, as x-api-key',
      );
    },
  );

  it('a name of 101 characters: too long', () => {
    expect(problemOf({ ['a'.repeat(101)]: 'x' })).toBe('must have a name of at most 100 characters');
  });

  it.each(['a\r\nx-evil: 1', 'a\n', '\u0000', 'a\tb', '\u007f', '\u0080', '\u009f', '\u0100', '€', '😀'])(
    'value %j: not printable Latin-1, and not repeated',
    (value) => {
      expect(problemOf({ 'x-a': value })).toBe('must have only printable Latin-1 characters');
    },
  );

  it('a value of 1025 characters: too long, and not repeated', () => {
    expect(problemOf({ 'x-a': 'v'.repeat(1_025) })).toBe('must have at most 1024 characters');
  });

  it('a name twice in another case: named once only', () => {
    expect(problemOf({ 'x-a': '1', 'X-A': '2' })).toBe('is named twice: case makes no difference');
  });

  it('names every wrong header', () => {
    expect(problemsOf({ host: 'a', ok: 'b', 'x y': 'c', 'x-a': 'é€' })).toMatchObject([
      { path: ['host'], params: { code: 'invalid_value' } },
      { path: ['x y'], params: { code: 'invalid_format' } },
      { path: ['x-a'], params: { code: 'invalid_format' } },
    ]);
  });

  it('21 headers: too many', () => {
    const headers = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, '']));
    expect(problemOf(headers)).toBe('must have at most 20 headers');
  });

  it.each([
    [12_288, undefined],
    [12_289, 'must have at most 12288 characters, names and values together: these have 12289'],
  ])('%i characters of names and values', (length, problem) => {
    const entries = Array.from({ length: 12 }, (_, index) => [`x-${10 + index}`, 'v'.repeat(1_000)]);
    const left = length - 12 * 1_004 - 'y'.length;
    const headers = Object.fromEntries([...entries, ['y', 'v'.repeat(left)]]);
    expect(problemOf(headers)).toBe(problem);
  });

  it('__proto__, which no object takes over: refused', () => {
    expect(problemOf(JSON.parse('{"__proto__": "x", "x-a": "1"}'))).toBe('must not name a header __proto__');
  });

  it.each([null, [], 'x-a: 1', 1, { 'x-a': 1 }, { 'x-a': null }, { 'x-a': ['1'] }])(
    '%j: refused',
    (headers) => {
      expect(customHeaders.safeParse(headers).success).toBe(false);
    },
  );
});

describe('custom headers and the client that sends them', () => {
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

  it('whatever is accepted: is sent and received', async () => {
    await assert(
      asyncProperty(array(tuple(names, values), { maxLength: 5 }), async (entries) => {
        const headers = customHeaders.safeParse(Object.fromEntries(entries)).data;
        if (!headers) return;
        const { statusCode, body } = await pool.request({ method: 'POST', path: '/', headers, body: '{}' });
        await body.dump();
        expect(statusCode).toBe(200);
        for (const [name, value] of Object.entries(headers)) {
          // What stands around a value is no part of it for the receiver.
          const at = seen.findIndex((each, index) => index % 2 === 0 && each === name);
          expect([name, seen[at + 1]]).toEqual([name, value.replace(/^ +| +$/g, '')]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('whatever is refused: never throws', () => {
    assert(
      property(anything, anything, (name, value) => {
        const issue = problemOf({ [name]: value });
        expect(issue === undefined || issue.startsWith('must ')).toBe(true);
      }),
    );
  });
});

describe('maskSecret', () => {
  it('a long value: its first four characters', () => {
    expect(maskSecret('Bearer 0123456789')).toBe('Bear…');
  });

  it.each(['', 'abcd', 'fifteen letters'])('%j, too short to tell a part of it: nothing of it', (value) => {
    expect(maskSecret(value)).toBe('…');
  });
});
