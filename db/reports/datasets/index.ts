import type { Dataset } from '../dataset';
import { coachingSessions } from './coaching-sessions';
import { credits } from './credits';
import { interviewResults } from './interview-results';

/** The datasets of reports by id (docs/reports.md#datasets). */
export const datasets: ReadonlyMap<string, Dataset> = new Map(
  [interviewResults, credits, coachingSessions].map((dataset) => [dataset.id, dataset]),
);
