/* The part of this domain that other domains may use. */
export { decideScore, findOpenRun, rescoreResult } from './requests';
export { findScoringRates } from './scoring-rates';
export type { ScoringRates } from './scoring-rates';
export { findScoreReview } from './score-review';
export type { ReviewedRun, ScoreDecision, ScoreReview } from './score-review';
export { scoringStates } from './vocabulary';
