import type { Issue } from './issue';

export type Repair = Pick<Issue, 'code' | 'path' | 'suggestion' | 'valid'>;
type Key = string | number;

/** Reads the path of an issue, such as `blocks[1].measures[0]["a b"]`. */
function readPath(text: string): Key[] {
  const parts = text.match(/\[\d+\]|\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/g) ?? [];
  return parts.map((part) => (part.startsWith('[') ? (JSON.parse(part.slice(1, -1)) as Key) : part));
}

/**
 * Returns a copy in which the value at the issue's path is replaced with the suggestion, or else with the first valid
 * value. If the issue has neither, the value is deleted. Objects outside of the path are shared, because they may be
 * too deep to copy.
 */
export const applyRepair = (value: unknown, issue: Repair): unknown =>
  applyAt(value, readPath(issue.path), issue);

function applyAt(value: unknown, [key, ...rest]: readonly Key[], issue: Repair): unknown {
  if (key === undefined) return issue.suggestion ?? issue.valid[0];
  if (typeof value !== 'object' || value === null) return value;
  const entries = Array.isArray(value) ? new Map(value.entries()) : new Map(Object.entries(value));
  const map = entries as Map<Key, unknown>;
  if (rest.length > 0) map.set(key, applyAt(map.get(key), rest, issue));
  else if (issue.code === 'unknown_key' && issue.suggestion !== undefined) {
    map.set(issue.suggestion as string, map.get(key));
    map.delete(key);
  } else if (issue.suggestion !== undefined) map.set(key, issue.suggestion);
  else if (issue.valid.length > 0) map.set(key, issue.valid[0]);
  else map.delete(key);
  return Array.isArray(value) ? [...map.values()] : Object.fromEntries(map);
}
