import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');

/** The domains in the order in which their files are applied. The migrations that create the tables have the same order. */
const domains = [
  'platform',
  'identity',
  'interviews',
  'people',
  'results',
  'taking',
  'scoring',
  'account',
  'catalogue',
  'support',
  'reports',
  'webhooks',
  'sync',
  'agents',
];

/** These files are applied before the migrations, because columns of tables call their functions. */
const filesOfColumns = [
  'platform/sql/scope.sql',
  'results/sql/text-list.sql',
  'catalogue/sql/directory-bytes.sql',
  'catalogue/sql/session-cards.sql',
];

/** A file of SQL. The name of a migration is its file name, that of another file its path, which begins at the folder db. */
export type SchemaFile = { name: string; text: string; hash: string };

/**
 * Reads all SQL files in the order in which they are applied: what the tables need, the migrations, and then each
 * domain's functions and triggers. The rules of access come last, because they call functions of any domain.
 */
export function readSchemaFiles(): {
  beforeMigrations: SchemaFile[];
  migrations: SchemaFile[];
  afterMigrations: SchemaFile[];
} {
  const others = domains
    .flatMap((domain) => list(`${domain}/sql`))
    .filter((file) => !filesOfColumns.includes(file));
  const isAccess = (file: string) => /^access(-[a-z-]+)?\.sql$/.test(path.basename(file));
  return {
    beforeMigrations: filesOfColumns.map(read),
    migrations: list('migrations').map((file) => ({ ...read(file), name: path.basename(file) })),
    afterMigrations: [...others.filter((file) => !isAccess(file)), ...others.filter(isAccess)].map(read),
  };
}

const list = (folder: string): string[] =>
  existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder))
        .filter((file) => file.endsWith('.sql'))
        .toSorted()
        .map((file) => `${folder}/${file}`)
    : [];

function read(file: string): SchemaFile {
  const text = readFileSync(path.join(root, file), 'utf8');
  return { name: file, text, hash: createHash('sha256').update(text).digest('hex') };
}
