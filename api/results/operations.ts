import type { Operation } from '../platform/operation/define-operation';
import { merchantResultList } from './merchant-result-list';
import { merchantScoringExport } from './merchant-scoring-export';
import { jobInterviewDetails } from './job-interview-details';
import { jobInterviewPdf } from './job-interview-pdf';
import { jobInterviewResultUpdate } from './job-interview-result-update';
import { jobInterviewResultOverrideScore } from './job-interview-result-override-score';
import { jobInterviewResultRescore } from './job-interview-result-rescore';
import { jobInterviewResultRequestAnotherAttempt } from './job-interview-result-request-another-attempt';

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
