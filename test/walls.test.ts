import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/*
 * The walls between folders (docs/architecture.md) are lint rules. The probes are files of a temporary folder with a copy of
 * .oxlintrc.json. The rules are groups and not `regex`, because oxlint's regular expressions have no look-ahead.
 */

const root = path.resolve(__dirname, '..');
const oxlint = path.join(root, 'node_modules/.bin/oxlint');
type Diagnostic = { code: string; filename: string };

const house = mkdtempSync(path.join(tmpdir(), 'walls-'));
/** Rules that each file breaks; a file that breaks none is not in it. */
const broken = new Map<string, Set<string>>();

const write = (file: string, text: string): string => {
  mkdirSync(path.join(house, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(house, file), text);
  return file;
};

let probes = 0;
/** A file of the room with this text; each test writes its own before anything is linted. */
const probe = (room: string, text: string) => write(`${room}/zz-wall-probe-${++probes}.ts`, text);

/** `npm run lint` of some files. */
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

/** Room, what it must not import, what it may, and what it may know the types of only. */
const walls: { room: string; wrong: string[]; right: string[]; typesOnly?: string[] }[] = [
  {
    room: 'api',
    wrong: [
      '../activities/interviews',
      '../local/start',
      '../bench/api',
      '../test/harness/database',
      'knex',
      'openai',
    ],
    right: ['../db/scope', '../workflows/ids', './http/authenticate', 'express', '@temporalio/client'],
    typesOnly: ['../workflows/interview-creation'],
  },
  {
    room: 'api/contracts',
    wrong: [
      'express',
      'knex',
      'node:fs',
      'zod-openapi',
      '../http/bind-operation',
      '../operations/all',
      '../config',
      '../../db/scope',
      '../../workflows/ids',
      '../../activities/interviews',
    ],
    right: ['zod', './vocabulary'],
  },
  {
    room: 'api/http',
    wrong: [
      '../operations/all',
      '../console/keys',
      '../portal/take',
      '../../db/interviews',
      '../../db/pool',
      '../../workflows/ids',
      '../../activities/interviews',
      '../../local/settings',
      'knex',
      'pg',
      'openai',
      '@temporalio/client',
    ],
    right: [
      '../contracts/api-error',
      '../config',
      '../../db/scope',
      '../../db/tokens',
      '../../db/sealed',
      '../../db/idempotency',
      'express',
    ],
  },
  {
    room: 'api/operations',
    wrong: [
      '../../activities/interviews',
      '../../activities/providers/openai',
      '../../local/seed',
      '../../bench/api',
      '../../test/harness/platform',
      '../console/keys',
      'knex',
      'pg',
      'openai',
      '@sendgrid/mail',
    ],
    right: ['../contracts/question', '../http/bind-operation', '../../db/interviews', '../../workflows/ids'],
    typesOnly: ['../../workflows/interview-creation'],
  },
  {
    room: 'api/console',
    wrong: ['../../activities/interviews', '../../workflows/interview-creation', 'pg', '../../local/seed'],
    right: ['../operations/job-interview-get', '../contracts/question', '../../db/interviews'],
  },
  {
    room: 'api/portal',
    wrong: ['../../activities/interviews', '../../workflows/interview-creation', 'pg', '../../local/seed'],
    right: ['../operations/job-interview-get', '../contracts/question', '../../db/interviews'],
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
    typesOnly: ['../activities/interviews', '../api/contracts/vocabulary', '../db/steps'],
  },
  {
    room: 'activities',
    wrong: [
      '../api/http/authenticate',
      '../api/operations/all',
      '../api/app',
      '../local/seed',
      '../bench/api',
      '../test/harness/database',
      'knex',
      'pg',
      'express',
    ],
    right: [
      '../db/steps',
      '../api/contracts/vocabulary',
      '../workflows/ids',
      './providers/openai',
      '@temporalio/activity',
    ],
    typesOnly: ['../workflows/interview-creation'],
  },
  {
    room: 'activities/sender',
    wrong: ['../../api/operations/all', '../../local/seed', 'pg'],
    right: ['../../db/scope', '../../workflows/ids', '../providers/webhook-post', '@temporalio/client'],
  },
  {
    room: 'activities/providers',
    wrong: ['knex', 'pg', 'express', '@temporalio/client'],
    right: ['openai', '@sendgrid/mail', 'undici', './openai'],
    typesOnly: ['../../db/scope', '../prompts', '../../workflows/ids'],
  },
  {
    room: 'db',
    wrong: [
      '../activities/interviews',
      '../workflows/ids',
      '../api/http/authenticate',
      '../api/config',
      '../local/settings',
      '../bench/api',
      '../test/harness/database',
      'express',
      'openai',
      '@temporalio/client',
      'pino',
    ],
    right: ['./scope', 'knex', 'pg', 'zod', 'jose', 'node:crypto', '../api/contracts/vocabulary'],
  },
  {
    room: 'db/reports',
    wrong: ['../../activities/interviews', '../../api/operations/all', 'express'],
    right: ['../scope', '../../api/contracts/vocabulary'],
  },
];

const wallRule = 'eslint(no-restricted-imports)';

describe.each(walls)('$room', ({ room, wrong, right, typesOnly = [] }) => {
  const files = (targets: string[], text: (target: string) => string) =>
    targets.map((target) => ({ target, file: probe(room, text(target)) }));

  it.each(files([...wrong, ...typesOnly], importOf))('import of $target: fails the check', ({ file }) => {
    expect(rulesOf(file)).toEqual([wallRule]);
  });

  const exported = probe(room, `export { probe } from '${wrong[0]}';\n`);
  it('export from behind a wall: fails the check', () => {
    expect(rulesOf(exported)).toEqual([wallRule]);
  });

  it.each([...files(right, importOf), ...files(typesOnly, typeImportOf)])(
    '$target, which it may know: passes',
    ({ file }) => {
      expect(rulesOf(file)).toEqual([]);
    },
  );
});

describe('files', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `export const a${index} = 1;\n`).join('');
  const longest = (room: string, limit: number) => ({
    room,
    limit,
    file: probe(room, lines(limit)),
    over: probe(room, lines(limit + 1)),
  });

  it.each([longest('api', 250), longest('local', 250), longest('workflows', 250), longest('test/api', 400)])(
    'of $room over $limit lines: fail the check, at it they pass',
    ({ file, over }) => {
      expect(rulesOf(file)).toEqual([]);
      expect(rulesOf(over)).toEqual(['eslint(max-lines)']);
    },
  );

  const one = write('api/one.ts', `import { two } from './two';\n\nexport const one = () => two();\n`);
  const two = write('api/two.ts', `import { one } from './one';\n\nexport const two = () => one();\n`);
  it('that import each other: fail the check', () => {
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
  )('with $what: fail the check', ({ file, rule }) => {
    expect(rulesOf(file)).toEqual([rule]);
  });

  const wrong = probe('api/contracts', importOf('express'));
  const right = probe('api/contracts', importOf('zod'));
  it('one that breaks a wall: the linter exits with an error, else not', async () => {
    expect(await lint([wrong])).toMatchObject({ fails: true });
    expect(await lint([right])).toMatchObject({ fails: false });
  });
});
