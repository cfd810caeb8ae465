import { promises as dns } from 'node:dns';

/** The name of the TXT record that proves a portal domain. */
export const challengeName = (domain: string): string => `_interview-platform.${domain}`;

/** The text of that record. */
export const challengeText = (challenge: string): string => `interview-platform-verification=${challenge}`;

/** Looks for the challenge of a merchant; answers null where it is there, else a sentence that says what is wrong. */
export type PortalChallenge = (domain: string, challenge: string) => Promise<string | null>;

/** c-ares waits longer with each try: together with one server about 6 s. */
const timeoutMs = 2_000;
const tries = 2;
/** Of all servers and tries. */
const maxMs = 8_000;

/** Asks these name servers (`address` or `address:port`), those of the machine where there are none. */
export function createPortalChallenge(servers: readonly string[]): PortalChallenge {
  return async (domain, challenge) => {
    const name = challengeName(domain);
    const resolver = new dns.Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), maxMs);
    try {
      // A name that ends with a dot is nobody's but this one: no search list is tried.
      const records = await resolver.resolveTxt(`${name}.`);
      return records.some((pieces) => pieces.join('').trim() === challengeText(challenge))
        ? null
        : `The TXT record at ${name} does not have the expected value. Copy the value below, and wait for the time to live of the old record`;
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
    return `There is no TXT record at ${name}. New records can take some minutes to show: create it and try again`;
  if (code === dns.TIMEOUT || code === dns.CANCELLED)
    return `The name servers of ${name} did not answer in time. Try again in some minutes`;
  return `The name servers could not answer for ${name} (${code.replace(/^E/, '') || 'unknown error'}). Check the DNS settings of the domain and try again`;
}
