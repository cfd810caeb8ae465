/* Exports that other domains may use. */
export { nameDeletedEndpoints } from './pages/deleted-endpoints';
export { readEndpoints } from './pages/deliveries-page';
export { DeliveryTable } from './pages/delivery-table';
export type { WebhookDelivery, WebhookEndpoint } from './pages/delivery-words';
export { buildWebhooksDocument } from './openapi-webhooks';
export { webhookDeliveryList } from './webhook-delivery-list';
export { webhookDeliveryGet } from './webhook-delivery-get';
export { webhookEndpointGet } from './webhook-endpoint-get';
export { webhookEndpointList } from './webhook-endpoint-list';
