import { creditBuckets } from '../../account/public';
import { creditTypes } from '../../platform/vocabulary';
import type { Dataset } from '../dataset';
import { attemptRecords } from './attempts';
import { countOf, dimensionsOf, measuresOf } from './fields';

/**
 * SQL that selects the entries of the ledger, and one row for each attempt that waits for credits.
 */
const movements = `(
  select e.id::text as key, e.merchant_id, e.created_at as occurred_at, e.kind, e.bucket, e.amount, e.result_id, e.attempt,
    false as is_unpaid
  from credit_entry e
  union all
  select u.result_id || '/' || u.attempt, u.merchant_id, u.due_at, null, null, null, u.result_id, u.attempt, true
  from unpaid_attempt u
) c
left join report_attempt a on a.merchant_id = c.merchant_id and a.result_id = c.result_id and a.attempt = c.attempt`;

const granted = `c.kind in ('grant', 'renewal')`;

export const credits: Dataset = {
  id: 'credits',
  label: 'Credits',
  description:
    'One row for each movement of the balance, in credits, and for each attempt that waits for credits. The balance is shared by all environments; interviews of other environments have no id and name here.',
  snapshot: false,
  hiddenFromHiringManagers: true,
  isOfCharges: true,
  from: movements,
  joins: {
    interview: 'left join interview i on i.merchant_id = a.merchant_id and i.id = a.interview_id',
  },
  time: { column: 'c.occurred_at', dimension: 'occurred_at' },
  filters: { position: 'a.position_id', interview: 'a.interview_id' },
  records: { ...attemptRecords, key: 'c.key' },
  dimensions: dimensionsOf({
    occurred_at: {
      label: 'Occurred at',
      description: 'When the balance changed, or when the attempt ended that was not paid.',
      type: 'date',
      sql: 'c.occurred_at',
    },
    bucket: {
      label: 'Bucket',
      description: 'The part of the balance. Null for attempts that were not paid.',
      type: 'text',
      values: creditBuckets,
      sql: 'c.bucket',
    },
    type_credit: {
      label: 'Type of credit',
      description:
        'The type of credit of the interview. Null for interviews without one, and for credits of no interview.',
      type: 'text',
      values: creditTypes,
      sql: 'i.type_credit',
      joins: ['interview'],
    },
    reason: {
      label: 'Reason',
      description:
        'Why the balance changed. A renewal of the month is granted. Null for attempts that were not paid.',
      type: 'text',
      values: ['granted', 'consumed', 'refunded', 'expired'],
      sql: `case c.kind when 'grant' then 'granted' when 'renewal' then 'granted' when 'charge' then 'consumed'
        when 'refund' then 'refunded' when 'expiry' then 'expired' end`,
    },
    interview_id: {
      label: 'Interview ID',
      description: 'Id of the interview that was charged or refunded. Null for credits of no interview.',
      type: 'id',
      sql: 'a.interview_id',
    },
    position_id: {
      label: 'Position ID',
      description: 'Id of the position whose candidate was charged or refunded, null without one.',
      type: 'id',
      sql: 'a.position_id',
    },
    interview_name: {
      label: 'Interview',
      description: 'Name of the interview that was charged or refunded.',
      type: 'text',
      tableOnly: true,
      sql: 'i.name',
      joins: ['interview'],
    },
  }),
  measures: measuresOf({
    granted: {
      label: 'Granted',
      description: 'Credits that were granted, renewals of the month included.',
      type: 'number',
      format: 'decimal2',
      aggregate: { kind: 'sum', of: 'c.amount', when: granted },
    },
    consumed: {
      label: 'Consumed',
      description: 'Credits that interviews were charged. Refunds are not subtracted.',
      type: 'number',
      format: 'decimal2',
      aggregate: { kind: 'sum', of: '-c.amount', when: `c.kind = 'charge'` },
    },
    refunded: {
      label: 'Refunded',
      description: 'Credits that were given back for interviews.',
      type: 'number',
      format: 'decimal2',
      aggregate: { kind: 'sum', of: 'c.amount', when: `c.kind = 'refund'` },
    },
    expired: {
      label: 'Expired',
      description: 'Credits of a month that expired unused.',
      type: 'number',
      format: 'decimal2',
      aggregate: { kind: 'sum', of: '-c.amount', when: `c.kind = 'expiry'` },
    },
    net: {
      label: 'Net change',
      description: 'Change of the balance in credits: granted and refunded, less consumed and expired.',
      type: 'number',
      format: 'decimal2',
      aggregate: { kind: 'sum', of: 'c.amount' },
    },
    interviews_charged: {
      label: 'Interviews charged',
      description: 'Attempts that were charged, also those that were refunded later. Free ones are left out.',
      type: 'integer',
      aggregate: { kind: 'distinct', of: '(c.result_id, c.attempt)', when: `c.kind = 'charge'` },
    },
    interviews_without_credits: countOf(
      'Interviews without credits',
      'Attempts that wait for credits, which are none outside production.',
      'c.is_unpaid',
    ),
  }),
};
