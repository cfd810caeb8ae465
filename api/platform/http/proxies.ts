import { compile } from 'proxy-addr';

/** Removes the port or the brackets from `192.0.2.1:443`, `[2001:db8::1]:443` and `[2001:db8::1]`. */
export const withoutPort = (hop: string): string =>
  hop.replace(/^([\d.]+):\d{1,5}$/, '$1').replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1');

/**
 * Returns Express's `trust proxy` function for these addresses and CIDR ranges. It also recognizes addresses with a
 * port, which some proxies send and Express would not recognize (docs/security.md).
 */
export function trustProxies(ranges: string[]): (hop: string, index: number) => boolean {
  const isTrusted = compile(ranges);
  return (hop, index) => isTrusted(withoutPort(hop), index);
}
