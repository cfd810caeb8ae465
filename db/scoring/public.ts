/* Other domains may import only what this file exports. */
export { overrideScore, findOpenRun, rescoreResult } from './requests';
export { findScoringRates } from './scoring-statistics';
export type { ScoringStatistics } from './scoring-statistics';
export { findScoreReview } from './score-review';
export type { ReviewedRun, ScoreDecision, ScoreReview } from './score-review';
export { scoringStates } from './vocabulary';
