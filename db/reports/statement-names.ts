/** Each connection keeps the plans of all names, of about 200 KB each. */
const maxNames = 30;
const names = new Map<string, string>();

/**
 * Returns the name of a statement of sums by day, which a connection then prepares once instead of each time. Planning it
 * takes longer than running it. The first texts of a process get names; undefined for all others. Statements over
 * attempts have no names, because a plan for any period can be slow for a long one.
 */
export function statementName(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= maxNames) return name;
  names.set(text, `report_sums_${names.size + 1}`);
  return names.get(text);
}
