/* The part of this domain that other domains may use. */
export { recordReportMailEvents } from './report-deliveries';
