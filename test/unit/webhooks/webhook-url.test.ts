import { assert, constantFrom, integer, property } from 'fast-check';
import type { z } from 'zod';
import { readRange } from '../../../api/platform/text/ip-address';
import { addressRanges, findUrlProblem, portList, webhookUrl } from '../../../api/platform/text/webhook-url';
import type { WebhookTargets } from '../../../api/platform/text/webhook-url';

const strict: WebhookTargets = { allowedRanges: [], allowedPorts: [], allowHttp: false };
const loopback = [readRange('127.0.0.0/8'), readRange('::1')].filter((range) => range !== undefined);
const problem = (url: string, changes: Partial<WebhookTargets> = {}) =>
  findUrlProblem(url, { ...strict, ...changes });

describe('webhookUrl', () => {
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
  ])('reads %j as %s', (url, kept) => {
    expect(webhookUrl.parse(url)).toBe(kept);
  });

  it.each([
    'example.com/hooks',
    '',
    'https://',
    'https://exa mple.com',
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://1.2.3.4.5/',
    'https://example.com:70000/',
    `https://example.com/${'a'.repeat(2048)}`,
    `https://example.com/${'ä'.repeat(1000)}`,
    'https://.../',
    'https://a..b/',
    'https://.example.com/',
    'https://-a.example/',
    'https://a!b.example/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(130)}example/`,
    'https://example.com/#',
    12,
    null,
  ])('rejects %j', (url) => {
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
    'https://intranet/', // The addresses of a name are validated when it is resolved.
  ])('accepts %s', (url) => {
    expect(problem(url)).toBeUndefined();
  });

  it.each(['https://localhost/', 'https://LOCALHOST./', 'https://api.localhost/'])(
    'accepts %s only where loopback is allowed',
    (url) => {
      expect(problem(url)).toMatch(/not public/);
      expect(problem(url, { allowedRanges: loopback })).toBeUndefined();
    },
  );

  // Some URL parsers read all of these hosts as 127.0.0.1 or a similar address.
  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://127。0。0。1/',
    'https://１２７.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https:127.0.0.1',
    'https://127.0.0.1\\@example.com/',
    'https://127.0.0.1#@example.com/',
    ' https://127.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd12:3456::1]/',
    'https://[ff02::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://255.255.255.255/',
  ])('rejects %j as not public', (url) => {
    expect(problem(url)).toMatch(/not public/);
  });

  it('rejects every spelling of an address in a private range', () => {
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

  it('accepts port 443 and the ports of the deployment', () => {
    expect(problem('https://example.com:443/')).toBeUndefined();
    expect(problem('https://example.com:8443/')).toMatch(/ports/);
    expect(problem('https://example.com:8443/', { allowedPorts: [8443] })).toBeUndefined();
    expect(problem('https://example.com:22/', { allowedPorts: [8443, 443] })).toMatch(/443, 8443/);
    expect(problem('https://example.com:22/', { allowedPorts: 'any' })).toBeUndefined();
  });

  it('accepts http only where it is allowed, on the allowed ports', () => {
    expect(problem('http://example.com/', { allowedPorts: 'any' })).toMatch(/https/);
    expect(problem('http://example.com/', { allowHttp: true })).toMatch(/ports/);
    expect(problem('http://example.com/', { allowHttp: true, allowedPorts: [80] })).toBeUndefined();
  });

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'javascript:1', 'wss://example.com', 'data:,a'])(
    'never accepts %s',
    (url) => {
      expect(problem(url, { allowHttp: true, allowedPorts: 'any', allowedRanges: loopback })).toMatch(
        /https/,
      );
    },
  );

  it.each(['https://user@example.com/', 'https://user:secret@example.com/', 'https://:secret@example.com/'])(
    'rejects %s for its credentials without repeating them',
    (url) => {
      expect(problem(url)).toMatch(/user name/);
      expect(problem(url)).not.toMatch(/secret/);
    },
  );

  it('accepts a range that the deployment allows', () => {
    expect(problem('https://127.1/', { allowedRanges: loopback })).toBeUndefined();
    expect(problem('https://[::1]/', { allowedRanges: loopback })).toBeUndefined();
    expect(problem('https://10.0.0.1/', { allowedRanges: loopback })).toBeDefined();
  });
});

describe('the variables of a deployment', () => {
  const outcome = (shape: z.ZodType, value: string) => shape.safeParse(value);

  it('read a list of ranges', () => {
    expect(addressRanges.parse('127.0.0.0/8, ::1 ,')).toEqual(loopback);
    expect(addressRanges.parse('')).toEqual([]);
  });

  it.each(['127.0.0.0/8 ::1', 'localhost', '10.0.0.0/40'])('reject the ranges %j', (value) => {
    expect(outcome(addressRanges, value).success).toBe(false);
  });

  it('read a list of ports, none or any', () => {
    expect(portList.parse('8443, 444')).toEqual([8443, 444]);
    expect(portList.parse('')).toEqual([]);
    expect(portList.parse('*')).toBe('any');
  });

  it.each(['0', '65536', 'https', '1-1024', '80;81', '-1', '8e2'])('reject the ports %j', (value) => {
    expect(outcome(portList, value).success).toBe(false);
  });
});
