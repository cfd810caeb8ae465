import { z } from 'zod';
import { listInterviews } from '../../db/interviews/interview-list';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import {
  environment,
  interviewStatus,
  interviewType,
  templateType,
  visibility,
} from '../platform/operation/named-enums';
import { pageOf, paging, openListPage, updatedSince } from '../platform/operation/page-cursor';
import {
  cappedTotalSentence,
  maxCountedEntries,
  languageCode,
  queryBoolean,
  readers,
  text,
  timestamp,
  uuid,
} from '../platform/operation/vocabulary';

const maybe = (description: string) => z.string().nullable().meta({ description });

const listedInterview = z
  .object({
    id: z.string().meta({
      description:
        'Id of the interview or position, for `position_id` or `interview_id` of other operations.',
    }),
    name: z.string().meta({ description: 'Name of the interview or position.' }),
    is_multistage: z
      .boolean()
      .meta({ description: 'True for a position, false for an interview definition.' }),
    position_id: maybe(
      'Id of the position that an interview is a step of. Null if it is none, and for a position.',
    ),
    type: interviewType.nullable().meta({ description: 'The kind of session. Null for a position.' }),
    status: interviewStatus,
    visibility,
    environment: environment.meta({ description: 'The environment that it belongs to.' }),
    code: maybe('Your own reference.'),
    tags: z
      .array(z.string().meta({ description: 'A tag.' }))
      .nullable()
      .meta({ description: 'The tags of an interview. Null without any, and for a position.' }),
    interview_template_type: templateType
      .nullable()
      .meta({ description: 'The template that conducts the interview. Null for a position.' }),
    platform_language_code: languageCode,
    question_count: z.int().nullable().meta({
      description: 'The number of questions, without welcome and thank-you. Null for a position.',
    }),
    result_count: z.int().meta({
      description:
        "The number of results without tests: of an interview also those of a position's candidates, of a position those of all its steps.",
    }),
    created_at: timestamp.meta({ description: 'When it was created.' }),
    updated_at: timestamp.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'ListedInterview', description: 'An interview or position in a list.' });

export type ListedInterview = z.output<typeof listedInterview>;

export const jobInterviewList = defineOperation({
  name: 'job-interview-list',
  method: 'GET',
  tag: 'Interviews',
  summary: 'List the interviews and positions',
  description: `Lists the interviews and positions of the merchant in the credential's environment, newest first. All filters must match. Deleted ones are
left out. \`type\`, \`tag\` and \`position_id\` match interviews only.

${cappedTotalSentence}`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    status: interviewStatus
      .exclude(['deleted'])
      .optional()
      .meta({ description: 'Only those with this status.' }),
    type: interviewType.optional().meta({ description: 'Only interviews of this type.' }),
    is_multistage: queryBoolean
      .optional()
      .meta({ description: 'True lists positions only, false interviews only.' }),
    tag: text(200).optional().meta({ description: 'Only interviews that have exactly this tag.' }),
    position_id: uuid.optional().meta({ description: 'Only the steps of this position.' }),
    filter_text: text(200).optional().meta({
      description: 'Only those whose name or code contains this text. Case is ignored.',
    }),
    updated_since: updatedSince,
    ...paging,
  }),
  example: { status: 'active', is_multistage: 'false' },
  reply: pageOf(listedInterview),
  replyExample: {
    data: [
      {
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
        name: 'Backend engineer',
        is_multistage: false,
        position_id: null,
        type: 'interview',
        status: 'active',
        visibility: 'merchant_public',
        environment: 'production',
        code: 'REQ-2026-014',
        tags: ['engineering'],
        interview_template_type: 'interactive_avatar_1',
        platform_language_code: 'en',
        question_count: 6,
        result_count: 12,
        created_at: '2026-01-15T09:30:00.000Z',
        updated_at: '2026-01-15T09:30:00.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  /** Lists interviews and positions (docs/interviews.md#listing). */
  async handle({ input, caller }, { database, seal }) {
    const { place, reply } = openListPage(seal, 'job-interview-list', input);
    const rows = await database.query(
      caller,
      listInterviews({ ...input, place, counted: maxCountedEntries }),
    );
    const { total = 0, has_more = false, is_known } = rows[0] ?? {};
    if (!is_known)
      throw new ApiError('unknown_id', 'position_id must name a position of the merchant.', 'position_id');
    const data = rows.filter(({ id }) => id !== null);
    return reply(data, total, has_more);
  },
});
