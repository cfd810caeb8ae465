/** The maximum number of named statements. Each connection keeps a plan of about 200 KB for each name. */
const maxNames = 30;
const names = new Map<string, string>();

/**
 * Returns a name for a statement that reads sums by day. Connections prepare a named statement only once, which saves
 * time because planning it takes longer than running it. Only the first `maxNames` texts of a process get names;
 * others get undefined. Statements over attempts get no names, because a plan for any period can be slow for a long
 * period.
 */
export function statementName(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= maxNames) return name;
  names.set(text, `report_sums_${names.size + 1}`);
  return names.get(text);
}
