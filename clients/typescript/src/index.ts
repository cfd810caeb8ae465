export { InterviewPlatform } from './client.js';
export type { CallOptions, List, Page, Sent } from './call.js';
export type { TokenSource } from './credential.js';
export * from './errors.js';
export type { ErrorCode, Operations } from './generated/operations.js';
export type * from './generated/types.js';
export type { Sync } from './sync.js';
export type { Settings } from './transport.js';
export * as webhooks from './webhooks.js';
