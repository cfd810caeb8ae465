import { findPersonalData } from '../../../../api/platform/text/personal-data';
import { cpuMilliseconds } from '../../../harness/platform/cpu-time';

const company = 'Northwind Talent';
const found = (text: string, name = company) => findPersonalData(text, [name]);

describe('personalDataIn: e-mail addresses', () => {
  it.each([
    'jan@acme.com',
    'Write to jan.de-vries+jobs@mail.acme.co.uk.',
    'JAN@ACME.COM',
    '<mailto:jan@acme.com>',
    'jan@163.com',
    'jörg@müller.de',
    'jörg@mu\u0308ller.de',
    'x@xn--mller-kva.de',
    'иван@почта.рф',
    '用户@例子.公司',
    '用户@例子。公司',
    'उपयोगकर्ता@उदाहरण.भारत',
    'm@☃.net',
    'jan＠acme．com',
    'jan@ac\u200bme.com',
    'jan(at)acme.com',
    'jan [at] acme.com',
    'bob [at] example [dot] com',
    'bob(at)mail(dot)example(dot)com',
    'jan@[192.168.1.1]',
    'jan@[IPv6:2001:db8::1]',
    '"jan de vries"@acme.com',
    "o'hara@acme.ie",
  ])('finds one in: %s', (text) => {
    expect(found(text)).toBe('an email address');
  });

  it.each([
    'lodash@4.17.21',
    'react@19.0.0-rc.next',
    'node@v20.1.0-beta.two',
    '@media print and @scope/package',
    'Mention people by @name',
    'see @someone.eu',
    'two for @ 3.50 each',
    'user@host without a domain',
    'The [dot] is not [at] its place [dot] in the logo',
    'a@b.c',
    'The address field should take an @ sign.',
  ])('finds none in: %s', (text) => {
    expect(found(text)).toBeUndefined();
  });
});

describe('personalDataIn: phone numbers', () => {
  it.each([
    '+31 6 12345678',
    '+31612345678',
    '+31 (0)6 1234 5678',
    '(+31) 6-1234-5678',
    '+1 (555) 123-4567',
    '+1.555.123.4567',
    '+44 20 7946 0958',
    '+49 171/1234567',
    '+49 (0) 30 / 12 34 56',
    '+33 1 23 45 67 89',
    '+ 32 470 12 34 56',
    '+86 138 0013 8000',
    '+290 22222',
    '+\u200e972 50-123-4567',
    '＋81 90 1234 5678',
    '0031 6 12345678',
    '00 49 171 1234567',
    '06-12345678',
    '06 12 34 56 78',
    '06.12.34.56.78',
    '0612345678',
    '(020) 123 4567',
    '(0171) 1234567',
    '0171/1234567',
    '020 7946 0958',
    '020–123–4567',
    '020\u00a0123\u00a04567',
    '٠٦١٢٣٤٥٦٧٨',
    '0९0-1234-5678'.replace('0९0', '090'),
    '555-123-4567',
    '(555) 123-4567',
    '555.123.4567',
    '1-800-555-1234',
    'tel:0612345678',
    'https://wa.me/0612345678',
    'Tel.: 612 345 678',
    'phone number is 22 33 44 55',
    'call me on 612345678',
    '☎ 22334455',
    'Reach me at +31 6 12345678, please.',
    'On 2026-01-15 call 020 123 4567',
    'On 2026 01 15 call 020 123 4567',
    '98765 43210',
    '151-2345-6789',
    '612 34 56 78',
    'call 1920 1234',
  ])('finds one in: %s', (text) => {
    expect(found(text)).toBe('a phone number');
  });

  it.each([
    'Since 2026-01-15 it is slow',
    'Between 01-02-2026 and 05-03-2026',
    '01.02.2026 - 05.03.2026',
    '01/02/2026-05/03/2026',
    'On 2026/01/15 09:30',
    '2026-01-15T09:30:00.000Z',
    '20260115093000',
    'From 09:00-17:00, or 09.00 - 17.00',
    'Version 10.0.19041.1234 and 2.0.1',
    'v0.123456789',
    'Rates of 0.123456789 and 0.0000012345',
    '1234567890 results',
    '1 000 000 candidates',
    '1,000,000.00 and 12.345.678,90',
    '100 200 300 400',
    'sizes 36 38 40 42 44',
    'years 2023/2024/2025',
    '0198a000-0000-7000-8000-000000000004',
    '01980000-0000-7000-8000-000000000004',
    'ticket #0612345678',
    'order_0612345678',
    'https://example.com/issues/0612345678',
    'ISBN 978-3-16-148410-0',
    'address 192.168.100.200 or 10.0.0.1',
    'card 4111 1111 1111 1111',
    'room 12-34, floors 1-20',
    'GMT+01:00, +10 points, +100 000 a month',
    'calling it from 12 places, 5 times in 24 hours',
    'Show the phone number of 12 candidates',
    '€ 0612345678',
    'mobile 1920 1080',
    'On a mobile 1280 720 is shown',
    'call on 2026 01 15',
    'order 0123456789',
    'the Invoice 0123456789 is missing',
    '+10000000 rows',
    '12345 67890 rows',
  ])('finds none in: %s', (text) => {
    expect(found(text)).toBeUndefined();
  });
});

describe('personalDataIn: the company’s name', () => {
  it.each([
    ['Northwind Talent', 'We at Northwind Talent need it'],
    ['Northwind Talent', 'northwind talent'],
    ['Northwind Talent', 'NORTHWIND\u00a0 TALENT’s board'],
    ['Northwind Talent', 'northwind-talent.example'],
    ['Northwind Talent', 'Northwind\nTalents'],
    ['Acme B.V.', 'Acme needs it'],
    ['Acme GmbH & Co. KG', 'for ACME only'],
    ['Acme Inc.', 'Acme, Inc. needs it'],
    ['Zürich Söhne AG', 'zurich sohne'],
    ['Müller', 'bei Mu\u0308ller'],
    ['Acme (', 'for ACME only'],
    ['Qore++', 'a Qore engineer'],
    ['株式会社日立', 'これは株式会社日立の要望です'],
    ['O’Neill & Sons', "o'neill sons"],
    ['Target Ltd', 'for Target only'],
    ['X', 'we at X need it'],
  ])('finds %s in: %s', (name, text) => {
    expect(found(text, name)).toBe('the name of your company');
  });

  it.each([
    ['Northwind Talent', 'The northwind brings talent'],
    ['Northwind Talent', 'Northwindy Talent'],
    ['Acme', 'acmesthetics and macme'],
    ['Target', 'a target date for each target'],
    ['X', 'an x and a Y'],
    ['360', 'after 360 days'],
    ['', 'anything at all'],
    ['GmbH', 'a company is a kind of thing'],
    ['—', 'a dash — like this'],
  ])('does not find %s in: %s', (name, text) => {
    expect(found(text, name)).toBeUndefined();
  });

  it('searches for a name of many repetitions in less than 100 ms of CPU time', () => {
    const ms = cpuMilliseconds(() => void found('Some text.', 's.a. '.repeat(20)), 50);
    expect([ms < 100, ms]).toEqual([true, ms]);
  });
});

describe('personalDataIn: long texts', () => {
  it.each([
    ['digits', '1 '.repeat(2_000)],
    ['zeros and brackets', '0('.repeat(2_000)],
    ['at signs', 'a@'.repeat(2_000)],
    ['labels', `a@${'a.'.repeat(2_000)}`],
    ['one label', `a@${'a-'.repeat(2_000)}`],
    ['numbers', '12 34 56 7 x '.repeat(300)],
    ['tel', 'tel me us no '.repeat(300)],
    ['dates', '2026-01-15'.repeat(400)],
  ])('finds nothing in a long text of %s, in a short time', (_name, text) => {
    expect(found(text)).toBeUndefined();
  });
});
