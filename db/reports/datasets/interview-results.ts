import type { Dataset } from '../dataset';
import { attemptRecords, interviewJoin } from './attempts';
import { interviewResultDimensions } from './interview-result-dimensions';
import { interviewResultMeasures } from './interview-result-measures';

export const interviewResults: Dataset = {
  id: 'interview_results',
  label: 'Interview results',
  description:
    'One row for each attempt at an interview, earlier attempts included. An attempt counts when it ended, or else when it began. Tests count only with include_test.',
  snapshot: false,
  from: 'report_attempt a',
  joins: {
    interview: interviewJoin,
    template: 'left join interview_template t on t.id = i.interview_template_id',
    position: 'left join position p on p.merchant_id = a.merchant_id and p.id = a.position_id',
    recruiter:
      'left join profile r on r.merchant_id = a.merchant_id and r.id = coalesce(p.recruiter_profile_id, i.recruiter_profile_id)',
  },
  time: { column: 'a.instant', dimension: 'completed_at' },
  filters: { position: 'a.position_id', interview: 'a.interview_id', isTest: 'a.is_test' },
  records: attemptRecords,
  dimensions: interviewResultDimensions,
  measures: interviewResultMeasures,
};
