import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { catalogueTagList } from './catalogue-tag-list.contract';
import { listDirectories } from '../../db/catalogue/catalogue-list';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof catalogueTagList;

/** Lists directories, one page per round trip (docs/catalogue.md#directories). */
export const listCatalogue: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, caller }, { database }) => {
  const { limit, offset } = input;
  const rows = await database.queryAsCaller(caller, listDirectories(input));
  const { total = 0, is_known } = rows[0] ?? {};
  if (!is_known)
    throw new ApiError('unknown_id', 'parent_tag must be the id of a directory that is there', 'parent_tag');
  const data = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
  const has_more = offset + data.length < total;
  // A page that its bytes have cut says how many it holds, so that `offset + limit` is where the next one begins.
  const taken = has_more ? data.length : limit;
  return { data, pagination: { total, limit: taken, offset, has_more } };
};
