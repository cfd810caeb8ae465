import type { Operation } from '../platform/operation/define-operation';
import { eventList } from './event-list';
import { webhookDeliveryGet } from './webhook-delivery-get';
import { webhookDeliveryList } from './webhook-delivery-list';
import { webhookDeliveryReplay } from './webhook-delivery-replay';
import { webhookDeliveryRetry } from './webhook-delivery-retry';
import { webhookEndpointCreate } from './webhook-endpoint-create';
import { webhookEndpointDelete } from './webhook-endpoint-delete';
import { webhookEndpointGet } from './webhook-endpoint-get';
import { webhookEndpointList } from './webhook-endpoint-list';
import { webhookEndpointPause } from './webhook-endpoint-pause';
import { webhookEndpointResume } from './webhook-endpoint-resume';
import { webhookEndpointRotateSecret } from './webhook-endpoint-rotate-secret';
import { webhookEndpointTest } from './webhook-endpoint-test';
import { webhookEndpointUpdate } from './webhook-endpoint-update';
import { webhookReplayCancel } from './webhook-replay-cancel';
import { webhookReplayGet } from './webhook-replay-get';

/** The operations in the order of the API reference. */
export const webhooksOperations: readonly Operation[] = [
  webhookEndpointCreate,
  webhookEndpointUpdate,
  webhookEndpointList,
  webhookEndpointGet,
  webhookEndpointDelete,
  webhookEndpointPause,
  webhookEndpointResume,
  webhookEndpointRotateSecret,
  webhookEndpointTest,
  webhookDeliveryList,
  webhookDeliveryGet,
  webhookDeliveryRetry,
  webhookDeliveryReplay,
  webhookReplayGet,
  webhookReplayCancel,
  eventList,
];
