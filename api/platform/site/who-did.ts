import type { AuditEntry } from '../../../db/platform/audit';
import { oneLine } from '../text/one-line';
import { roleNames } from './layout';

/** Returns the name of the person or key that acted, with the role. */
export function whoDid({ actor_name, actor_role }: Pick<AuditEntry, 'actor_name' | 'actor_role'>): string {
  const role = roleNames[actor_role] ?? actor_role;
  if (actor_name !== null) return `${oneLine(actor_name)} (${role})`;
  return actor_role === 'merchant_owner' || actor_role === 'merchant' ? `Operator (${role})` : role;
}
