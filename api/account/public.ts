/* Exports that other domains may use. */
export type { DomainTxtCheck } from './portal-challenge';
export { mirroredAudit } from './merchant-audit-list';
export { merchantCreditList, mirroredCredits } from './merchant-credit-list';
