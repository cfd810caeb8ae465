import { readUrl } from '../../../db/platform/read-url';

const dottedQuad = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** An IP address as a number with 32 or 128 bits. */
type Address = { bits: 32 | 128; value: bigint };

/** A CIDR range. */
export type AddressRange = Address & { prefix: number };

/**
 * Reads `10.0.0.0/8`, `fd00::/8` or a single address. Returns undefined for anything else. Bits after the prefix are
 * ignored.
 */
export function readRange(text: string): AddressRange | undefined {
  const [address = '', prefix, ...more] = text.split('/');
  const parsed = readAddress(address);
  if (!parsed || more.length > 0) return undefined;
  if (prefix === undefined) return { ...parsed, prefix: parsed.bits };
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > parsed.bits) return undefined;
  return { ...parsed, prefix: Number(prefix) };
}

/**
 * Returns true if the text is an address in a form that sockets, name servers or the host of a WHATWG URL use. Brackets
 * are allowed.
 */
export const isAddress = (text: string): boolean => readAddress(text) !== undefined;

/** Returns the same text for all addresses of a client: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientNetwork(text: string): string {
  const address = readAddress(text.replace(/%.*/, ''));
  if (!address) return '';
  const v4 = address.bits === 32 ? address : embeddedV4(address);
  return v4 ? `4 ${v4.value}` : `6 ${address.value >> 64n}`;
}

/**
 * Returns true if the platform may connect to an address: it must be global unicast, or in one of the ranges that the
 * deployment allows. Returns false for an address that cannot be read (with a zone id, or not in canonical form).
 */
export function mayConnectTo(text: string, allowedRanges: readonly AddressRange[]): boolean {
  const address = readAddress(text);
  if (!address) return false;
  const embedded = embeddedV4(address);
  return (
    isInAny(address, allowedRanges) ||
    (embedded ? isInAny(embedded, allowedRanges) || isPublic(embedded) : isPublic(address))
  );
}

const range = (text: string): AddressRange => {
  const parsed = readRange(text);
  if (!parsed) throw new Error(`${text} is not a range`);
  return parsed;
};

const refused = [
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
  // The refused ranges from here on are parts of `globalUnicast`. `2001::/23` contains Teredo, benchmarks and
  // ORCHIDs, and `2002::/16` is 6to4.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map(range);
/**
 * The addresses that are assigned as global unicast. Unique local, link-local and multicast addresses and both NAT64
 * prefixes are outside of this range.
 */
const globalUnicast = range('2000::/3');
const mapped = range('::ffff:0:0/96');
const compatible = range('::/96');

const isPublic = (address: Address): boolean =>
  (address.bits === 32 || isIn(address, globalUnicast)) && !isInAny(address, refused);

/** Returns the IPv4 address in a mapped or compatible IPv6 address. `::` and `::1` contain no IPv4 address. */
function embeddedV4(address: Address): Address | undefined {
  const holdsOne = isIn(address, mapped) || (isIn(address, compatible) && address.value > 1n);
  return holdsOne ? { bits: 32, value: address.value & 0xffff_ffffn } : undefined;
}

const isIn = (address: Address, { bits, value, prefix }: AddressRange): boolean =>
  address.bits === bits && (address.value ^ value) >> BigInt(bits - prefix) === 0n;
const isInAny = (address: Address, ranges: readonly AddressRange[]): boolean =>
  ranges.some((range) => isIn(address, range));

function readAddress(text: string): Address | undefined {
  return text.includes(':') ? readV6(text) : readV4(text);
}

function readV4(text: string): Address | undefined {
  if (!dottedQuad.test(text)) return undefined;
  return { bits: 32, value: text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n) };
}

/** Reads an IPv6 address. The URL parser first converts every spelling to groups with at most one `::`. */
function readV6(text: string): Address | undefined {
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const url = /^[\da-f:.]+$/i.test(inner) ? readUrl(`http://[${inner}]`) : undefined;
  if (!url) return undefined;
  const [head = '', tail] = url.hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const hex = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join('');
  return { bits: 128, value: BigInt(`0x${hex}`) };
}
