import { z } from 'zod';
import { readUrl } from '../../../db/platform/read-url';
import type { ErrorItem } from '../operation/api-error';
import { boundedText } from './bounded-text';
import { isAddress, mayConnectTo, readRange } from './ip-address';
import type { AddressRange } from './ip-address';

/** The targets that a deployment allows for webhooks, in addition to https on port 443 of public addresses. */
export type WebhookTargets = {
  allowedRanges: readonly AddressRange[];
  allowedPorts: readonly number[] | 'any';
  allowHttp: boolean;
};

const credentialProblem = 'must not contain a user name or password. Send them in custom_headers';

/** The address of an endpoint. It is stored as the URL parser writes it. */
export const webhookUrl = boundedText(2048)
  .refine(readUrl, {
    error: 'must be a URL, such as https://example.com/webhooks',
    params: { code: 'invalid_format' },
    abort: true,
  })
  // Parsers can read an unusual spelling as different addresses. The URL parser's own output can be read in only one
  // way.
  .transform((value) => new URL(value).href)
  .refine((value) => value.length <= 2048, {
    error: 'must be at most 2,048 characters when percent-encoded',
    params: { code: 'too_long' },
  })
  .refine((value) => /^https?:/.test(value), {
    error: 'must begin with https://',
    params: { code: 'invalid_value' },
  })
  .refine((value) => !/^[a-z]+:\/\/[^/?#]*@/.test(value), {
    error: credentialProblem,
    params: { code: 'invalid_value' },
  })
  .refine((value) => !value.includes('#'), {
    error: 'must not have a fragment, because what follows # is never sent',
    params: { code: 'invalid_value' },
  })
  .refine((value) => isHost(new URL(value).hostname), {
    error: 'must name a host whose labels have at most 63 letters, digits and hyphens, such as example.com',
    params: { code: 'invalid_value' },
  })
  .meta({ format: 'uri', maxLength: 2048 });

/**
 * Returns true for a host name that is valid in DNS. URL parsers also accept empty labels, labels that are too long,
 * and labels that begin or end with a hyphen.
 */
const isHost = (hostname: string): boolean =>
  hostname.startsWith('[') ||
  (hostname.length <= 254 &&
    hostname
      .replace(/\.$/, '')
      .split('.')
      .every((label) => hostLabel.test(label)));
const hostLabel = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;

/**
 * Returns why webhooks cannot be sent to a URL, worded to follow the field's name (`must begin with https://`), or
 * undefined if they can. The addresses of a host name are checked at every connection
 * (docs/webhooks.md#where-webhooks-go).
 */
export function findUrlProblem(
  text: string,
  { allowedRanges, allowedPorts, allowHttp }: WebhookTargets,
): string | undefined {
  const url = readUrl(text);
  if (!url) return 'must be a URL, such as https://example.com/webhooks';
  const { protocol, username, password, hostname, port } = url;
  if (protocol !== 'https:' && !(allowHttp && protocol === 'http:')) return 'must begin with https://';
  if (username || password) return credentialProblem;
  const portNumber = Number(port || (protocol === 'http:' ? 80 : 443));
  if (allowedPorts !== 'any' && portNumber !== 443 && !allowedPorts.includes(portNumber))
    return `must use one of these ports: ${[...new Set([443, ...allowedPorts])].join(', ')}`;
  if (isAddress(hostname) && !mayConnectTo(hostname, allowedRanges))
    return `must not name the address ${hostname}: it is not public`;
  if (isLoopbackName.test(hostname) && !mayConnectTo('127.0.0.1', allowedRanges))
    return `must not name ${hostname}: it is not public`;
  return undefined;
}

/** Returns the result of `findUrlProblem` as an error of `url`. The schema reports a value that is not a text. */
export function checkUrl(url: unknown, targets: WebhookTargets): ErrorItem[] {
  const problem = typeof url === 'string' ? findUrlProblem(url, targets) : undefined;
  return problem === undefined ? [] : [{ name: 'url', code: 'invalid_value', error: `url ${problem}.` }];
}

const isLoopbackName = /(?:^|\.)localhost\.?$/;

const entriesOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** An environment variable that lists addresses and CIDR ranges. */
export const addressRanges = z.string().transform((value, context): AddressRange[] => {
  const ranges = entriesOf(value).map(readRange);
  if (ranges.every((range) => range !== undefined)) return ranges;
  context.addIssue({ code: 'custom', message: 'must be addresses or CIDR ranges, comma separated' });
  return z.NEVER;
});

/** An environment variable that lists ports. `*` means any port. */
export const portList = z.string().transform((value, context): number[] | 'any' => {
  if (value.trim() === '*') return 'any';
  const entries = entriesOf(value);
  const ports = entries.map(Number);
  if (entries.every((entry) => /^\d{1,5}$/.test(entry)) && ports.every((port) => port > 0 && port < 65_536))
    return ports;
  context.addIssue({ code: 'custom', message: 'must be ports, comma separated, or *' });
  return z.NEVER;
});
