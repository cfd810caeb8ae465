import type { Operation } from '../platform/operation/define-operation';
import { jobInterviewDetails } from './job-interview-details';
import { jobInterviewPdf } from './job-interview-pdf';
import { jobInterviewResultOverrideScore } from './job-interview-result-override-score';
import { jobInterviewResultRequestAnotherAttempt } from './job-interview-result-request-another-attempt';
import { jobInterviewResultRescore } from './job-interview-result-rescore';
import { jobInterviewResultUpdate } from './job-interview-result-update';
import { merchantResultList } from './merchant-result-list';
import { merchantScoringExport } from './merchant-scoring-export';

/** The operations in the order of the API reference. */
export const resultsOperations: readonly Operation[] = [
  merchantResultList,
  jobInterviewDetails,
  jobInterviewPdf,
  jobInterviewResultUpdate,
  jobInterviewResultRequestAnotherAttempt,
  jobInterviewResultRescore,
  jobInterviewResultOverrideScore,
  merchantScoringExport,
];
