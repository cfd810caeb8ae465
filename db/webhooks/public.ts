/* The part of this domain that other domains may use. */
export { checkNames } from './delivery-history';
export type { KnownNames } from './delivery-history';
export { findHold } from './webhook-holds';
export type { WebhookHold } from './webhook-holds';
