import type { Client } from 'pg';
import { emailKey } from '../people/public';
import type { Person } from '../platform/credentials';
import type { Role } from '../platform/vocabulary';

/* The statements of `npm run token`, which connects as the database's administrator. */

/** Ends a session. Returns false if no session has this id. */
export async function revokeSession(client: Client, sessionId: string): Promise<boolean> {
  const revoked = await client.query('update session set revoked_at = now() where id::text = $1', [
    sessionId,
  ]);
  return revoked.rowCount === 1;
}

/** Returns true if the person's profile still exists. */
export async function isThere(client: Client, { id }: Person): Promise<boolean> {
  return (await client.query('select from profile where id = $1', [id])).rowCount === 1;
}

/** Returns the oldest enabled profile that has the role at the merchant. `merchantId` is null for platform admins. */
export async function findPersonWithRole(
  client: Client,
  role: Role,
  merchantId: string | null,
): Promise<Person | undefined> {
  const { rows } = await client.query<Person>(
    `select id, merchant_id as "merchantId", role from profile
     where role = $1 and merchant_id::text is not distinct from $2 and disabled_at is null order by created_at, id limit 1`,
    [role, merchantId],
  );
  return rows[0];
}

/** Creates the first admin of a deployment. Returns undefined if the deployment already has an admin. */
export async function makeFirstAdmin(client: Client, email: string): Promise<Person | undefined> {
  const { rows } = await client.query<Person>(
    `insert into profile (role, email, email_key, name, activated_at) select 'admin', $1, $2, $1, now()
     where not exists (select from profile where role = 'admin' and disabled_at is null)
     returning id, merchant_id as "merchantId", role`,
    [email, emailKey(email)],
  );
  return rows[0];
}
