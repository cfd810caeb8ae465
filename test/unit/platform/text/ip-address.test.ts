import { BlockList } from 'node:net';
import { array, assert, bigInt, constantFrom, property } from 'fast-check';
import { isAddress, mayConnectTo, readRange } from '../../../../api/platform/text/ip-address';

/**
 * IPv4 ranges to which no webhooks are sent, because they are not global unicast
 * (docs/webhooks.md#where-webhooks-go).
 */
const refusedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const refusedV6 = [
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
  '2001:db8::/32',
  '100::/64',
  '2002::/16',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '5f00::/16',
  '3fff::/20',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  'fec0::/10',
  '::ffff:0:0:0/96',
  '4000::/2',
  '8000::/1',
];

const v4Text = (value: bigint) =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
const v6Text = (value: bigint) =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(
    ':',
  );
/** Computes the first and the last address of a range as numbers, independently of the tested code. */
function bounds(cidr: string): { bits: 32 | 128; first: bigint; last: bigint } {
  const [address = '', prefix = ''] = cidr.split('/');
  const bits = address.includes(':') ? 128 : 32;
  const hosts = (1n << BigInt(bits - Number(prefix))) - 1n;
  const first = bits === 32 ? v4Number(address) : v6Number(address);
  return { bits, first, last: first | hosts };
}
const v4Number = (text: string) => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
function v6Number(text: string): bigint {
  const [head = [], tail = []] = text.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

const anyV4 = bigInt(0n, 2n ** 32n - 1n);
const anyV6 = bigInt(0n, 2n ** 128n - 1n);

describe('mayConnectTo', () => {
  it.each([...refusedV4, ...refusedV6])(
    'rejects the first and the last address of %s, and all between',
    (cidr) => {
      const { bits, first, last } = bounds(cidr);
      const text = bits === 32 ? v4Text : v6Text;
      expect(mayConnectTo(text(first), [])).toBe(false);
      expect(mayConnectTo(text(last), [])).toBe(false);
      assert(property(bigInt(first, last), (value) => !mayConnectTo(text(value), [])));
    },
  );

  it.each([
    ['2001::/23', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
    ['2001:db8::/32', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
    ['2002::/16', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
    ['3fff::/20', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
  ])('accepts the neighbors of %s', (_, before, after) => {
    expect([before, after].map((neighbor) => mayConnectTo(neighbor, []))).toEqual([true, true]);
  });

  it.each(['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '2620:4f:8000::1'])(
    'accepts %s',
    (address) => {
      expect(mayConnectTo(address, [])).toBe(true);
    },
  );

  it('decides on any IPv4 address as net.BlockList does, also when it is embedded in IPv6', () => {
    const list = new BlockList();
    for (const cidr of refusedV4)
      list.addSubnet(cidr.split('/')[0] ?? '', Number(cidr.split('/')[1]), 'ipv4');
    assert(
      property(anyV4, constantFrom(...refusedV4), bigInt(-2n, 2n), (anywhere, cidr, step) => {
        const { first, last } = bounds(cidr);
        for (const value of [anywhere, first + step, last + step]) {
          if (value < 2n || value >= 2n ** 32n) continue;
          const expected = !list.check(v4Text(value), 'ipv4');
          expect(mayConnectTo(v4Text(value), [])).toBe(expected);
          expect(mayConnectTo(`::ffff:${v4Text(value)}`, [])).toBe(expected);
          expect(mayConnectTo(v6Text((0xffffn << 32n) | value), [])).toBe(expected);
          expect(mayConnectTo(`::${v4Text(value)}`, [])).toBe(expected);
        }
      }),
    );
  });

  it('accepts only global unicast IPv6 addresses outside of every listed range', () => {
    const ranges = refusedV6.map(bounds);
    assert(
      property(anyV6, constantFrom(...ranges), bigInt(-2n, 2n), (anywhere, range, step) => {
        for (const value of [
          anywhere,
          (1n << 125n) | (anywhere >> 3n),
          range.first + step,
          range.last + step,
        ]) {
          if (value < 0n || value >= 2n ** 128n || !mayConnectTo(v6Text(value), [])) continue;
          expect(ranges.filter(({ first, last }) => first <= value && value <= last)).toEqual([]);
        }
      }),
    );
  });

  it.each([
    ['127.0.0.1', '127.0.0.0/8'],
    ['::ffff:127.0.0.1', '127.0.0.0/8'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['::1', '::1'],
    ['[::1]', '::1/128'],
    ['10.1.2.3', '10.1.2.3/32'],
    ['fd00::5', 'fd00::/8'],
    ['10.255.0.1', '10.200.3.4/8'],
  ])('accepts %s where the deployment allows %s', (address, range) => {
    expect(mayConnectTo(address, ranges('192.168.7.0/24', range))).toBe(true);
    expect(mayConnectTo(address, ranges('192.168.7.0/24'))).toBe(false);
  });

  it('does not apply a range of IPv4 to IPv6 addresses, or the other way round', () => {
    expect(mayConnectTo('fd00::1', ranges('0.0.0.0/0'))).toBe(false);
    expect(mayConnectTo('10.0.0.1', ranges('fd00::/8'))).toBe(false);
  });

  it.each([
    'fe80::1%eth0',
    '8.8.8.08',
    '8.8.8',
    '134744072',
    '0x08.8.8.8',
    '8.8.8.8:443',
    '8.8.8.256',
    '٨.8.8.8',
    '2606:4700::1::1',
    '1:2:3:4:5:6:7:8:9',
    '::ffff:8.8.8',
    '[2606:4700::1',
    '[8.8.8.8]',
    'example.com',
    '',
    ':',
  ])('rejects %j, which is not the text of an address', (text) => {
    expect(isAddress(text)).toBe(false);
    expect(mayConnectTo(text, [])).toBe(false);
  });
});

describe('readRange', () => {
  it.each(['10.0.0.0/8', '::/0', '0.0.0.0/0', '1.2.3.4', '1.2.3.4/32', 'fd00::/128', 'FD00::1'])(
    'reads %s',
    (text) => {
      expect(readRange(text)).toBeDefined();
    },
  );

  it.each([
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/ 8',
    '10/8',
    'localhost',
    'localhost/8',
    '',
    '/8',
  ])('rejects %j', (text) => {
    expect(readRange(text)).toBeUndefined();
  });

  it('reads an address as the range of that address alone', () => {
    assert(
      property(anyV4, anyV4, (one, other) => {
        expect(mayConnectTo(v4Text(one & 0xffffffn), ranges(v4Text(other & 0xffffffn)))).toBe(
          (one & 0xffffffn) === (other & 0xffffffn),
        );
      }),
    );
  });

  it('accepts with any list what one of its entries accepts', () => {
    assert(
      property(array(constantFrom(...refusedV4)), constantFrom(...refusedV4), (allowed, cidr) => {
        expect(mayConnectTo(v4Text(bounds(cidr).first), ranges(...allowed))).toBe(allowed.includes(cidr));
      }),
    );
  });
});

function ranges(...texts: string[]) {
  return texts.map(readRange).filter((range) => range !== undefined);
}
