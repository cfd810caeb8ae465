/* Exports that other domains may use. */
export type { PortalChallenge } from './portal-challenge';
export { merchantCreditList } from './merchant-credit-list';
