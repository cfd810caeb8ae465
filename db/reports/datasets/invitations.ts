import { invitationChannels, invitationResults } from '../../people/public';
import type { Aggregate, Dataset } from '../dataset';
import { countOf, dimensionsOf, measuresOf, rateOf } from './fields';

const isSent = `v.result in ('invited', 'sub_merchant_added', 'coaching_access_added')`;
const isToCandidate = `${isSent} and v.type = 'candidate'`;
const hasStarted = `${isToCandidate} and t.started_at is not null`;
const hasCompleted = `${isToCandidate} and t.completed_at is not null`;

const toCandidates: Aggregate = { kind: 'count', when: isToCandidate };
const startedCount: Aggregate = { kind: 'count', when: hasStarted };
const completedCount: Aggregate = { kind: 'count', when: hasCompleted };
const activatedCount: Aggregate = { kind: 'count', when: `v.result = 'activated'` };

export const invitations: Dataset = {
  id: 'invitations',
  label: 'Invitations',
  description:
    'One row for each person in a call that invites people or registers candidates, also for rows that failed. Tests count only with include_test.',
  snapshot: false,
  from: 'invitation v',
  joins: {
    taken: `left join lateral (
      select min(a.started_at) as started_at, min(a.ended_at) filter (where a.outcome = 'completed') as completed_at
      from interview_result r join report_attempt a on a.merchant_id = r.merchant_id and a.result_id = r.id
      where r.merchant_id = v.merchant_id and r.enrolment_id = v.enrolment_id and r.is_test = v.is_test
        and a.started_at >= v.invited_at
    ) t on true`,
    interview: 'left join interview i on i.merchant_id = v.merchant_id and i.id = v.interview_id',
    inviter: 'left join lateral app.names_of_team(array[v.inviter_id]) n on true',
  },
  time: { column: 'v.invited_at', dimension: 'invited_at' },
  filters: { position: 'v.position_id', interview: 'v.interview_id', isTest: 'v.is_test' },
  records: { result: 'null::uuid', attempt: 'null::int', candidate: 'v.enrolment_id', key: 'v.id::text' },
  dimensions: dimensionsOf({
    invited_at: {
      label: 'Invited at',
      description: 'When the call was made.',
      type: 'date',
      sql: 'v.invited_at',
    },
    interview_id: {
      label: 'Interview ID',
      description:
        'Id of the interview, or of the first step of the position. Null for accounts and unknown ids.',
      type: 'id',
      sql: 'v.interview_id',
    },
    position_id: {
      label: 'Position ID',
      description: 'Id of the position. Null for candidates of an interview alone and for accounts.',
      type: 'id',
      sql: 'v.position_id',
    },
    type: {
      label: 'Type',
      description:
        'What the person was invited as. Null for rows of earlier versions that could not be read.',
      type: 'text',
      values: ['merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor', 'candidate'],
      sql: 'v.type',
    },
    result: {
      label: 'Result',
      description:
        'What became of the row. activated: the person was active already; skipped: invited before.',
      type: 'text',
      values: invitationResults,
      sql: 'v.result',
    },
    channel: {
      label: 'Channel',
      description:
        'How the person got the invitation: by e-mail, as a link in the reply, or by a message that accompanied the mail and has not failed.',
      type: 'text',
      values: invitationChannels,
      sql: `coalesce((select max(q.channel) from mail m join message q on q.mail_id = m.id
        where m.merchant_id = v.merchant_id and m.enrolment_id = v.enrolment_id and m.created_at = v.invited_at
          and q.state not in ('undelivered', 'failed')), v.channel)`,
    },
    language: {
      label: 'Language',
      description: 'The language of the invitation, as a code such as en.',
      type: 'text',
      sql: 'v.language',
    },
    inviter: {
      label: 'Inviter',
      description: 'Name of the person who invited. Null for service keys and people who left the team.',
      type: 'text',
      tableOnly: true,
      sql: 'n.name',
      joins: ['inviter'],
    },
    interview_name: {
      label: 'Interview',
      description: 'Name of the interview, or of the first step of the position.',
      type: 'text',
      tableOnly: true,
      sql: 'i.name',
      joins: ['interview'],
    },
    is_test: {
      label: 'Is a test',
      description: 'True for test links, which appear only with include_test.',
      type: 'boolean',
      sql: 'v.is_test',
    },
    reminded: {
      label: 'Reminded',
      description: 'True if the candidate was sent a reminder since.',
      type: 'boolean',
      sql: `exists (select from mail m where m.merchant_id = v.merchant_id and m.enrolment_id = v.enrolment_id
        and m.kind in ('reminder', 'final_reminder') and m.state <> 'withdrawn' and m.created_at > v.invited_at)`,
    },
  }),
  measures: measuresOf({
    sent: countOf('Sent', 'Invitations that were made or made again, and access that was given.', isSent),
    activated: {
      label: 'Activated',
      description: 'Rows whose person was active already, or had begun the interview. Nothing was sent.',
      type: 'integer',
      aggregate: activatedCount,
    },
    skipped: countOf(
      'Skipped',
      'Rows whose person was invited before. Nothing was sent.',
      `v.result = 'skipped'`,
    ),
    errors: countOf(
      'Errors',
      'Rows that failed. Rows without a readable type are not counted.',
      `v.result = 'error'`,
    ),
    started: {
      label: 'Started',
      description: 'Invitations of candidates who began an attempt afterwards.',
      type: 'integer',
      joins: ['taken'],
      aggregate: startedCount,
    },
    completed: {
      label: 'Completed',
      description: 'Invitations of candidates who began and completed an attempt afterwards.',
      type: 'integer',
      joins: ['taken'],
      aggregate: completedCount,
    },
    expired: {
      ...countOf(
        'Expired',
        'Invitations of candidates that ended before an attempt was begun.',
        `${isToCandidate} and t.started_at is null and v.expires_at <= now()`,
      ),
      joins: ['taken'],
    },
    people: {
      label: 'People',
      description: 'Different people who were invited. A person with several invitations counts once.',
      type: 'integer',
      aggregate: { kind: 'distinct', of: 'v.profile_id', when: isSent },
    },
    activation_rate: rateOf(
      'Activation rate',
      'Rows whose person was active already, as a share of the rows that did not fail.',
      activatedCount,
      { kind: 'count', when: `v.result <> 'error'` },
    ),
    start_rate: {
      ...rateOf(
        'Start rate',
        'Invitations of candidates who began an attempt afterwards, as a share of those sent to candidates.',
        startedCount,
        toCandidates,
      ),
      joins: ['taken'],
    },
    completion_rate: {
      ...rateOf(
        'Completion rate',
        'Invitations of candidates who completed an attempt afterwards, as a share of those sent to candidates.',
        completedCount,
        toCandidates,
      ),
      joins: ['taken'],
    },
    avg_time_to_start: {
      label: 'Average time to start',
      description: 'Mean time from the invitation to the first attempt after it, in seconds.',
      type: 'duration',
      joins: ['taken'],
      aggregate: {
        kind: 'avg',
        of: 'extract(epoch from t.started_at - v.invited_at)::float8',
        when: hasStarted,
      },
    },
  }),
};
