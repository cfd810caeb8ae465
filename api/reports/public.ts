/* The part of this domain that other domains may use. */
export { writeCsv } from './runs/csv';
export { fileNameOf } from './runs/file-name';
export { obstacleSentence } from './report-schedule-fields';
export { runScheduledReport } from './runs/scheduled-run';
export type { ScheduledReport } from './runs/scheduled-run';
export type { PrintedReport } from './runs/printed-report';
export { mirroredReports, reportGet } from './report-get';
