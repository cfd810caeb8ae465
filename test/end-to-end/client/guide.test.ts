import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { codeBlocks } from '../../harness/platform/guide-code';
import { infrastructure } from '../../harness/platform/infrastructure';

const run = promisify(execFile);
const root = path.resolve(__dirname, '../../..');
const pages = readdirSync(path.join(root, 'docs/guide')).map((file) => ({
  name: file.replace(/\.md$/, ''),
  text: readFileSync(path.join(root, 'docs/guide', file), 'utf8'),
}));
const readme = {
  name: 'readme',
  text: readFileSync(path.join(root, 'clients/typescript/README.md'), 'utf8'),
};

/** What the pages take as given: the clients of other pages, and values of the reader. */
const given = `import type { InterviewPlatform, JobInterviewCreateBody } from '@interview-platform/client';
declare global {
  const client: InterviewPlatform;
  const me: InterviewPlatform;
  const interview: JobInterviewCreateBody;
  const definition: Record<string, unknown>;
  const person: string;
}
`;

describe('the examples in TypeScript', () => {
  it('compile, each page as one program', async () => {
    const folder = mkdtempSync(path.join(infrastructure().folder, 'examples-'));
    const programs = [...pages, readme]
      .map(({ name, text }) => ({ name, code: codeBlocks(text, 'ts').join('\n') }))
      .filter(({ code }) => code !== '');
    expect(programs.length).toBeGreaterThan(10);
    for (const { name, code } of programs)
      writeFileSync(path.join(folder, `${name}.ts`), `${withImportsOnce(code)}\nexport {};\n`);
    writeFileSync(path.join(folder, 'given.d.ts'), given);
    writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const compilerOptions = {
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      module: 'node20',
      target: 'es2023',
      types: ['node'],
      skipLibCheck: true,
      paths: { '@interview-platform/client': [path.join(root, 'clients/typescript/src/index.ts')] },
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const checked = run('npx', ['tsc', '-p', folder], { cwd: root });
    expect(await checked.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
    rmSync(folder, { recursive: true });
  });
});

/** A page repeats an import where a block can be read alone. */
const withImportsOnce = (code: string): string => {
  const lines = code.split('\n');
  return lines
    .filter((line, index) => !line.startsWith('import ') || lines.indexOf(line) === index)
    .join('\n');
};
