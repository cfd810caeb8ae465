/* Exports that other domains may use. */
export { judgedCriterion, takeaways } from './analyses';
export { coachStatus, processingStatus, resultStatus } from './result-enums';
export { resultField } from './result-fields';
export { mirroredDecisions, mirroredResults } from './mirrored-results';
export { jobInterviewDetails } from './job-interview-details';
export { merchantResultList } from './merchant-result-list';
export type { MerchantResult } from './merchant-result-list';
