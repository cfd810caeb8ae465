import type { z } from 'zod';
import type { interviewTemplateList } from './interview-template-list.contract';
import { listTemplates } from '../../db/interviews/templates';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof interviewTemplateList;

/** Lists the platform's templates (docs/interviews.md#templates). */
export const listInterviewTemplates: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input: { limit, offset }, caller }, { database }) => {
  const rows = await database.queryAsCaller(caller, listTemplates(limit, offset));
  const total = rows[0]?.total ?? 0;
  const data = rows.filter(({ id }) => id !== null);
  return { data, pagination: { total, limit, offset, has_more: offset + data.length < total } };
};
