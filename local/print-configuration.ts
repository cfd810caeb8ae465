import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { workerVariables } from '../activities/config';
import { apiVariables } from '../api/config';
import { liveVariables } from '../api/live/config';
import { migrateVariables } from '../db/platform/migrate-command';

/*
 * `node dist/local/print-configuration.js` prints the tables of docs/configuration.md. With the name of a file as its
 * argument, the command replaces the tables between the markers in that file instead.
 */

export const processVariables: Record<string, z.ZodObject> = {
  api: apiVariables,
  live: liveVariables,
  worker: workerVariables,
  migrate: migrateVariables,
};

const start = (name: string) => `<!-- configuration:${name} -->`;
const end = '<!-- /configuration -->';

/** Returns the variables of a process as a Markdown table. */
export function renderTable(variables: z.ZodObject): string {
  return [
    '| variable | default | meaning |',
    '|---|---|---|',
    ...Object.entries(variables.shape).map(
      ([name, schema]) =>
        `| \`${name}\` | ${describeDefault(schema)} | ${z.globalRegistry.get(schema)?.description ?? ''} |`,
    ),
  ].join('\n');
}

/** Returns the text with a new table between each pair of markers. Throws when a marker is missing. */
export function fillMarkers(text: string): string {
  return Object.entries(processVariables).reduce((filled, [name, variables]) => {
    const from = filled.indexOf(start(name));
    const to = filled.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`${start(name)} … ${end} is missing.`);
    return `${filled.slice(0, from)}${start(name)}\n${renderTable(variables)}\n${filled.slice(to)}`;
  }, text);
}

function describeDefault(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodOptional) return 'unset';
  if (!(schema instanceof z.ZodDefault)) return 'required';
  const value = String(schema.def.defaultValue);
  return value === '' ? 'empty' : `\`${value}\``;
}

if (require.main === module) {
  const [file] = process.argv.slice(2);
  if (file !== undefined) writeFileSync(file, fillMarkers(readFileSync(file, 'utf8')));
  else
    for (const [name, variables] of Object.entries(processVariables))
      console.log(`${start(name)}\n${renderTable(variables)}\n${end}\n`);
}
