import type { z } from 'zod';
import type { merchantStatus } from './merchant-status.contract';
import { readMerchantStatus } from '../../db/account/merchant-status';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof merchantStatus;

/** Reads credits, budget and counts of the account (docs/account.md#account-status). */
export const getMerchantStatus: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ caller }, { database }) => {
  const [row] = await database.queryAsCaller(caller, readMerchantStatus);
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
    definitions_active: row.definitions_active,
    interviews_without_credits: counts.without_credits ?? 0,
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
};
