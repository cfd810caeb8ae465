import type { Aggregate } from '../dataset';

/* Conditions and joins on the table `report_attempt a`, shared by two datasets. */

export const isStarted = 'a.started_at is not null';
export const isCompleted = `a.outcome = 'completed'`;
export const completedAt = `case when ${isCompleted} then a.ended_at end`;

/** Seconds from submission to decision. */
export const timeToDecision =
  'extract(epoch from a.decided_at - coalesce(a.submitted_at, a.ended_at))::float8';

export const startedCount: Aggregate = { kind: 'count', when: isStarted };
export const completedCount: Aggregate = { kind: 'count', when: isCompleted };
export const retakeCount: Aggregate = { kind: 'count', when: `${isCompleted} and a.attempt > 1` };

/** Returns the mean of a column over completed attempts in which the column is not null. */
export const averageOf = (of: string): Aggregate => ({ kind: 'avg', of, when: isCompleted });

/** SQL for the ids of an attempt in a list of records. */
export const attemptRecords = {
  result: 'a.result_id',
  attempt: 'a.attempt',
  candidate:
    '(select o.enrolment_id from interview_result o where o.merchant_id = a.merchant_id and o.id = a.result_id)',
  key: `a.result_id || '/' || a.attempt`,
};

export const interviewJoin =
  'left join interview i on i.merchant_id = a.merchant_id and i.id = a.interview_id';
