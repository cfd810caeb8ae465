/* Exports that other domains may use. */
export { coachStatus, processingStatus, resultStatus } from './result-enums';
export { resultField } from './result-fields';
