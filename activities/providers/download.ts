import { Agent, fetch } from 'undici';
import { createGuardedConnector } from './address-guard';
import type { CallLimit } from './provider-client';
import { ProviderError } from './provider-error';
import { readBody } from './read-body';

type DownloadSettings = {
  /** The provider's name in error messages. */
  provider: string;
  /** The hosts from which the provider serves files. Hosts below them are allowed, too. */
  hosts: readonly string[];
  /** The origin of the provider's own API, which the operator has configured. Its address may be private. */
  trustedOrigin: string;
};

/** The size limit of a file. A video of 720 lines takes 10 MB a minute. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Downloads files whose addresses a provider returned. An address is used only if it is on a known host over https, and
 * only public addresses are connected to. Redirects are not followed. Throws only ProviderError.
 */
export function createDownload({ provider, hosts, trustedOrigin }: DownloadSettings) {
  const connector = createGuardedConnector({ allowedRanges: [] });
  const guarded = new Agent({
    connect: (options, callback) => connector.connect(options, { startedAt: performance.now() }, callback),
  });
  const trusted = new Agent();
  const agentFor = ({ origin, protocol, hostname, port }: URL) => {
    if (origin === trustedOrigin) return trusted;
    const isKnown = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    return isKnown && protocol === 'https:' && port === '' ? guarded : undefined;
  };

  return {
    read: async (address: string, { timeoutMs, signal }: CallLimit): Promise<Buffer> => {
      const dispatcher = URL.canParse(address) ? agentFor(new URL(address)) : undefined;
      if (!dispatcher)
        throw new ProviderError(provider, 'malformed', {
          retryable: false,
          message: `${provider} named a file at an address that is not allowed`,
        });
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(address, {
          dispatcher,
          redirect: 'manual',
          signal: AbortSignal.any([signal, deadline]),
        });
        const { status } = response;
        if (status !== 200)
          throw ProviderError.ofStatus(provider, status, undefined, status < 400 ? { retryable: false } : {});
        return await readBody(response, maxBytes, provider);
      } catch (error) {
        if (error instanceof ProviderError) throw error;
        throw new ProviderError(
          provider,
          signal.aborted ? 'cancelled' : deadline.aborted ? 'timeout' : 'network',
        );
      }
    },
    close: async (): Promise<void> => {
      await Promise.all([guarded.close(), trusted.close()]);
      connector.close();
    },
  };
}
