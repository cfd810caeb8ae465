import type { z } from 'zod';
import { ApiError } from '../contracts/api-error';
import type { merchantResultList } from '../contracts/merchant-result-list';
import { listResults } from '../../db/result-list';
import type { ListedResult } from '../../db/result-list';
import type { Handler } from '../http/bind-operation';
import type { OperationDeps } from './deps';

type Contract = typeof merchantResultList;

/** Lists results, one page per round trip (docs/results.md#reading-results). */
export const listMerchantResults: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, caller }, { database }) => {
  const { limit, offset } = input;
  const rows = await database.queryAsCaller<ListedResult>(caller, listResults(input));
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
