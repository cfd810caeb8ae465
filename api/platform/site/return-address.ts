const maxLength = 1_000;
/** A path of plain segments, which no browser or proxy reads as another one, and what queries are made of. */
const ownAddress = /^\/console(\/[\w-]+)+\/?(\?[\w%&*+,./:=?~-]*)?$/;
const home = '/console/deliveries';
const neverReturnedTo = /^\/console\/(sign-in|sign-out|enter|merchants|assets)\b/;

/** The address, where it is a page of this console that one may be sent to after a sign-in; else undefined. */
export function safeReturn(address: string | undefined): string | undefined {
  if (address === undefined || address.length > maxLength) return undefined;
  if (!ownAddress.test(address) || neverReturnedTo.test(address)) return undefined;
  return address;
}

/** `path`, with the page to go on to; nothing is said of the page that one comes to anyway. */
export function withReturn(path: string, address: string | undefined): string {
  const safe = safeReturn(address);
  return safe === undefined || safe === home
    ? path
    : `${path}?${new URLSearchParams({ return_to: safe }).toString()}`;
}

/** The same page, of this merchant. */
export function atMerchant(address: string, merchantId: string): string {
  const [path = '', query = ''] = address.split('?', 2);
  const named = new URLSearchParams(query);
  named.set('merchant_id', merchantId);
  return `${path}?${named.toString()}`;
}
