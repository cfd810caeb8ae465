import type { Client } from 'pg';
import { emailKey } from '../people/public';
import type { PersonWithRole } from '../platform/credentials';
import { hashSecret } from '../platform/tokens';
import type { Role } from '../platform/vocabulary';

/* The statements of `npm run token` and `npm run create-admin`, which connect as the database's administrator. */

/**
 * Ends a session or revokes a service key. `text` is the id of either, or the key itself. Returns false if there is
 * neither.
 */
export async function revokeCredential(client: Client, text: string): Promise<boolean> {
  const sessions = await client.query('update session set revoked_at = now() where id::text = $1', [text]);
  const keys = await client.query(
    'update service_key set revoked_at = coalesce(revoked_at, now()) where id::text = $1 or hash = $2',
    [text, hashSecret(text)],
  );
  return sessions.rowCount === 1 || keys.rowCount === 1;
}

/** Returns true if the person's profile still exists. */
export async function personExists(client: Client, { id }: PersonWithRole): Promise<boolean> {
  return (await client.query('select from profile where id = $1', [id])).rowCount === 1;
}

/** Returns the oldest enabled profile that has the role at the merchant. `merchantId` is null for platform admins. */
export async function findPersonWithRole(
  client: Client,
  role: Role,
  merchantId: string | null,
): Promise<PersonWithRole | undefined> {
  const { rows } = await client.query<PersonWithRole>(
    `select id, merchant_id as "merchantId", role from profile
     where role = $1 and merchant_id::text is not distinct from $2 and disabled_at is null order by created_at, id limit 1`,
    [role, merchantId],
  );
  return rows[0];
}

/**
 * Creates the first admin of an installation. Returns undefined if it already has an admin, even a disabled one. Throws if the address belongs
 * to another account.
 */
export async function makeFirstAdmin(client: Client, email: string): Promise<PersonWithRole | undefined> {
  // Of two commands at the same time, the second one finds the admin of the first.
  await client.query(`select pg_advisory_lock(hashtextextended('create the first admin', 0))`);
  const { rows: admins } = await client.query(`select from profile where role = 'admin' limit 1`);
  if (admins.length > 0) return undefined;
  const { rows } = await client.query<PersonWithRole>(
    `insert into profile (role, email, email_key, name, activated_at) values ('admin', $1, $2, $1, now())
     on conflict do nothing returning id, merchant_id as "merchantId", role`,
    [email, emailKey(email)],
  );
  if (!rows[0]) throw new Error('An account with this email address exists. Use another address.');
  return rows[0];
}
