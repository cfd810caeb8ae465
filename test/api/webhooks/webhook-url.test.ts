import { assert, constantFrom, integer, property } from 'fast-check';
import type { z } from 'zod';
import { readRange } from '../../../api/platform/text/ip-address';
import { addressRanges, findUrlProblem, portList, webhookUrl } from '../../../api/platform/text/webhook-url';
import type { WebhookTargets } from '../../../api/platform/text/webhook-url';

const strict: WebhookTargets = { allowedRanges: [], allowedPorts: [], allowHttp: false };
const loopback = [readRange('127.0.0.0/8'), readRange('::1')].filter((range) => range !== undefined);
const problem = (url: string, changes: Partial<WebhookTargets> = {}) =>
  findUrlProblem(url, { ...strict, ...changes });

describe('the address of an endpoint', () => {
  it.each([
    ['https://example.com/hooks?a=1', 'https://example.com/hooks?a=1'],
    ['HTTPS://EXAMPLE.com', 'https://example.com/'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https:\\\\example.com\\@10.0.0.1/', 'https://example.com/@10.0.0.1/'],
    ['https://ex\tample.com/\n', 'https://example.com/'],
    ['https://2130706433/', 'https://127.0.0.1/'],
    ['https://my_team.example./', 'https://my_team.example./'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    [`https://${'a'.repeat(63)}.example/`, `https://${'a'.repeat(63)}.example/`],
  ])('%j: kept as the sender reads it, %s', (url, kept) => {
    expect(webhookUrl.parse(url)).toBe(kept);
  });

  it.each([
    'example.com/hooks',
    '/hooks',
    '',
    'https://',
    'https://exa mple.com',
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
    'https://example.com:70000/',
    `https://example.com/${'a'.repeat(2048)}`,
    `https://example.com/${'ä'.repeat(1000)}`,
    'https://.../',
    'https://./',
    'https://a..b/',
    'https://.example.com/',
    'https://-/',
    'https://-a.example/',
    'https://a-.example/',
    'https://a!b.example/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(130)}example/`,
    'https://example.com/#',
    'https://example.com/hooks?a=1#frag',
    12,
    null,
  ])('%j: refused', (url) => {
    expect(webhookUrl.safeParse(url).success).toBe(false);
  });
});

describe('findUrlProblem', () => {
  it.each([
    'https://example.com',
    'https://example.com.',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://xn--bcher-kva.example/',
    'https://intranet/', // Names are validated by their addresses, when they are looked up.
  ])('%s: none', (url) => {
    expect(problem(url)).toBeUndefined();
  });

  it.each(['https://localhost/', 'https://LOCALHOST./', 'https://api.localhost/'])(
    '%s: where loopback is allowed only',
    (url) => {
      expect(problem(url)).toMatch(/^must not name (api\.)?localhost\.?: it is not public$/);
      expect(problem(url, { allowedRanges: loopback })).toBeUndefined();
    },
  );

  // Every spelling of 127.0.0.1 and of its kind that a parser of URLs reads as an address.
  it.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://017700000001/',
    'https://0x7f000001/',
    'https://0x7F.0.0.1/',
    'https://0177.0.0.1/',
    'https://0177.0.0x1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://127.1./',
    'https://0/',
    'https://0x/',
    'https://127。0。0。1/',
    'https://１２７.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://127%2e0%2e0%2e1/',
    'https:127.0.0.1',
    'https:/127.0.0.1/',
    'https:\\\\127.0.0.1\\',
    'https://127.0.0.1\\@example.com/',
    'https://127.0.0.1#@example.com/',
    'https://127.0.0.1?@example.com/',
    'https://127.0.0.1\t/',
    ' https://127.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
    'https://[::127.0.0.1]/',
    'https://[::7f00:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::FFFF:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:7f00:0001]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:808:808::1]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd12:3456::1]/',
    'https://[ff02::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://10.0.0.1/',
    'https://0xa.1/',
    'https://192.168.1/',
    'https://3232235777/',
    'https://255.255.255.255/',
  ])('%j: not public', (url) => {
    expect(problem(url)).toMatch(/^must not name the address .+: it is not public$/);
  });

  it('any address of a private range, in any spelling: not public', () => {
    const part = (value: number, radix: number) =>
      radix === 16 ? `0x${value.toString(16)}` : radix === 8 ? `0${value.toString(8)}` : String(value);
    const radix = constantFrom(8, 10, 16);
    const byte = integer({ min: 0, max: 255 });
    const start = constantFrom(
      [10, 1],
      [127, 0],
      [169, 254],
      [172, 16],
      [192, 168],
      [100, 64],
      [198, 18],
      [255, 255],
    );
    assert(
      property(
        start,
        byte,
        byte,
        radix,
        radix,
        constantFrom(1, 2, 3, 4),
        constantFrom('', '.'),
        ([a = 0, b = 0], c, d, headRadix, tailRadix, parts, dot) => {
          const bytes = [a, b, c, d];
          const tail = bytes.slice(parts - 1).reduce((sum, value) => sum * 256 + value, 0);
          const host = [
            ...bytes.slice(0, parts - 1).map((value) => part(value, headRadix)),
            part(tail, tailRadix),
          ].join('.');
          expect(problem(`https://${host}${dot}/`)).toBe(
            `must not name the address ${bytes.join('.')}: it is not public`,
          );
        },
      ),
    );
  });

  it('the port: 443 and the list of the deployment', () => {
    expect(problem('https://example.com:443/')).toBeUndefined();
    expect(problem('https://example.com:8443/')).toBe('must use one of these ports: 443');
    expect(problem('https://example.com:8443/', { allowedPorts: [8443] })).toBeUndefined();
    expect(problem('https://example.com:22/', { allowedPorts: [8443, 443] })).toBe(
      'must use one of these ports: 443, 8443',
    );
    expect(problem('https://example.com:22/', { allowedPorts: 'any' })).toBeUndefined();
  });

  it('http: only where it is allowed, on ports that are', () => {
    expect(problem('http://example.com/', { allowedPorts: 'any' })).toBe('must begin with https://');
    expect(problem('http://example.com/', { allowHttp: true })).toBe('must use one of these ports: 443');
    expect(problem('http://example.com/', { allowHttp: true, allowedPorts: [80] })).toBeUndefined();
  });

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'javascript:1', 'wss://example.com', 'data:,a'])(
    '%s: never',
    (url) => {
      expect(problem(url, { allowHttp: true, allowedPorts: 'any', allowedRanges: loopback })).toBe(
        'must begin with https://',
      );
    },
  );

  it.each(['https://user@example.com/', 'https://user:secret@example.com/', 'https://:secret@example.com/'])(
    '%s: credentials, not repeated',
    (url) => {
      expect(problem(url)).toBe('must not contain a user name or password: send it in custom_headers');
    },
  );

  it('a range that the deployment allows: none', () => {
    expect(problem('https://127.1/', { allowedRanges: loopback })).toBeUndefined();
    expect(problem('https://[::1]/', { allowedRanges: loopback })).toBeUndefined();
    expect(problem('https://10.0.0.1/', { allowedRanges: loopback })).toBeDefined();
  });
});

describe('variables', () => {
  const outcome = (shape: z.ZodType, value: string) => shape.safeParse(value);

  it('ranges: a list, or none', () => {
    expect(addressRanges.parse('127.0.0.0/8, ::1 ,')).toEqual(loopback);
    expect(addressRanges.parse('')).toEqual([]);
  });

  it.each(['127.0.0.0/8 ::1', 'localhost', '10.0.0.0/40'])('ranges %j: refused', (value) => {
    expect(outcome(addressRanges, value).success).toBe(false);
  });

  it('ports: a list, none, or any', () => {
    expect(portList.parse('8443, 444')).toEqual([8443, 444]);
    expect(portList.parse('')).toEqual([]);
    expect(portList.parse('*')).toBe('any');
  });

  it.each(['0', '65536', 'https', '1-1024', '80;81', '-1', '8e2'])('ports %j: refused', (value) => {
    expect(outcome(portList, value).success).toBe(false);
  });
});
