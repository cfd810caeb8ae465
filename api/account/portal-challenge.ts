import { promises as dns } from 'node:dns';

/** The name of the TXT record that proves ownership of a portal domain. */
export const challengeName = (domain: string): string => `_interview-platform.${domain}`;

/** The value of the TXT record. */
export const challengeText = (challenge: string): string => `interview-platform-verification=${challenge}`;

/**
 * Looks up the TXT record of a merchant's challenge. Returns null if the record is correct, otherwise a sentence that
 * says what is wrong.
 */
export type DomainTxtCheck = (domain: string, challenge: string) => Promise<string | null>;

/**
 * Each name server is tried twice, and the first try lasts 2 s. The resolver (c-ares) waits longer with each try, so
 * the tries for one server take about 6 s.
 */
const patience = { timeout: 2_000, tries: 2 };
/** The time limit for all servers and tries together, in milliseconds. */
const maxMs = 8_000;

/**
 * Creates the lookup with these name servers (`address` or `address:port`), or with the machine's own if the list is
 * empty.
 */
export function createPortalChallenge(
  servers: readonly string[],
  resolverOptions = patience,
): DomainTxtCheck {
  return async (domain, challenge) => {
    const name = challengeName(domain);
    const resolver = new dns.Resolver(resolverOptions);
    if (servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), maxMs);
    try {
      // The trailing dot makes the name absolute, so that the resolver does not try its search list.
      const records = await resolver.resolveTxt(`${name}.`);
      return records.some((pieces) => pieces.join('').trim() === challengeText(challenge))
        ? null
        : `The TXT record at ${name} does not have the expected value. Copy the value below, and wait for the time to live of the old record.`;
    } catch (error) {
      return describe(name, error);
    } finally {
      clearTimeout(timer);
    }
  };
}

function describe(name: string, error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === dns.NOTFOUND || code === dns.NODATA)
    return `There is no TXT record at ${name}. New records can take some minutes to show: create it and try again.`;
  if (code === dns.TIMEOUT || code === dns.CANCELLED)
    return `The name servers of ${name} did not answer in time. Try again in some minutes.`;
  return `The name servers could not answer for ${name} (${code.replace(/^E/, '') || 'unknown error'}). Check the DNS settings of the domain and try again.`;
}
