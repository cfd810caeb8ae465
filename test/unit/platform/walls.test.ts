import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/*
 * Tests the import rules between folders (docs/architecture.md, .dependency-cruiser.cjs). They run once, over files in a
 * temporary folder that import one thing each.
 */

const root = path.resolve(__dirname, '../../..');
const depcruise = path.join(root, 'node_modules/.bin/depcruise');
const { forbidden } = require('../../../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };

const folder = mkdtempSync(path.join(tmpdir(), 'walls-'));
/** The rules that each file violates. A file without a violation has no entry. */
const broken = new Map<string, string[]>();
const rulesOf = (file: string) => broken.get(file) ?? [];

/** Writes a file unless it exists. */
const write = (file: string, text: string): string => {
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  if (!existsSync(full)) writeFileSync(full, text);
  return file;
};

/** Writes what a probe imports: a file beside it, or a package. Modules of Node.js exist. */
const writeTarget = (from: string, target: string): void => {
  if (target.startsWith('.')) write(path.join(from, `${target}.ts`), 'export const probe = 1;\n');
  else if (!isBuiltin(target)) write(`node_modules/${target}/index.js`, 'module.exports = {};\n');
};

let probes = 0;
/** Writes a file into a folder. */
const probe = (from: string, target: string, text: (target: string) => string): string => {
  writeTarget(from, target);
  return write(`${from}/wall-probe-${++probes}.ts`, text(target));
};
const importOf = (target: string) =>
  `import { probe } from '${target}';\n\nexport const use = () => probe;\n`;
const typeImportOf = (target: string) =>
  `import type { Probe } from '${target}';\n\nexport type Use = { probe: Probe };\n`;
const exportOf = (target: string) => `export { probe } from '${target}';\n`;
const dynamicImportOf = (target: string) => `export const use = () => import('${target}');\n`;

const outside = ['../../local/start', '../../bench/api', '../../test/harness/platform/database'];

/**
 * For files of each folder: imports that must be rejected, also of types (`wrong`), imports that must be accepted
 * (`right`), and imports that are accepted for types only.
 */
const walls: { from: string; wrong: string[]; right: string[]; typesOnly?: string[] }[] = [
  {
    from: 'api',
    wrong: [
      '../activities/main',
      '../local/start',
      '../bench/api',
      '../test/harness/platform/database',
      'knex',
      'openai',
    ],
    right: [
      '../db/platform/scope',
      '../workflows/ids',
      './platform/http/authenticate',
      'express',
      '@temporalio/client',
    ],
    typesOnly: ['../workflows/interview-creation'],
  },
  {
    from: 'api/webhooks',
    wrong: [
      ...outside,
      '../../activities/webhooks/webhooks',
      '../results/result-page',
      '../../db/results/results',
      '../../db/scoring/runs',
      'knex',
      'pg',
      'openai',
      '@sendgrid/mail',
    ],
    right: [
      './webhook-fields',
      '../platform/http/bind-operation',
      '../results/public',
      '../../db/webhooks/replays',
      '../../db/platform/scope',
      '../../db/people/public',
      '../../workflows/ids',
      '../deps',
    ],
    typesOnly: ['../../workflows/interview-creation'],
  },
  {
    from: 'api/platform/http',
    wrong: [
      '../../webhooks/replays-page',
      '../../../db/people/mails',
      '../../../activities/main',
      '../../../local/settings',
      'knex',
      'pg',
      'openai',
    ],
    right: ['../operation/api-error', '../../people/public', '../../../db/platform/tokens', 'express'],
  },
  {
    from: 'api/platform/text',
    wrong: [
      'express',
      'knex',
      '../http/bind-operation',
      '../../../db/platform/scope',
      '../../../workflows/ids',
    ],
    right: ['zod', 'node:url', './one-line', '../operation/error-codes', '../../../db/platform/vocabulary'],
  },
  {
    from: 'workflows',
    wrong: ['../local/start'],
    right: ['@temporalio/workflow', '@temporalio/common', './policies'],
    typesOnly: [
      'zod',
      'node:fs',
      'fs',
      'crypto',
      'knex',
      'pg',
      'luxon',
      'express',
      '@temporalio/client',
      '@temporalio/worker',
      '@temporalio/activity',
      '../activities/interviews/interviews',
      '../db/platform/vocabulary',
    ],
  },
  {
    from: 'activities',
    wrong: [
      '../api/app',
      '../api/platform/http/metrics',
      '../local/seed',
      '../bench/api',
      'knex',
      'pg',
      'express',
    ],
    right: [
      '../db/people/mails',
      './people/invitations',
      '../workflows/ids',
      '../api/platform/text/html',
      '@temporalio/worker',
    ],
    typesOnly: ['../workflows/interview-creation'],
  },
  {
    from: 'activities/webhooks/sender',
    wrong: [
      '../../../api/operations',
      '../../../api/webhooks/webhook-fields',
      '../../people/invitations',
      '../../../db/people/mails',
      '../../../local/seed',
      'pg',
      'express',
    ],
    right: [
      '../../../db/webhooks/deliveries',
      '../../../db/platform/scope',
      '../../../api/webhooks/public',
      '../../../api/webhooks/webhook-headers',
      '../../../api/webhooks/webhook-samples',
      '../../../api/platform/text/one-line',
      '../../../workflows/ids',
      '../../providers/webhook-post',
      '../../platform/loop',
    ],
  },
  {
    from: 'activities/providers',
    wrong: ['knex', 'pg', 'express', '@temporalio/client'],
    right: ['openai', '@sendgrid/mail', 'undici', './openai', '../../api/platform/text/one-line'],
    typesOnly: ['../../db/platform/scope', '../../workflows/ids', '../platform/loop'],
  },
  {
    from: 'db/webhooks',
    wrong: [
      ...outside,
      '../../activities/main',
      '../../workflows/ids',
      '../../api/webhooks/public',
      '../../api/platform/text/one-line',
      '../results/results',
      '../scoring/runs',
      'express',
      'openai',
      '@temporalio/client',
      'pino',
    ],
    right: ['./replays', '../platform/scope', '../people/public', 'knex', 'pg', 'zod', 'jose', 'node:crypto'],
  },
  {
    from: 'db/platform',
    wrong: ['../webhooks/replays', '../../api/config', 'express'],
    right: ['./scope', '../identity/public', 'pg', '@aws-sdk/client-s3'],
  },
  ...['api', 'activities', 'db'].map((layer) => ({
    from: `${layer}/new-domain`,
    wrong: ['../webhooks/replays', '../newer-domain/file', '../../db/newer-domain/file'],
    right: ['./file', '../platform/loop', '../newer-domain/public', '../../db/new-domain/file'],
  })),
];

let fails = false;

beforeAll(async () => {
  cpSync(path.join(root, '.dependency-cruiser.cjs'), path.join(folder, '.dependency-cruiser.cjs'));
  const report = await new Promise<string>((resolve) =>
    execFile(
      depcruise,
      ['--output-type', 'err', 'api', 'db', 'activities', 'workflows'],
      { cwd: folder, maxBuffer: 2 ** 24 },
      (error, stdout, stderr) => {
        fails = error !== null;
        resolve(stdout + stderr);
      },
    ),
  );
  for (const [, rule = '', file = ''] of report.matchAll(/error ([a-z-]+): (\S+) → /g))
    broken.set(file, [...rulesOf(file), rule]);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const rejected: string[] = [];

describe.each(walls)('the import rules of $from', ({ from, wrong, right, typesOnly = [] }) => {
  /** Writes a probe per target, and returns what finds the targets whose probes are or are not accepted. */
  const probesOf = (targets: string[], text: (target: string) => string) => {
    const files = targets.map((target) => ({ target, file: probe(from, target, text) }));
    const those = (accepted: boolean) => () =>
      files.filter(({ file }) => (rulesOf(file).length === 0) === accepted).map(({ target }) => target);
    return { files, accepted: those(true), rejected: those(false) };
  };
  const values = probesOf([...wrong, ...typesOnly], importOf);
  rejected.push(...values.files.map(({ file }) => file));
  const exported = probesOf([...wrong, ...typesOnly], exportOf);
  const dynamic = probesOf([...wrong, ...typesOnly], dynamicImportOf);
  const types = probesOf(wrong, typeImportOf);
  const allowed = probesOf(right, importOf);
  const allowedTypes = probesOf(typesOnly, typeImportOf);

  it('reject forbidden imports and exports', () => {
    expect([values.accepted(), exported.accepted(), dynamic.accepted()]).toEqual([[], [], []]);
  });

  it('reject forbidden imports of types', () => {
    expect(types.accepted()).toEqual([]);
  });

  it('accept allowed imports', () => {
    expect([allowed.rejected(), allowedTypes.rejected()]).toEqual([[], []]);
  });
});

describe('the import rules', () => {
  const lost = write('api/lost.ts', importOf('./nowhere'));
  rejected.push(lost);

  it.each(forbidden)('include $name, which rejects what no other rule does', ({ name }) => {
    expect(rejected.map(rulesOf)).toContainEqual([name]);
  });

  it('make `npm run lint` fail', () => {
    expect(fails).toBe(true);
  });
});
