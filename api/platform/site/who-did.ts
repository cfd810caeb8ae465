import type { AuditEntry } from '../../../db/platform/audit';
import { oneLine } from '../text/one-line';
import { roleNames } from './layout';

/** Returns the name of the person or key that acted, with the role, and the agent through which they acted. */
export function whoDid({
  actor_name,
  actor_role,
  agent,
}: Pick<AuditEntry, 'actor_name' | 'actor_role'> & { agent?: string | null }): string {
  const role = roleNames[actor_role] ?? actor_role;
  const by = agent ? ` through ${oneLine(agent)}` : '';
  if (actor_name !== null) return `${oneLine(actor_name)} (${role})${by}`;
  return `${actor_role === 'merchant_owner' || actor_role === 'merchant' ? `Operator (${role})` : role}${by}`;
}
