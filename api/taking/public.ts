/* Exports that other domains may use. */
export type { Attempt } from './attempt-fields';
export { privacyPath } from './pages/privacy-page';
export { createDecisionCircuit, reportDecisions } from './decide-next';
export { recordedThings } from './recorded-things';
export { awaitTurnAfter, readAttempt, storeAnswer, withdrawTurn } from './take-interview';
export type { DecisionDeps } from './take-interview';
export { takingTexts } from './texts';
