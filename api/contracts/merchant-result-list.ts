import { z } from 'zod';
import { resultCandidate } from './job-interview-details';
import { defineOperation } from './operation';
import { coachStatuses, processingStatuses, resultStatuses } from './result-vocabulary';
import { interviewTypes, pagination, paging, readers, text, timestamp, uuid } from './vocabulary';

const resultTabs = ['completed', 'incomplete', 'undecided', 'shortlist', 'selected', 'rejected'] as const;
export type ResultTab = (typeof resultTabs)[number];
const resultOrders = ['created_at_newest', 'created_at_oldest', 'updated_at_newest', 'score'] as const;
export type ResultOrder = (typeof resultOrders)[number];

const result = z
  .object({
    interview_result_id: z.string(),
    interview_id: z.string(),
    interview_name: z.string(),
    position_id: z.string().nullable(),
    type: z.enum(interviewTypes),
    status: z.enum(resultStatuses),
    interview_status: z.enum(coachStatuses).nullable(),
    processing_status: z.enum(processingStatuses).nullable(),
    attempt: z.int(),
    is_test: z.boolean(),
    is_successful: z.boolean().nullable(),
    candidate: resultCandidate.nullable(),
    score: z.number().nullable(),
    ai_analysis_recruiter_score: z.number().nullable(),
    recruiter_go_next_round: z.boolean().nullable(),
    recruiter_shortlist: z.boolean(),
    submitted_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    revision: z.int().meta({ description: 'Rises with every change of the result, as in webhooks.' }),
  })
  .meta({ id: 'MerchantResult' });
export type MerchantResult = z.output<typeof result>;

export const merchantResultList = defineOperation({
  name: 'merchant-result-list',
  method: 'GET',
  tag: 'Results',
  summary: 'List the results of interviews',
  description: `Results of the credential's environment, those of archived and deleted interviews and of test links
(\`is_test\`) among them.

| \`tab\` | results |
|---|---|
| (none) | all |
| completed | submitted: \`status\` active |
| incomplete | not submitted: \`status\` draft, whether not begun again, under way, collected or failed |
| undecided | submitted and scored, without a decision (\`recruiter_go_next_round\` null) |
| shortlist | \`recruiter_shortlist\` true |
| selected | \`recruiter_go_next_round\` true |
| rejected | \`recruiter_go_next_round\` false |

\`interview_id\` is that of an interview, or of a position: the results of its candidates at every step. \`filter_text\` is
looked for in the candidate's name, e-mail and external_id, without regard to case. \`order_by\` score puts the best first
and results without a score last; what is equal is ordered by age, so that pages never overlap.
A page costs more the more results it is picked from and the further down it is: of 100,000 results it is answered inside a
second, of many more ask by \`interview_id\`, and take all of them in the order of \`created_at_oldest\`.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    tab: z.enum(resultTabs).optional(),
    interview_id: uuid.optional(),
    type: z.enum(interviewTypes).optional(),
    order_by: z.enum(resultOrders).default('created_at_newest'),
    filter_text: text(200).optional(),
    ...paging,
  }),
  example: { tab: 'undecided', order_by: 'score' },
  reply: z.object({ data: z.array(result), pagination }),
  statuses: [],
});
