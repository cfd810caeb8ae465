/* Exports that other domains may use. */
export { nameDeletedEndpoints } from './deleted-endpoints';
export { readEndpoints } from './deliveries-page';
export { DeliveryTable } from './delivery-table';
export type { Delivery, Endpoint } from './delivery-words';
export { buildWebhooksDocument } from './openapi-webhooks';
export { webhookDeliveryList } from './webhook-delivery-list';
