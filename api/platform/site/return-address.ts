const maxLength = 1_000;
/**
 * A path of plain segments, which no browser or proxy interprets as a different path, and the characters of queries.
 */
const ownAddress = /^\/console(\/[\w-]+)+\/?(\?[\w%&*+,./:=?~-]*)?$/;
const home = '/console/results';
const neverReturnedTo = /^\/console\/(sign-in|sign-out|enter|merchants|assets)\b/;

/** Returns the address if it is a page of this console that a sign-in may redirect to, otherwise undefined. */
export function safeReturn(address: string | undefined): string | undefined {
  if (address === undefined || address.length > maxLength) return undefined;
  if (!ownAddress.test(address) || neverReturnedTo.test(address)) return undefined;
  return address;
}

/** Adds the page to continue to after a sign-in to `path`. The default page is omitted. */
export function withReturn(path: string, address: string | undefined): string {
  const safe = safeReturn(address);
  return safe === undefined || safe === home
    ? path
    : `${path}?${new URLSearchParams({ return_to: safe }).toString()}`;
}

/** The address of the same page for this merchant. */
export function atMerchant(address: string, merchantId: string): string {
  const [path = '', query = ''] = address.split('?', 2);
  const named = new URLSearchParams(query);
  named.set('merchant_id', merchantId);
  return `${path}?${named.toString()}`;
}
