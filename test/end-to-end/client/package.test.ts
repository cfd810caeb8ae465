import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { merchants } from '../../../local/seed/accounts';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { infrastructure } from '../../harness/platform/infrastructure';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

const run = promisify(execFile);
const root = path.resolve(__dirname, '../../..');
const source = path.join(root, 'clients/typescript');

let platform: Platform;
let folder: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  folder = mkdtempSync(path.join(infrastructure().folder, 'client-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the generated files of the client', () => {
  it('are those that `npm run generate:client` writes now', async () => {
    const now = path.join(folder, 'generated');
    await run(process.execPath, [path.join(root, 'dist/local/generate-client.js'), now]);
    for (const file of ['operations.ts', 'types.ts']) {
      const text = readFileSync(path.join(source, 'src/generated', file), 'utf8');
      expect(text === readFileSync(path.join(now, file), 'utf8') ? 'current' : `${file} is old`).toBe(
        'current',
      );
    }
  });
});

describe('the package of the client', () => {
  let files: string[];
  /** Packs the client and installs it into a folder without anything else. */
  beforeAll(async () => {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: source });
    const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
    files = (packed?.files ?? []).map((file) => file.path);
    const place = path.join(folder, 'node_modules/@interview-platform/client');
    mkdirSync(place, { recursive: true });
    await run('tar', ['xzf', path.join(folder, packed?.filename ?? ''), '-C', place, '--strip-components=1']);
  });

  it('has the modules of both kinds with their types, and no sources', () => {
    const modules = ['call', 'client', 'credential', 'errors', 'generated/operations', 'generated/types'];
    modules.push('index', 'list', 'sync', 'transport', 'webhooks');
    const built = ['cjs', 'esm'].flatMap((kind) =>
      modules.flatMap((name) => ['d.ts', 'js'].map((ending) => `dist/${kind}/${name}.${ending}`)),
    );
    expect(files.toSorted()).toEqual(
      ['LICENSE', 'README.md', 'dist/cjs/package.json', 'package.json', ...built].toSorted(),
    );
  });

  it.each([
    ['an ES module', 'list.mjs', "import { InterviewPlatform } from '@interview-platform/client';"],
    ['CommonJS', 'list.cjs', "const { InterviewPlatform } = require('@interview-platform/client');"],
  ])('lists interviews when %s imports it', async (_kind, name, line) => {
    const serviceKey = await makeKey(platform, merchants.main.id);
    const settings = { baseUrl: platform.stack.base_url, serviceKey, merchantId: merchants.main.id };
    const program = `${line}
      const client = new InterviewPlatform(${JSON.stringify(settings)});
      (async () => {
        let count = 0;
        for await (const { id } of client.jobInterviewList({ limit: 2 })) if (id) count += 1;
        const { pagination } = await client.jobInterviewList({ limit: 1 }).page();
        console.log(JSON.stringify([count, pagination.total]));
      })();`;
    writeFileSync(path.join(folder, name), program);
    const { stdout } = await run(process.execPath, [path.join(folder, name)]);
    const [count, total] = JSON.parse(stdout) as [number, number];
    expect(total).toBeGreaterThan(4);
    expect(count).toBe(total);
  });

  it('refreshes tokens and throws the errors of the API', async () => {
    const session = await signIn(platform, 'merchant_owner');
    const program = `
      import { InterviewPlatform } from '@interview-platform/client';
      const client = new InterviewPlatform({
        baseUrl: '${platform.stack.base_url}',
        token: { refreshToken: '${session.refresh_token}', onRefresh: (next) => console.log(Object.keys(next).join()) },
      });
      await client.merchantStatus();
      await client.knowledgeBaseCreate({ name: '', text: 'x' }).catch((error) => {
        console.log([error.constructor.name, error.status, error.code, error.name].join());
      });`;
    writeFileSync(path.join(folder, 'refresh.mjs'), program);
    const { stdout } = await run(process.execPath, [path.join(folder, 'refresh.mjs')]);
    expect(stdout.trim().split('\n')).toEqual([
      'accessToken,refreshToken',
      'ValidationError,422,too_short,name',
    ]);
  });

  it('has types for projects of both kinds', async () => {
    writeFileSync(
      path.join(folder, 'types.mts'),
      `import { InterviewPlatform, webhooks, type ApiError } from '@interview-platform/client';
       const client = new InterviewPlatform({ baseUrl: '', token: '' });
       const name: string = (await client.jobInterviewGet({ position_id: '' })).name;
       await client.jobInterviewSetState({ interview_id: '', status: 'archived' });
       // @ts-expect-error: one of the two names of the id is required
       await client.jobInterviewGet({});
       // @ts-expect-error: the field does not exist
       await client.jobInterviewList({ nam: name }).page();
       export const handlers: webhooks.WebhookHandlers = { interview_result: ({ revision }) => revision + 1 };
       export const codeOf = (error: ApiError) => error.code === 'rate_limited';`,
    );
    writeFileSync(
      path.join(folder, 'types.cts'),
      `import { InterviewPlatform } from '@interview-platform/client';
       export const client = new InterviewPlatform({ baseUrl: '', token: '' });
       export const status = async (): Promise<number> => (await client.merchantStatus()).credits_interview_monthly;`,
    );
    symlinkSync(path.join(root, 'node_modules/@types'), path.join(folder, 'node_modules/@types'));
    const compilerOptions = {
      noEmit: true,
      strict: true,
      module: 'node20',
      lib: ['es2023', 'dom'],
      types: ['node'],
    };
    const project = { compilerOptions, files: ['types.mts', 'types.cts'] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
    const checked = run('npx', ['tsc', '-p', folder], { cwd: root });
    expect(await checked.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
  });
});
