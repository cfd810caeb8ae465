import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/*
 * Tests the lint rules of .oxlintrc.json. The linter runs over files in a temporary folder with a copy of it.
 * walls.test.ts tests the import rules.
 */

const root = path.resolve(__dirname, '../../..');
const oxlint = path.join(root, 'node_modules/.bin/oxlint');
type Diagnostic = { code: string; filename: string };

const folder = mkdtempSync(path.join(tmpdir(), 'lint-'));
/** The rules that each file violates. A file without a violation has no entry. */
const broken = new Map<string, Set<string>>();

const write = (file: string, text: string): string => {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
  return file;
};

let probes = 0;
/** Writes a file into a folder. The linter runs only once, after all files are written. */
const probe = (place: string, text: string) => write(`${place}/zz-wall-probe-${++probes}.ts`, text);

/** Lints some files as `npm run lint` does. */
const lint = (files: string[]): Promise<{ fails: boolean; diagnostics: Diagnostic[] }> =>
  new Promise((resolve, reject) =>
    execFile(
      oxlint,
      ['--deny-warnings', '--format', 'json', ...files],
      { cwd: folder, maxBuffer: 2 ** 26 },
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
  cpSync(path.join(root, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  for (const { code, filename } of (await lint(['.'])).diagnostics) {
    const file = path.relative(folder, path.resolve(folder, filename));
    broken.set(file, (broken.get(file) ?? new Set()).add(code));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the lint rules', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `export const a${index} = 1;\n`).join('');
  const longest = (place: string, limit: number) => ({
    place,
    limit,
    file: probe(place, lines(limit)),
    over: probe(place, lines(limit + 1)),
  });

  it.each([longest('api', 300), longest('local', 300), longest('workflows', 300), longest('test/unit', 800)])(
    'accept $limit lines in $place and reject one more',
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

  const wrong = probe('api', 'export const probe = (value: any) => value;\n');
  const right = probe('api', 'export const probe = (value: string) => value;\n');
  it('make the linter exit with an error for a wrong file, and without one for a right file', async () => {
    expect(await lint([wrong])).toMatchObject({ fails: true });
    expect(await lint([right])).toMatchObject({ fails: false });
  });
});
