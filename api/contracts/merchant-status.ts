import { z } from 'zod';
import { defineOperation } from './operation';
import { readers } from './vocabulary';

const history = z.array(z.int()).length(14);

export const merchantStatus = defineOperation({
  name: 'merchant-status',
  method: 'GET',
  tag: 'Account',
  summary: 'Credits, subscription, pending work and invitation headroom of the account',
  description: `Counts are those of the credential's environment; rows of an archived or deleted interview or position count as
archived, test results never count. Credits and invitations are the account's, over all environments; credits are answered
floored. Histories are days of the merchant's time zone, today first. \`invitations_limit\` is 4 times the credits (before
flooring), for the current subscription period, without a subscription the calendar month, UTC; null where the plan is
unlimited (Special). With a service key \`profile_id\` and \`default_merchant_id\` are null.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({}),
  example: {},
  reply: z.object({
    profile_id: z.string().nullable(),
    default_merchant_id: z.string().nullable(),
    merchant_id: z.string(),
    credits_interview_monthly: z.int(),
    credits_interview_monthly_limit: z.int(),
    credits_interview_extra: z.int(),
    credits_interview_single: z.int(),
    definitions_active: z.int(),
    interviews_without_credits: z.int(),
    interviews_undecided: z.int(),
    interviews_ongoing: z.int(),
    interview_results: z.int(),
    candidates: z.int(),
    candidates_history: history,
    interview_result_history: history,
    subscription_type: z.string(),
    subscription_status: z.string().nullable(),
    invitations_sent: z.int(),
    invitations_limit: z.int().nullable(),
    invitations_available: z.int().nullable(),
  }),
  statuses: [],
});
export type MerchantStatus = z.input<(typeof merchantStatus)['reply']>;
