import type { Logger } from 'pino';
import type { ScopedEndpoint } from '../../../db/webhooks/scoped-endpoint';
import type { Database } from '../../../db/platform/database';
import type { WebhookPost } from '../../providers/webhook-post';
import type { EndpointMemory } from './endpoint-memory';
import type { SenderMetrics } from './metrics';

export type SenderDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  /** Of the locks' connections. */
  databaseUrl: string;
  endpoints: EndpointMemory;
  post: Pick<WebhookPost, 'post'>;
  /** Called after failures were recorded; never awaited. */
  signal: (endpoint: ScopedEndpoint) => void;
  metrics: SenderMetrics;
  log: Logger;
  /** What calls under way get at the end. */
  graceMs: number;
};
