import { z } from 'zod';
import { readMerchantStatus } from '../../db/account/merchant-status';
import { defineOperation } from '../platform/operation/define-operation';
import { readers } from '../platform/operation/vocabulary';

const count = (description: string) => z.int().meta({ description });
const history = (what: string) =>
  z
    .array(z.int().meta({ description: 'The number of one day.' }))
    .length(14)
    .meta({ description: `${what} of the last 14 days, today first, in the merchant's time zone.` });

export const merchantStatus = defineOperation({
  name: 'merchant-status',
  method: 'GET',
  tag: 'Account',
  summary: 'Get credits, subscription, pending work and invitation budget of the account',
  description: `Returns the figures of the merchant account: credits, subscription, pending work, and how many candidates can still be invited. Counts
are those of the credential's environment. Credits, and in production also invitations, are counted for the whole account. Test results are never counted. A hiring manager who sees some positions only gets the counts of these.

The invitation budget is 4 times the credits (before rounding) for the current subscription period, or for the calendar month in UTC if there is
no subscription. It is null if the plan is unlimited. Outside production, the environment has a budget of its own: see [Environments]({origin}/docs/environments).`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({}),
  example: {},
  reply: z.object({
    profile_id: z
      .string()
      .nullable()
      .meta({ description: "The caller's profile id; null for a service key." }),
    default_merchant_id: z
      .string()
      .nullable()
      .meta({ description: "Id of the caller's home merchant; null for a service key." }),
    merchant_id: z.string().meta({ description: 'Id of the merchant that the figures are about.' }),
    credits_interview_monthly: count('Remaining credits of the monthly allowance, rounded down.'),
    credits_interview_monthly_limit: count("Credits of the plan's monthly allowance."),
    credits_interview_extra: count('Remaining top-up credits, rounded down.'),
    credits_interview_single: count('Remaining credits for single interviews and positions, rounded down.'),
    credits_coaching_monthly: count('Remaining credits for the types coaching and persona, rounded down.'),
    credits_coaching_monthly_limit: count("Coaching credits of the plan's monthly allowance."),
    definitions_active: count('Interviews and positions with the status active.'),
    interviews_without_credits: count(
      'Attempts that wait for credits, because too few were left. The next credits pay them, oldest first. Always 0 outside production.',
    ),
    interviews_undecided: count("Completed interviews that wait for a recruiter's decision."),
    interviews_ongoing: count('Interviews that candidates are taking.'),
    interview_results: count('Results of interviews and positions that are not archived or deleted.'),
    candidates: count('Candidates of interviews and positions that are not archived or deleted.'),
    candidates_history: history('New candidates on each'),
    interview_result_history: history('New results on each'),
    subscription_type: z.string().meta({ description: 'Name of the plan, such as Free or Growth.' }),
    subscription_status: z.string().nullable().meta({
      description: 'State of the subscription, such as active, past_due or canceled; null without one.',
    }),
    invitations_sent: count(
      'Candidate invitations sent in the current period. Outside production: all invitations sent today (UTC) in the environment.',
    ),
    invitations_limit: z.int().nullable().meta({
      description:
        'Candidate invitations of the period: 4 times the credits. Null: unlimited. Outside production: the 100 invitations of a day (UTC).',
    }),
    invitations_available: z.int().nullable().meta({
      description:
        'Remaining candidate invitations of the period. Null: unlimited. Outside production: remaining invitations of any type today (UTC).',
    }),
  }),
  replyExample: {
    profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b1',
    default_merchant_id: '0198a000-0000-7000-8000-0000000000a1',
    merchant_id: '0198a000-0000-7000-8000-0000000000a1',
    credits_interview_monthly: 42,
    credits_interview_monthly_limit: 50,
    credits_interview_extra: 10,
    credits_interview_single: 0,
    credits_coaching_monthly: 20,
    credits_coaching_monthly_limit: 20,
    definitions_active: 7,
    interviews_without_credits: 0,
    interviews_undecided: 5,
    interviews_ongoing: 2,
    interview_results: 118,
    candidates: 164,
    candidates_history: [3, 0, 5, 8, 2, 0, 0, 4, 6, 1, 3, 2, 0, 0],
    interview_result_history: [1, 0, 4, 5, 2, 0, 0, 3, 4, 1, 1, 2, 0, 0],
    subscription_type: 'Growth',
    subscription_status: 'active',
    invitations_sent: 31,
    invitations_limit: 208,
    invitations_available: 177,
  },
  statuses: [],
  /** Reads the credits, the daily limit and the counts of the account (docs/account.md#account-status). */
  async handle({ caller }, { database }) {
    const [row] = await database.query(caller, readMerchantStatus);
    if (!row) throw new Error('the merchant has no credit account');
    const { counts, invitations_limit: limit, invitations_sent: sent } = row;
    const session = caller.kind === 'user_session' ? caller : undefined;
    return {
      profile_id: session?.profileId ?? null,
      default_merchant_id: session?.homeMerchantId ?? null,
      merchant_id: row.merchant_id,
      credits_interview_monthly: Math.floor(row.monthly),
      credits_interview_monthly_limit: Math.floor(row.monthly_limit),
      credits_interview_extra: Math.floor(row.extra),
      credits_interview_single: Math.floor(row.single),
      credits_coaching_monthly: Math.floor(row.coaching),
      credits_coaching_monthly_limit: Math.floor(row.coaching_limit),
      definitions_active: row.definitions_active,
      interviews_without_credits: row.without_credits,
      interviews_undecided: counts.undecided ?? 0,
      interviews_ongoing: counts.ongoing ?? 0,
      interview_results: counts.results ?? 0,
      candidates: counts.candidates ?? 0,
      candidates_history: row.candidates_history,
      interview_result_history: row.results_history,
      subscription_type: row.plan,
      subscription_status: row.subscription_status,
      invitations_sent: sent,
      invitations_limit: limit,
      invitations_available: limit === null ? null : Math.max(0, limit - sent),
    };
  },
});
