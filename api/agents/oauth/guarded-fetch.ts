import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isAddress, mayConnectTo } from '../../platform/text/ip-address';
import { findUrlProblem } from '../../platform/text/webhook-url';
import type { WebhookTargets } from '../../platform/text/webhook-url';

/**
 * Returns a `fetch` that reaches only the addresses to which webhooks may go. It follows no redirects, so that a document
 * cannot lead to an address inside of the deployment's network. If the deployment allows http for webhooks, which only the
 * local stack does, documents on loopback are fetched over http.
 */
export function createGuardedFetch(targets: WebhookTargets): typeof fetch {
  const guardedLookup: LookupFunction = (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => !mayConnectTo(address, targets.allowedRanges));
      if (error || refused || !addresses[0]) {
        done(error ?? new Error(`the address of ${hostname} is not public`), [] as never);
        return;
      }
      if (options.all) done(null, addresses);
      else done(null, addresses[0].address, addresses[0].family);
    });

  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const isLocal = targets.allowHttp && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
      if (isLocal) url.protocol = 'http:';
      const problem = findUrlProblem(url.href, targets);
      if (problem) {
        reject(new TypeError(`the address ${problem}`));
        return;
      }
      const client = isLocal ? http : https;
      const request = client.request(url, {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        agent: false,
        ...(init.signal ? { signal: init.signal } : {}),
        ...(isAddress(url.hostname) ? {} : { lookup: guardedLookup }),
      });
      request.on('error', reject);
      // A reply of status 101 ends the request without a response or an error.
      request.once('close', () => reject(new TypeError('the address closed the connection without a reply')));
      request.once('response', (response) => {
        // `Response` throws for other statuses, and an error in this handler would end the process.
        const status = response.statusCode ?? 0;
        if (status < 200 || status > 599) {
          request.destroy(new TypeError(`the address replied with status ${status}`));
          return;
        }
        const headers = new Headers();
        for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
        const body = [204, 205, 304].includes(status)
          ? null
          : (Readable.toWeb(response) as globalThis.ReadableStream);
        resolve(new Response(body, { status, headers }));
      });
      request.end();
    });
}
