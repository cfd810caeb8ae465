import type { z } from 'zod';
import { maxMatchedSessions } from './catalogue-tag-get.contract';
import type { catalogueTagGet } from './catalogue-tag-get.contract';
import { readDirectory } from '../../db/catalogue/catalogue-list';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { unknownDirectory } from './directory-of';

type Contract = typeof catalogueTagGet;

/** Reads a directory in one round trip (docs/catalogue.md#sessions-of-a-directory). */
export const getDirectory: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, caller }, { database }) => {
  const [row] = await database.queryAsCaller(caller, readDirectory(input.id, maxMatchedSessions));
  if (!row) throw unknownDirectory(caller);
  return {
    ...row,
    matched_sessions: row.matched_sessions.slice(0, maxMatchedSessions),
    matched_sessions_truncated:
      row.matched_sessions_truncated || row.matched_sessions.length > maxMatchedSessions,
  };
};
