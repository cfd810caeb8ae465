import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/*
 * Tests the import rules between folders (docs/architecture.md), which are lint rules. The tests lint files in a
 * temporary folder with a copy of .oxlintrc.json. The rules use `group`, because oxlint's `regex` has no look-ahead.
 */

const root = path.resolve(__dirname, '../../..');
const oxlint = path.join(root, 'node_modules/.bin/oxlint');
type Diagnostic = { code: string; filename: string };

const house = mkdtempSync(path.join(tmpdir(), 'walls-'));
/** The rules that each file violates. A file without a violation has no entry. */
const broken = new Map<string, Set<string>>();

const write = (file: string, text: string): string => {
  mkdirSync(path.join(house, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(house, file), text);
  return file;
};

let probes = 0;
/** Writes a file into this folder (`room`). The linter runs only once, after all files are written. */
const probe = (room: string, text: string) => write(`${room}/zz-wall-probe-${++probes}.ts`, text);

/** Lints some files as `npm run lint` does. */
const lint = (files: string[]): Promise<{ fails: boolean; diagnostics: Diagnostic[] }> =>
  new Promise((resolve, reject) =>
    execFile(
      oxlint,
      ['--deny-warnings', '--format', 'json', ...files],
      { cwd: house, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        try {
          const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
          resolve({ fails: error !== null, diagnostics });
        } catch {
          reject(new Error(`oxlint: ${stdout}${stderr}`));
        }
      },
    ),
  );
const rulesOf = (file: string) => [...(broken.get(file) ?? [])];

beforeAll(async () => {
  cpSync(path.join(root, '.oxlintrc.json'), path.join(house, '.oxlintrc.json'));
  for (const { code, filename } of (await lint(['.'])).diagnostics) {
    const file = path.relative(house, path.resolve(house, filename));
    broken.set(file, (broken.get(file) ?? new Set()).add(code));
  }
});
afterAll(() => rmSync(house, { recursive: true }));

const importOf = (target: string) =>
  `import { probe } from '${target}';\n\nexport const use = () => probe();\n`;
const typeImportOf = (target: string) =>
  `import type { Probe } from '${target}';\n\nexport type Use = { probe: Probe };\n`;

const outside = ['../../local/start', '../../bench/api', '../../test/harness/platform/database'];

/**
 * For each folder (`room`): imports that must be rejected (`wrong`), imports that must be accepted (`right`), and
 * imports that are accepted for types only.
 */
const walls: { room: string; wrong: string[]; right: string[]; typesOnly?: string[] }[] = [
  {
    room: 'api',
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
    room: 'api/webhooks',
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
    room: 'api/platform/http',
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
    room: 'api/platform/text',
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
    room: 'workflows',
    wrong: [
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
    ],
    right: ['@temporalio/workflow', '@temporalio/common', './policies'],
    typesOnly: ['../activities/interviews/interviews', '../db/platform/vocabulary'],
  },
  {
    room: 'activities',
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
    room: 'activities/webhooks/sender',
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
    room: 'activities/providers',
    wrong: ['knex', 'pg', 'express', '@temporalio/client', '../../db/platform/pool'],
    right: ['openai', '@sendgrid/mail', 'undici', './openai', '../../api/platform/text/one-line'],
    typesOnly: ['../../db/platform/scope', '../../workflows/ids'],
  },
  {
    room: 'db/webhooks',
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
    room: 'db/platform',
    wrong: ['../webhooks/replays', '../../api/config', 'express'],
    right: ['./scope', '../identity/public', 'pg', '@aws-sdk/client-s3'],
  },
];

const wallRule = 'eslint(no-restricted-imports)';

describe.each(walls)('the lint rules of $room', ({ room, wrong, right, typesOnly = [] }) => {
  const files = (targets: string[], text: (target: string) => string) =>
    targets.map((target) => ({ target, file: probe(room, text(target)) }));

  it.each(files([...wrong, ...typesOnly], importOf))('reject an import of $target', ({ file }) => {
    expect(rulesOf(file)).toEqual([wallRule]);
  });

  const exported = probe(room, `export { probe } from '${wrong[0]}';\n`);
  it('reject an export from a forbidden file', () => {
    expect(rulesOf(exported)).toEqual([wallRule]);
  });

  it.each([...files(right, importOf), ...files(typesOnly, typeImportOf)])('accept $target', ({ file }) => {
    expect(rulesOf(file)).toEqual([]);
  });
});

describe('the lint rules of files', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `export const a${index} = 1;\n`).join('');
  const longest = (room: string, limit: number) => ({
    room,
    limit,
    file: probe(room, lines(limit)),
    over: probe(room, lines(limit + 1)),
  });

  it.each([longest('api', 300), longest('local', 300), longest('workflows', 300), longest('test/unit', 300)])(
    'accept $limit lines in $room and reject one more',
    ({ file, over }) => {
      expect(rulesOf(file)).toEqual([]);
      expect(rulesOf(over)).toEqual(['eslint(max-lines)']);
    },
  );

  const first = write('api/first.ts', `import type { B } from './second';\n\nexport type A = { b: B };\n`);
  const second = write('api/second.ts', `import type { A } from './first';\n\nexport type B = { a: A };\n`);
  it('reject files that import types of each other', () => {
    expect([...rulesOf(first), ...rulesOf(second)]).toContain('import(no-cycle)');
  });

  const one = write('api/one.ts', `import { two } from './two';\n\nexport const one = () => two();\n`);
  const two = write('api/two.ts', `import { one } from './one';\n\nexport const two = () => one();\n`);
  it('reject files that import each other', () => {
    expect([...rulesOf(one), ...rulesOf(two)]).toContain('import(no-cycle)');
  });

  it.each(
    [
      ['any', 'export const probe = (value: any) => value;\n', 'typescript(no-explicit-any)'],
      ['!', 'export const probe = (value?: string) => value!.length;\n', 'typescript(no-non-null-assertion)'],
      [
        'an import of a type as a value',
        `import { Probe } from './probe';\n\nexport type Use = Probe;\n`,
        'typescript(consistent-type-imports)',
      ],
    ].map(([what = '', text = '', rule = '']) => ({ what, rule, file: probe('api', text) })),
  )('reject $what', ({ file, rule }) => {
    expect(rulesOf(file)).toEqual([rule]);
  });

  const wrong = probe('api/platform/text', importOf('express'));
  const right = probe('api/platform/text', importOf('zod'));
  it('make the linter exit with an error for a forbidden import, and without one for an allowed import', async () => {
    expect(await lint([wrong])).toMatchObject({ fails: true });
    expect(await lint([right])).toMatchObject({ fails: false });
  });
});
