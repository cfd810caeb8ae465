/* Other domains may import only what this file exports. */
export { checkNames } from './delivery-history';
export type { KnownNames } from './delivery-history';
export { findHold } from './webhook-holds';
export type { WebhookHold } from './webhook-holds';
