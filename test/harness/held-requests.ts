import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A way to a provider on which a test holds requests for as long as it needs: no delay is long enough on a machine that is
 * loaded, and short enough for what waits. `target` is told once it is known.
 */
export async function startHeldRequests() {
  let target = '';
  let holds: (path: string) => boolean = () => false;
  const held: { pass: () => void; isAwaited: () => boolean }[] = [];
  const server = createServer((request, response) => {
    const pass = () => passOn(target, request, response);
    if (holds(request.url ?? '')) held.push({ pass, isAwaited: () => !response.destroyed });
    else pass();
  });
  // Longer than the pools of our clients keep a connection: else one of them sends into a closing one.
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    passTo: (url: string) => {
      target = url;
    },
    /** From now on requests whose path ends so wait here, their provider not asked. */
    hold: (pathEnd: string) => {
      holds = (path) => path.endsWith(pathEnd);
    },
    count: () => held.length,
    /** Lets those go on that somebody waits for still, and all that come; how many those are. The provider never hears of the others. */
    letGo: (): number => {
      holds = () => false;
      const awaited = held.splice(0).filter(({ isAwaited }) => isAwaited());
      for (const { pass } of awaited) pass();
      return awaited.length;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function passOn(target: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '' } = request;
  const onward = ask(target + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}
