/**
 * SQL that is true for entries after the place of a cursor, and for all if the parameter is null. `keys` are the columns by
 * which a list is ordered, each with its type; all are ordered alike.
 */
export const isAfterCursor = (
  parameter: string,
  keys: Readonly<Record<string, string>>,
  order: 'asc' | 'desc' = 'desc',
): string => {
  const values = Object.values(keys).map((type, index) => `(${parameter}::jsonb ->> ${index})::${type}`);
  return `(${parameter}::jsonb is null
    or (${Object.keys(keys).join(', ')}) ${order === 'desc' ? '<' : '>'} (${values.join(', ')}))`;
};
