import { stages } from '../../platform/vocabulary';
import type { Aggregate, Dataset } from '../dataset';
import { countOf, dimensionsOf, measuresOf, rateOf } from './fields';

/** SQL that reads one row per stage that a candidate has entered, with the candidate's interview and position. */
const history = `(
  select g.*, e.interview_id, e.position_id, e.source, i.name as interview_name, p.name as position_name,
    coalesce(p.interview_department, i.interview_department) as department,
    coalesce(p.interview_location, i.interview_location) as location,
    coalesce(p.recruiter_profile_id, i.recruiter_profile_id) as owner_id
  from enrolment_stage g
  join enrolment e on e.merchant_id = g.merchant_id and e.id = g.enrolment_id
  left join interview i on i.merchant_id = e.merchant_id and i.id = e.interview_id
  left join position p on p.merchant_id = e.merchant_id and p.id = e.position_id
  where coalesce(p.status, i.status) is distinct from 'deleted'
) g`;

/** SQL for a column of the result at the interview that the candidate is to take now. */
const ofResult = (column: string) => `(
  select r.${column} from interview_result r where r.merchant_id = g.merchant_id and r.enrolment_id = g.enrolment_id
    and r.interview_id = g.interview_id and not r.is_test
)`;

/** SQL that is true for the row of the stage where the candidate is now. */
const isPresent = 'g.left_at is null';
const isHired = `${isPresent} and g.stage = 'Hired'`;
const hired: Aggregate = { kind: 'count', when: isHired };
const candidates: Aggregate = { kind: 'count', when: isPresent };

export const atsPipeline: Dataset = {
  id: 'ats_pipeline',
  label: 'ATS pipeline',
  description:
    'The present stages of candidates and their history: one row for each stage that a candidate of an interview or position has entered. Learners, tests, and deleted interviews and positions are left out.',
  snapshot: true,
  from: history,
  joins: { owner: 'left join profile o on o.merchant_id = g.merchant_id and o.id = g.owner_id' },
  time: null,
  filters: { position: 'g.position_id', interview: 'g.interview_id' },
  records: {
    result: ofResult('id'),
    attempt: ofResult('attempt'),
    candidate: 'g.enrolment_id',
    key: `g.enrolment_id || '/' || extract(epoch from g.entered_at)`,
  },
  dimensions: dimensionsOf({
    stage: {
      label: 'Stage',
      description: 'The stage, in the order of the hiring process.',
      type: 'text',
      values: stages,
      ordered: 'values',
      sql: 'g.stage',
    },
    entered_at: {
      label: 'Entered at',
      description: 'When the candidate entered the stage.',
      type: 'date',
      sql: 'g.entered_at',
    },
    is_present: {
      label: 'Is present',
      description: 'True for the stage where the candidate is now, false for earlier ones.',
      type: 'boolean',
      sql: isPresent,
    },
    interview_id: {
      label: 'Interview ID',
      description:
        'Id of the interview that the candidate is to take now. In a position, the id of the step.',
      type: 'id',
      sql: 'g.interview_id',
    },
    position_id: {
      label: 'Position ID',
      description: 'Id of the position. Null for candidates of an interview alone.',
      type: 'id',
      sql: 'g.position_id',
    },
    source: {
      label: 'Source',
      description: 'How the candidate was enrolled first.',
      type: 'text',
      values: ['registered', 'invited', 'embed', 'public'],
      sql: 'g.source',
    },
    department: {
      label: 'Department',
      description: 'Department of the position, or else of the interview.',
      type: 'text',
      sql: 'g.department',
    },
    interview_name: {
      label: 'Interview',
      description: 'Name of the interview that the candidate is to take now.',
      type: 'text',
      tableOnly: true,
      sql: 'g.interview_name',
    },
    position_name: {
      label: 'Position',
      description: 'Name of the position. Null for candidates of an interview alone.',
      type: 'text',
      tableOnly: true,
      sql: 'g.position_name',
    },
    location: {
      label: 'Location',
      description: 'Location of the position, or else of the interview.',
      type: 'text',
      tableOnly: true,
      sql: 'g.location',
    },
    owner: {
      label: 'Owner',
      description: 'Name of the recruiter of the position, or else of the interview.',
      type: 'text',
      tableOnly: true,
      sql: 'o.name',
      joins: ['owner'],
    },
  }),
  measures: measuresOf({
    candidates: {
      label: 'Candidates',
      description: 'Candidates who have a stage now. A person in two positions counts twice.',
      type: 'integer',
      aggregate: candidates,
    },
    entered: countOf('Entered', 'How often candidates entered a stage, also those who have left it since.'),
    hired: { label: 'Hired', description: 'Candidates who are hired.', type: 'integer', aggregate: hired },
    rejected: countOf('Rejected', 'Candidates who are rejected.', `${isPresent} and g.stage = 'Rejected'`),
    offers_declined: countOf(
      'Offers declined',
      'Candidates who have declined an offer.',
      `${isPresent} and g.stage = 'Offer declined'`,
    ),
    hire_rate: rateOf('Hire rate', 'Hired candidates as a share of those with a stage.', hired, candidates),
    offer_acceptance_rate: rateOf(
      'Offer acceptance rate',
      'Hired candidates as a share of those who were hired or have declined an offer.',
      hired,
      { kind: 'count', when: `${isPresent} and g.stage in ('Hired', 'Offer declined')` },
    ),
    avg_days_in_stage: {
      label: 'Average days in stage',
      description: 'Mean days that candidates have been in their present stage.',
      type: 'number',
      aggregate: {
        kind: 'avg',
        of: 'extract(epoch from now() - g.entered_at)::float8 / 86400',
        when: isPresent,
      },
    },
  }),
};
