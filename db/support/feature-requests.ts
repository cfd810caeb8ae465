import type { Statement } from '../platform/statement';

export type FeatureRequestStatus = 'pending' | 'posted';

/** Lists the names of the caller's home company and of the company that the caller acts for. */
export const listOwnCompanies: Statement<{ name: string }> = {
  name: 'list_own_companies',
  text: 'select name from app.list_own_companies() as name',
};

/**
 * Stores the request in the caller's name. Does nothing when the id exists. The request may be posted to the board
 * until the given number of milliseconds has passed.
 */
export const insertFeatureRequest = (request: {
  id: string | null;
  title: string;
  description: string;
  remaining_ms: number;
}): Statement<{ id: string }> => ({
  name: 'insert_feature_request',
  text: `
    insert into feature_request (id, title, description, deadline_at)
    values (
      coalesce($1::uuid, uuidv7()), $2, $3, clock_timestamp() + $4::double precision * interval '1 millisecond'
    )
    on conflict do nothing returning id`,
  values: [request.id, request.title, request.description, request.remaining_ms],
});

/** Returns the request's status, or no row when it does not exist or was discarded. */
export const findFeatureRequestStatus = (id: string): Statement<{ status: FeatureRequestStatus }> => ({
  name: 'find_feature_request_status',
  text: 'select status from feature_request where id = $1',
  values: [id],
});

/** Discards a feature request that is not posted yet. Call it when the API request or the workflow ends. */
export const discardFeatureRequest = (id: string): Statement => ({
  name: 'discard_feature_request',
  text: `delete from feature_request where id = $1 and status = 'pending'`,
  values: [id],
});

export type OpenFeatureRequest = {
  status: FeatureRequestStatus;
  post_id: string | null;
  title: string;
  description: string;
  author_email: string;
  author_name: string | null;
  /**
   * The ids of the person's latest posts on the board that are already assigned to requests. A post with one of these
   * ids belongs to another request.
   */
  recorded_post_ids: string[];
  /**
   * True if an earlier request with this title may still be posted. A post with this title on the board could then
   * belong to the earlier request.
   */
  has_earlier_pending: boolean;
  /** Milliseconds until the deadline, by the database's clock. After the deadline, the request may not be posted. */
  remaining_ms: number;
};

/**
 * Returns the texts that the workflow posts and the name of the author, under which it posts the request. The post
 * never names the merchant.
 */
export const findFeatureRequest = (id: string): Statement<OpenFeatureRequest> => ({
  name: 'find_feature_request',
  text: `
    select r.status, r.post_id, r.title, r.description, p.email as author_email, p.name as author_name,
      array(
        select o.post_id from feature_request o
        where o.profile_id = r.profile_id and o.post_id is not null order by o.created_at desc limit 100
      ) as recorded_post_ids,
      exists (
        select from feature_request o
        where o.profile_id = r.profile_id and lower(o.title) = lower(r.title) and o.status = 'pending'
          and (o.created_at, o.id) < (r.created_at, r.id) and o.deadline_at > clock_timestamp()
      ) as has_earlier_pending,
      extract(epoch from r.deadline_at - clock_timestamp()) * 1000 as remaining_ms
    from feature_request r join profile p on p.id = r.profile_id
    where r.id = $1`,
  values: [id],
});

/**
 * Records which post on the board belongs to the request. Does nothing when the deadline has passed, the API request
 * has already replied, or the post belongs to another request.
 */
export const markPosted = (id: string, postId: string): Statement => ({
  name: 'mark_feature_request_posted',
  text: `
    update feature_request r set status = 'posted', post_id = $2, posted_at = now()
    where id = $1 and status = 'pending' and deadline_at > clock_timestamp()
      and not exists (select from feature_request o where o.profile_id = r.profile_id and o.post_id = $2)`,
  values: [id, postId],
});

/**
 * Deletes requests that are still pending two minutes after their deadline. They are left over if the API request
 * ended without discarding them.
 */
export const deleteAbandonedFeatureRequests: Statement = {
  text: `delete from feature_request where status = 'pending' and deadline_at < now() - interval '2 minutes'`,
};
