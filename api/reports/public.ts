/* The part of this domain that other domains may use. */
export { writeCsv } from './csv';
export { fileNameOf } from './file-name';
export { obstacleSentence } from './report-schedule-fields';
export { runScheduled } from './scheduled-run';
export type { ScheduledReport } from './scheduled-run';
export type { PrintedReport } from './printed-report';
