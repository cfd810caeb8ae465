/* Other domains may import only what this file exports. */
export { checkNames } from './delivery-history';
export type { KnownNames } from './delivery-history';
export { findHold, giveUpPdf, listHeldResults } from './webhook-holds';
export type { HeldResult, WebhookHold } from './webhook-holds';
