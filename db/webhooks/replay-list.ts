import type { Statement } from '../platform/statement';
import type { ReplayFilter, ReplayState } from './replays';

export type ListedReplay = {
  id: string;
  state: ReplayState;
  filter: ReplayFilter;
  per_second: number;
  matched: number;
  replayed: number;
  requested_by: string;
  created_at: string;
  finished_at: string | null;
  total: number;
};

/** Returns the replays of the caller's merchant and environment, latest first. `total` is the number of all of them. */
export const listReplays = (limitRows: number, offset: number): Statement<ListedReplay> => ({
  name: 'list_replays',
  text: `
    select id, state, filter, per_second, matched, replayed, requested_by, created_at, finished_at,
      (count(*) over ())::int as total
    from webhook_replay
    where merchant_id = app.merchant_id() and environment = app.environment()
    order by id desc limit $1 offset $2`,
  values: [limitRows, offset],
});
