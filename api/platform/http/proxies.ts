import { compile } from 'proxy-addr';

/** Removes the port or the brackets from `192.0.2.1:443`, `[2001:db8::1]:443` and `[2001:db8::1]`. */
export const withoutPort = (hop: string): string =>
  hop.replace(/^([\d.]+):\d{1,5}$/, '$1').replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1');

/**
 * Returns Express's `trust proxy` function for addresses and CIDR ranges. Some proxies write their own address with a
 * port, which Express would not recognize (docs/security.md).
 */
export function trustProxies(ranges: string[]): (hop: string, index: number) => boolean {
  const isTrusted = compile(ranges);
  return (hop, index) => isTrusted(withoutPort(hop), index);
}
