/* Other domains may import only what this file exports. */
export { resultAnalyses, storedDepartments } from './result-analyses';
export type { Scores } from './results';
export {
  coachStatuses,
  completionReasons,
  stopReasons,
  departmentFits,
  failedStatuses,
  resultStatuses,
} from './vocabulary';
export type { StoppedBecause } from './vocabulary';
export { wantsPdf } from './result-pdf';
export { bracketOf, brackets, findQuotePosition, markPassages, readAssessment } from './assessment';
export { readTakeaways } from './takeaways';
export type { CoachingTakeaways } from './takeaways';
