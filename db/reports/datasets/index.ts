import type { Dataset } from '../dataset';
import { atsPipeline } from './ats-pipeline';
import { coachingSessions } from './coaching-sessions';
import { credits } from './credits';
import { interviewResults } from './interview-results';
import { invitations } from './invitations';
import { positionPipeline } from './position-pipeline';

/** The datasets of reports by id (docs/reports.md#datasets). */
export const datasets: ReadonlyMap<string, Dataset> = new Map(
  [interviewResults, credits, coachingSessions, invitations, positionPipeline, atsPipeline].map((dataset) => [
    dataset.id,
    dataset,
  ]),
);
