import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import type { LiveCaller } from '../../db/platform/database';
import { isCredentialError } from '../../db/platform/database';
import type { LinkTokens } from '../../db/platform/link-tokens';
import { isoCodeOf } from '../../db/platform/vocabulary';
import { beginLive } from '../../db/taking/public';
import type { LiveAttempt } from '../../db/taking/public';
import type { DecisionDeps } from '../taking/public';
import { createTokenBucket } from './bucket';
import { createConversation } from './conversation';
import type { Conversation } from './conversation';
import type { OpenTranscription } from './hearing';
import { openInterview } from './interview';
import type { LiveMetrics } from './live-metrics';
import { createPageSocket } from './page-socket';
import type { LowerStepReason } from './protocol';
import { closeCodes, maxMessageBytes, subprotocol } from './wire';

type LiveServerDeps = Omit<DecisionDeps, 'metrics'> & {
  metrics: LiveMetrics;
  log: Logger;
  links: Pick<LinkTokens, 'openLiveToken' | 'originOf'>;
  openHearing: OpenTranscription;
  /** The model that listens, and the price of a minute in USD if it is known. */
  listening: { model: string; pricePerMinute: number | null };
  /** How many conversations this process has at a time, and how many of one merchant. */
  limits: { sessions: number; sessionsPerMerchant: number };
};

/** A page that loses its connection tries again every 400 ms for five seconds. */
const connectionBurst = 20;
const connectionsPerSecond = 1 / 3;

type Session = { attempt: LiveAttempt; conversation: Conversation };
type Refusal = 401 | 403 | 404 | 410 | 503;

const lowered: Partial<Record<Refusal, { step: 'record'; why: LowerStepReason }>> = {
  503: { step: 'record', why: 'busy' },
};

/**
 * Accepts the sockets of pages. The token, the origin, the link and the limits are checked before the upgrade, so a refused
 * page gets an HTTP status. A page cannot read it, and goes on at the lower step.
 */
export function createLiveServer(deps: LiveServerDeps) {
  const { log, metrics, limits, links } = deps;
  const sessions = new Set<Session>();
  /** Upgrades in progress whose token is valid count too, or a burst would exceed the limits. */
  let opening = 0;
  /** How many connections each attempt may still open, because each costs a session of the provider. */
  const connections = new LRUCache<string, () => boolean>({ max: 10_000 });
  let isStopping = false;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: () => subprotocol,
  });
  const server: Server = createServer(
    { requestTimeout: 15_000, headersTimeout: 15_000 },
    (request, response) => {
      const isHealth = request.url === '/healthz';
      response
        .writeHead(isHealth ? 200 : 404, { 'content-type': 'text/plain' })
        .end(isHealth ? 'ok\n' : 'not found\n');
    },
  );
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    void accept(request, socket, head)
      .catch((err: unknown) => {
        log.error({ err }, 'failed to open a live conversation');
        return 503 as const;
      })
      .then((refusal) => refusal && refuse(socket, refusal));
  });

  /** Opens the socket of a page, or returns why not. */
  async function accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<Refusal | undefined> {
    // No pattern with ` *`, which takes half a second to read a header of spaces.
    const [protocol, token = ''] = (request.headers['sec-websocket-protocol'] ?? '')
      .split(',', 2)
      .map((part) => part.trim());
    const caller = protocol === subprotocol ? await links.openLiveToken(token) : undefined;
    if (!caller) return 401;
    if (request.headers.origin !== links.originOf(caller.domain)) return 403;
    if (isStopping || sessions.size + opening >= limits.sessions || !mayConnect(caller)) return 503;
    opening += 1;
    const attempt = await begin(caller).finally(() => (opening -= 1));
    if (typeof attempt === 'number') return attempt;
    const others = [...sessions].filter(
      (other) => other.attempt.merchant_id === attempt.merchant_id && !isSame(other.attempt, attempt),
    );
    if (others.length >= limits.sessionsPerMerchant) return 503;
    if (isStopping) return 503;
    // Visitors, who can be anyone, leave room for the merchant's candidates.
    const visits = others.filter((other) => isVisit(other.attempt));
    if (isVisit(attempt) && visits.length >= Math.ceil(limits.sessionsPerMerchant / 2)) return 503;
    if (socket.destroyed) return undefined;
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const conversation: Conversation = createConversation({
        interview: openInterview(deps, caller, attempt, { log, ...deps.listening }),
        openHearing: deps.openHearing,
        language: attempt.language,
        isoCode: isoCodeOf(attempt.language),
        patience: {
          timeFactor: attempt.time_factor,
          speed: attempt.conversation_speed,
          isAssessment: attempt.interview_type === 'assessment',
        },
        tell: (message) => page.tell(message),
        close: (code) => page.close(code),
        onEvent: (event) => {
          metrics.countEvent(event);
          if (typeof event === 'object' && 'reason' in event)
            log.warn(
              { reason: event.reason, result_id: attempt.result_id },
              'lost the provider that listens',
            );
        },
      });
      const session = { attempt, conversation };
      sessions.add(session);
      metrics.setSessions(sessions.size);
      const page = createPageSocket(opened, {
        onHello: (hello) => {
          // A page that slept may still show an attempt that has ended meanwhile.
          if (hello.attempt === attempt.attempt) void conversation.begin(hello);
          else conversation.end(closeCodes.replaced);
        },
        onMessage: (message) => conversation.receive(message),
        onSound: (sound) => conversation.hear(sound),
        onClose: () => {
          conversation.end(closeCodes.done);
          sessions.delete(session);
          metrics.setSessions(sessions.size);
        },
      });
    });
    return undefined;
  }

  function mayConnect(caller: LiveCaller): boolean {
    const key = caller.kind === 'avatar_visit' ? caller.visitId : caller.enrolmentId;
    const take = connections.get(key) ?? createTokenBucket(connectionsPerSecond, connectionBurst);
    connections.set(key, take);
    return take();
  }

  async function begin(caller: LiveCaller): Promise<LiveAttempt | Refusal> {
    try {
      return (await deps.database.write(caller, (trx) => trx.maybeOne(beginLive))) ?? 410;
    } catch (error) {
      if (isCredentialError(error)) return 404;
      throw error;
    }
  }

  return {
    server,
    /** Ends earlier connections of an attempt, of which a later one has begun here or in another process. */
    replace(begun: Pick<LiveAttempt, 'result_id' | 'attempt' | 'begun_at'>): void {
      for (const { attempt, conversation } of sessions)
        if (isSame(attempt, begun) && attempt.begun_at < begun.begun_at)
          conversation.end(closeCodes.replaced);
    },
    /** Takes no more pages, and lets those that are here connect to another process. */
    async stop(limitMs: number): Promise<void> {
      isStopping = true;
      for (const { conversation } of sessions) conversation.end(closeCodes.restart);
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, limitMs).unref())]);
    },
  };
}

const isSame = (
  one: Pick<LiveAttempt, 'result_id' | 'attempt'>,
  other: Pick<LiveAttempt, 'result_id' | 'attempt'>,
): boolean => one.result_id === other.result_id && one.attempt === other.attempt;

const isVisit = ({ interview_type: type }: LiveAttempt): boolean => type === 'public_avatar';

const reasons: Record<Refusal, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  503: 'Service Unavailable',
};

function refuse(socket: Duplex, status: Refusal): void {
  const body = JSON.stringify(lowered[status] ?? {});
  const head = `HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
  // The other side may never close what is only half closed.
  socket.once('finish', () => socket.destroy());
  socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}
