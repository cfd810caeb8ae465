const maxLength = 1_000;
/**
 * Matches a path of plain segments, which no browser or proxy reads as a different path, and a query of safe
 * characters.
 */
const ownAddress = /^\/console(\/[\w-]+)+\/?(\?[\w%&*+,./:=?~-]*)?$/;
const home = '/console/results';
const neverReturnedTo = /^\/console\/(sign-in|sign-out|enter|merchants|assets)\b/;

/**
 * Returns the address if it is a page of this console, to which a sign-in may redirect. Otherwise returns undefined.
 */
export function safeReturn(address: string | undefined): string | undefined {
  if (address === undefined || address.length > maxLength) return undefined;
  if (!ownAddress.test(address) || neverReturnedTo.test(address)) return undefined;
  return address;
}

/**
 * Adds the address of the page that opens after the sign-in to the query of `path`. The home page is left out,
 * because it is the default.
 */
export function addReturnAddress(path: string, address: string | undefined): string {
  const safe = safeReturn(address);
  return safe === undefined || safe === home
    ? path
    : `${path}?${new URLSearchParams({ return_to: safe }).toString()}`;
}

/** Returns the address of the same page at this merchant. */
export function addressAtMerchant(address: string, merchantId: string): string {
  const [path = '', query = ''] = address.split('?', 2);
  const named = new URLSearchParams(query);
  named.set('merchant_id', merchantId);
  return `${path}?${named.toString()}`;
}
