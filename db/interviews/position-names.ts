import type { Statement } from '../platform/statement';

export type PositionName = { id: string; name: string };

/**
 * Lists the positions of the caller's merchant and environment with their names, newest first, including deleted
 * ones.
 */
export const listPositionNames = (limitRows: number): Statement<PositionName> => ({
  name: 'list_position_names',
  text: `
    select id, name from position
    where merchant_id = app.merchant_id() and environment = app.environment()
    order by created_at desc, id desc limit $1`,
  values: [limitRows],
});
