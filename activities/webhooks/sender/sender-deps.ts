import type { Logger } from 'pino';
import type { RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import type { Database } from '../../../db/platform/scope';
import type { WebhookPost } from '../../providers/webhook-post';
import type { EndpointMemory } from './endpoint-memory';
import type { SenderMetrics } from './metrics';

/** An endpoint of which something has failed and waits for `webhookRetries`. */
export type TroubledEndpoint = Pick<RecordedEndpoint, 'endpoint_id' | 'merchant_id' | 'environment'>;

export type SenderDeps = {
  database: Pick<Database, 'asWorker' | 'hotAsWorker'>;
  /** Of the locks' connections. */
  databaseUrl: string;
  endpoints: EndpointMemory;
  post: Pick<WebhookPost, 'post'>;
  /** Called after failures were recorded; never awaited. */
  signal: (endpoint: TroubledEndpoint) => void;
  metrics: SenderMetrics;
  log: Logger;
  /** What calls under way get at the end. */
  graceMs: number;
};
