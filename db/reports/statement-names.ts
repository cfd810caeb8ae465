/** The maximum number of named statements. Each connection keeps a plan of about 200 KB for each name. */
const maxNames = 30;
const names = new Map<string, string>();

/**
 * Returns a name for a statement that reads sums by day. Connections prepare a named statement only once, which saves
 * time because planning it takes longer than running it. Only the first `maxNames` texts of a process get names; for
 * other texts, returns undefined. Statements that read single attempts must not have names, because one plan for all
 * periods would be slow for some of them.
 */
export function statementName(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= maxNames) return name;
  names.set(text, `report_sums_${names.size + 1}`);
  return names.get(text);
}
