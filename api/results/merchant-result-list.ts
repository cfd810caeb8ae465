import { z } from 'zod';
import { listResults } from '../../db/results/result-list';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { interviewType } from '../platform/operation/named-enums';
import { pageOf, paging, openListPage, updatedSince } from '../platform/operation/page-cursor';
import { readers, text, timestamp, uuid } from '../platform/operation/vocabulary';
import { candidateExample } from './result-example';
import { resultCandidate, resultField } from './result-fields';

const resultTabs = ['completed', 'incomplete', 'undecided', 'shortlist', 'selected', 'rejected'] as const;
const resultOrders = ['created_at_newest', 'created_at_oldest', 'updated_at_newest', 'score'] as const;
const result = z
  .object({
    interview_result_id: z
      .string()
      .meta({ description: 'Id of the result. `job-interview-details` returns all of it.' }),
    interview_id: resultField.interview_id,
    interview_name: z.string().meta({ description: 'Name of the interview.' }),
    position_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the position that the interview is a step of. Null if it is not a step.' }),
    type: interviewType,
    status: resultField.status,
    interview_status: resultField.interview_status,
    processing_status: resultField.processing_status,
    attempt: z.int().meta({ description: 'The current attempt, counted from 1.' }),
    is_test: resultField.is_test,
    is_successful: resultField.is_successful,
    candidate: resultCandidate.nullable(),
    score: resultField.score,
    max_score: resultField.max_score,
    ai_analysis_recruiter_score: resultField.ai_analysis_recruiter_score,
    recruiter_go_next_round: resultField.recruiter_go_next_round,
    recruiter_shortlist: resultField.recruiter_shortlist,
    submitted_at: resultField.submitted_at,
    scored_at: timestamp.nullable().meta({
      description:
        'When the current attempt was last scored by the AI. Null before that. Scores that people set do not change it.',
    }),
    decided_at: timestamp
      .nullable()
      .meta({ description: 'When the recruiter decided. Null without a decision.' }),
    created_at: timestamp.meta({ description: 'When the result was created.' }),
    updated_at: resultField.updated_at,
    revision: resultField.revision,
  })
  .meta({ id: 'MerchantResult', description: 'A result in a list, without its transcript.' });
export type MerchantResult = z.output<typeof result>;

export const merchantResultList = defineOperation({
  name: 'merchant-result-list',
  method: 'GET',
  tag: 'Results',
  summary: 'List the results of interviews',
  description: `Lists the interview results of the merchant in the credential's environment, including those of archived and deleted interviews and
of test links (\`is_test\`). Visits of a public avatar are listed only with \`type=public_avatar\` or the \`interview_id\` of the
avatar, as results without a candidate. \`tab\` selects some of the results:

| \`tab\` | results |
|---|---|
| (none) | all |
| completed | submitted: \`status\` active |
| incomplete | not submitted: \`status\` draft (reopened, in progress, collected or failed) |
| undecided | submitted and scored, without a decision (\`recruiter_go_next_round\` null) |
| shortlist | \`recruiter_shortlist\` true |
| selected | \`recruiter_go_next_round\` true |
| rejected | \`recruiter_go_next_round\` false |

Rows can move between pages while results change. To read all results, use \`order_by=created_at_oldest\`, which puts new results last. A page takes less
than a second with up to 100,000 results; with many more, request one \`interview_id\` at a time.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    tab: z
      .enum(resultTabs)
      .optional()
      .meta({ description: 'Which results to list; see the table above. If omitted, all.' }),
    interview_id: uuid.optional().meta({
      description: 'Only the results of this interview, or of all steps of this position.',
    }),
    type: interviewType.optional().meta({ description: 'Only the results of interviews of this type.' }),
    profile_id: uuid.optional().meta({ description: 'Only the results of this person.' }),
    order_by: z.enum(resultOrders).default('created_at_newest').meta({
      description:
        'The order. `score` puts the best result first and results without a score last. It compares scores as shares of the highest score that each attempt could get (`max_score` of its interview). Equal ones are ordered by age.',
    }),
    filter_text: text(200).optional().meta({
      description:
        "Only results whose candidate's name, email or external_id contains this text. Case is ignored.",
    }),
    updated_since: updatedSince,
    ...paging,
  }),
  example: { tab: 'undecided', order_by: 'score' },
  reply: pageOf(result),
  replyExample: {
    data: [
      {
        interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
        interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
        interview_name: 'Backend engineer',
        position_id: null,
        type: 'interview',
        status: 'active',
        interview_status: 'completed',
        processing_status: 'completed',
        attempt: 1,
        is_test: false,
        is_successful: true,
        candidate: candidateExample,
        score: 7.5,
        max_score: 10,
        ai_analysis_recruiter_score: 7.8,
        recruiter_go_next_round: null,
        recruiter_shortlist: false,
        submitted_at: '2026-01-16T10:12:00.000Z',
        scored_at: '2026-01-16T10:12:04.000Z',
        decided_at: null,
        created_at: '2026-01-16T10:00:00.000Z',
        updated_at: '2026-01-16T10:12:04.000Z',
        revision: 6,
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  /** Lists results, one page per round trip (docs/results.md#reading-results). */
  async handle({ input, caller }, { database, seal }) {
    const list = `merchant-result-list by ${input.order_by}`;
    const { place, reply } = openListPage(seal, list, input);
    const rows = await database.query(caller, listResults({ ...input, place }));
    const { total = 0, is_known, profile_known } = rows[0] ?? {};
    if (!is_known)
      throw new ApiError(
        'unknown_id',
        'interview_id must name an interview or position of the merchant.',
        'interview_id',
      );
    if (!profile_known)
      throw new ApiError('unknown_id', 'profile_id must name a candidate of the merchant.', 'profile_id');
    const data = rows.flatMap((row) =>
      row.interview_result_id === null ? [] : [{ ...row, interview_result_id: row.interview_result_id }],
    );
    return reply(data, total);
  },
});
