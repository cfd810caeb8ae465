import type { Statement } from '../../db/platform/statement';
import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import { listResults } from '../../db/results/result-list';
import type { MerchantResult, merchantResultList } from './merchant-result-list.contract';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

/** `is_known` false: the interview_id is none of the caller's. A page without rows is one row whose id is null. */
type ListedResult = Omit<MerchantResult, 'interview_result_id'> & {
  interview_result_id: string | null;
  is_known: boolean;
  total: number;
};
type Contract = typeof merchantResultList;

/** Lists results, one page per round trip (docs/results.md#reading-results). */
export const listMerchantResults: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, caller }, { database }) => {
  const { limit, offset } = input;
  const rows = await database.queryAsCaller(caller, listResults(input) as Statement<ListedResult>);
  const { total = 0, is_known } = rows[0] ?? {};
  if (!is_known)
    throw new ApiError(
      'unknown_id',
      'interview_id must be an interview or position of the merchant',
      'interview_id',
    );
  const data = rows.flatMap((row) =>
    row.interview_result_id === null ? [] : [{ ...row, interview_result_id: row.interview_result_id }],
  );
  return { data, pagination: { total, limit, offset, has_more: offset + data.length < total } };
};
