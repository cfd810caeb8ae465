/**
 * The outcome of a call. `away` means that the same call may succeed later, and `gone` that this page is out of date
 * and must be loaded again. `limited` means that too many have called.
 */
export type PortalReply<Body> =
  | { kind: 'done'; body: Body }
  | { kind: 'conflict'; code: string; detail: unknown }
  | { kind: 'refused' }
  | { kind: 'gone' }
  | { kind: 'limited' }
  | { kind: 'away' };
