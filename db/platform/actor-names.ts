import type { Statement } from './statement';

type ActorName = { id: string; name: string };

/**
 * Returns the names of those people and keys of the caller's merchant whose id is in the list. Operators and platform
 * keys are left out.
 */
export const listActorNames = (ids: readonly string[]): Statement<ActorName> => ({
  name: 'list_actor_names',
  text: `
    select p.id, coalesce(p.name, p.email) as name from profile p
    where p.id = any ($1) and p.merchant_id = app.merchant_id()
    union all
    select k.id, 'key ' || coalesce(k.name, 'without a name') from service_key k
    where k.id = any ($1) and k.merchant_id = app.merchant_id()`,
  values: [ids],
});
