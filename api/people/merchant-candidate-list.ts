import { z } from 'zod';
import { findCandidates, listCandidates } from '../../db/people/candidate-list';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { stage } from '../platform/operation/named-enums';
import { pageOf, paging, openListPage, updatedSince } from '../platform/operation/page-cursor';
import {
  cappedTotalSentence,
  maxCountedEntries,
  readers,
  timestamp,
  uuid,
} from '../platform/operation/vocabulary';
import { candidateStatus, mailStatus, personFilter, textFilter } from './people-fields';

const maybe = (description: string) => z.string().nullable().meta({ description });

const candidate = z
  .object({
    profile_interview_id: z
      .string()
      .meta({ description: 'Id of the enrolment: this person at this interview or position.' }),
    profile_id: z.string().meta({
      description: 'Id of the person, who can be a candidate of several interviews of the merchant.',
    }),
    name: maybe('Name of the candidate.'),
    email: z.string().meta({ description: 'Email address of the candidate.' }),
    phone: maybe('Phone number of the candidate, as it was sent.'),
    external_id: maybe('Your own reference.'),
    interview_id: z.string().meta({
      description: 'The interview that the candidate is to take now. In a position: the current step.',
    }),
    interview_name: z.string().meta({ description: 'Name of the position, or else of the interview.' }),
    position_id: maybe('Id of the position. Null if the candidate is not enrolled in a position.'),
    status: candidateStatus,
    stage: stage.nullable().meta({
      description:
        'The stage of the candidate. A submit, a decision and a reopening set it, and so does `job-interview-result-update`. Null before the first submit, when it was cleared, and for learners.',
    }),
    mail_status: mailStatus.nullable().meta({
      description:
        'What became of the latest mail to the candidate that was not withdrawn. Null if there was no mail.',
    }),
    invited_at: timestamp.nullable().meta({ description: 'When the candidate was last invited by email.' }),
    interview_result_id: maybe('The result at `interview_id`. Null before an attempt begins.'),
    created_at: timestamp.meta({ description: 'When the candidate was registered or invited first.' }),
    updated_at: timestamp.meta({ description: 'When the candidate or the status was last changed.' }),
  })
  .meta({ id: 'MerchantCandidate', description: 'A candidate of an interview or position.' });
export type MerchantCandidate = z.output<typeof candidate>;

export const merchantCandidateList = defineOperation({
  name: 'merchant-candidate-list',
  method: 'GET',
  tag: 'People',
  summary: 'List candidates',
  description: `Lists the candidates of the merchant in the credential's environment, newest first: people who were registered, invited, or came by an embedded
interview. A person who is a candidate of several interviews or positions has an entry for each. In a position, \`status\` and
\`interview_result_id\` are those of the step that the candidate is to take now. All filters must match. Results of test links are not counted.

${cappedTotalSentence} \`merchant-status\` counts all candidates.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    interview_id: uuid.optional().meta({
      description: 'Only the candidates of this interview or position, or those who are at this step.',
    }),
    status: candidateStatus.optional().meta({ description: 'Only candidates with this status.' }),
    profile_id: personFilter('the entries'),
    profile_interview_id: uuid.optional().meta({ description: 'Only the entry with this id.' }),
    filter_text: textFilter('candidates', 'name, email or external_id'),
    updated_since: updatedSince,
    ...paging,
  }),
  example: { status: 'submitted' },
  reply: pageOf(candidate),
  replyExample: {
    data: [
      {
        profile_interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b3',
        profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b2',
        name: 'Ann Lee',
        email: 'ann@example.com',
        phone: null,
        external_id: 'crm-4711',
        interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
        interview_name: 'Backend engineer',
        position_id: null,
        status: 'submitted',
        stage: 'Interview 1st completed',
        mail_status: 'delivered',
        invited_at: '2026-01-15T09:30:00.000Z',
        interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
        created_at: '2026-01-15T09:30:00.000Z',
        updated_at: '2026-01-15T09:30:00.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  /** Lists candidates, one page per round trip (docs/people.md#lists). */
  async handle({ input, caller }, { database, seal }) {
    const { place, reply } = openListPage(seal, 'merchant-candidate-list', input);
    const rows = await database.query(
      caller,
      listCandidates({ ...input, place, counted: maxCountedEntries }),
    );
    const { total = 0, has_more = false, interview_known, profile_known, enrolment_known } = rows[0] ?? {};
    if (!interview_known)
      throw new ApiError(
        'unknown_id',
        'interview_id must name an interview or position of the merchant.',
        'interview_id',
      );
    if (!profile_known) throw unknownPerson();
    if (!enrolment_known)
      throw new ApiError(
        'unknown_id',
        'profile_interview_id must name a candidate of the merchant.',
        'profile_interview_id',
      );
    const data = rows.flatMap(({ profile_interview_id: id, ...row }) =>
      id === null ? [] : [{ ...row, profile_interview_id: id }],
    );
    return reply(data, total, has_more);
  },
});

/** The error of a filter by a person whom the caller cannot see. */
export const unknownPerson = () =>
  new ApiError('unknown_id', 'profile_id must name a person of the merchant.', 'profile_id');

/** Candidates as `GET /sync` returns them. */
export const mirroredCandidates = defineMirrored({
  body: candidate,
  serviceKeys: true,
  async read(trx, ids) {
    const rows = await trx.rows(findCandidates(ids));
    return new Map(rows.map((row) => [row.profile_interview_id, row]));
  },
});
