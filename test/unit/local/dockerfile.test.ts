import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { builtinModules } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { compose, read, root, serviceOf } from './compose.fixture';

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const [build, product, fakes, last] = lines
    .map((line, index) => (line.startsWith('FROM') ? index : -1))
    .filter((index) => index >= 0)
    .map((start, stage, starts) => lines.slice(start, starts[stage + 1]));
  const installs = (stage: string[] = []) => stage.filter((line) => /\bnpm (ci|install)\b/.test(line));

  it('builds and runs on Debian, and builds the product by default', () => {
    const [base = ''] = /(?<=^FROM )\S+/m.exec(lines.join('\n')) ?? [];
    expect(base).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
    expect(lines.filter((line) => line.startsWith('FROM'))).toEqual([
      `FROM ${base} AS build`,
      `FROM ${base} AS product`,
      'FROM product AS fakes',
      'FROM product',
    ]);
    expect(last?.slice(1).filter(Boolean)).toEqual([]);
  });

  it('installs without scripts, and leaves development packages out of the product', () => {
    expect(installs(build)).toEqual(['RUN npm ci --ignore-scripts']);
    expect(installs(product)).toEqual([
      expect.stringMatching(/^RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force/),
    ]);
    expect(build?.indexOf('RUN npm run build')).toBeGreaterThan(
      build?.indexOf('RUN npm ci --ignore-scripts') ?? -1,
    );
  });

  it('copies from the build what a deployment runs, and neither the local stack nor benchmarks', () => {
    const takenBy = (stage: string[] = []) =>
      stage.filter((line) => line.startsWith('COPY --from=build')).map((line) => line.split(' ').at(-1));
    expect(takenBy(product)).toEqual([
      'dist/api',
      'dist/workflows',
      'dist/activities',
      'dist/db',
      'dist/docs',
    ]);
    expect(takenBy(fakes)).toEqual(['dist/local']);
    expect(compose.services['fakes']).toMatchObject({ build: { context: '.', target: 'fakes' } });
  });

  it('does not run as root and passes signals to node', () => {
    expect(product?.indexOf('USER node')).toBeGreaterThan(
      product?.findLastIndex((line) => line.startsWith('COPY')) ?? Infinity,
    );
    for (const stage of [product, fakes])
      expect(stage?.filter((line) => line.startsWith('CMD'))).toEqual([
        expect.stringMatching(/^CMD \["node", .*\]$/),
      ]);
    for (const name of ['api', 'live', 'worker', 'migrate', 'fakes'])
      expect(serviceOf(name).command?.[0]).toBe('node');
  });

  it.each([
    ['API', 'PORT', 0],
    ['worker', 'METRICS_PORT', 0],
    ['process that serves nothing', 'NO_PORT', 1],
  ])('checks the health of an %s', async (_process, variable, code) => {
    const check = product?.find((line) => line.startsWith('HEALTHCHECK')) ?? '';
    const [, ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? 200 : 404).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { PORT: '1', METRICS_PORT: '1', [variable]: String(port) };
    let ended = 0;
    const process = { env, exit: (status: number) => void (ended = status) };
    await (runInNewContext(args.at(-1) ?? '', { process, fetch }) as Promise<unknown>);
    expect(ended).toBe(code);
    server.close();
  });

  it('lets .dockerignore pass what is copied and nothing else', () => {
    const [all, ...let_through] = read('.dockerignore')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    const copied = lines
      .filter((line) => line.startsWith('COPY') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(all).toBe('*');
    expect(let_through.map((line) => line.slice(1)).toSorted()).toEqual([...new Set(copied)].toSorted());
    expect([...new Set(copied)]).toEqual(
      expect.arrayContaining((parse(read('tsconfig.build.json')) as { include: string[] }).include),
    );
  });
});

const sourceOf = (module: string): string =>
  existsSync(path.join(root, `${module}.tsx`)) ? `${module}.tsx` : `${module}.ts`;

/** Returns the packages that an entry file imports, directly or through other files. Imports of types are left out. */
function packagesOf(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return new Set();
  seen.add(entry);
  const packages = new Set<string>();
  // This regular expression must match neither imports of types nor sample code in template strings.
  const source = read(entry)
    .replaceAll(/^import type [^;]*;/gms, '')
    .replaceAll(/`(?:\\.|[^`\\])*`/g, '``');
  for (const [, target = ''] of source.matchAll(/(?<!')(?:from|import|require\() ?'([^'\n]+)'/g))
    if (target.endsWith('.json')) continue;
    else if (target.startsWith('.'))
      for (const each of packagesOf(sourceOf(path.join(path.dirname(entry), target)), seen))
        packages.add(each);
    else if (!target.startsWith('node:') && !builtinModules.includes(target))
      packages.add(
        target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/'),
      );
  return packages;
}

describe('image', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

  const entryOf = (name: string) =>
    serviceOf(name)
      .command?.at(-1)
      ?.replace(/^dist\/(.*)\.js$/, '$1.ts') ?? '';

  it.each(['api', 'live', 'worker', 'migrate', 'fakes'])('runs with production packages only: %s', (name) => {
    const packages = [...packagesOf(entryOf(name))];
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter((each) => !(each in dependencies))).toEqual([]);
  });

  it.each([...['api', 'live', 'worker', 'migrate'].map(entryOf), 'api/commands/token.ts'])(
    'needs nothing of the local stack: %s',
    (entry) => {
      const files = new Set<string>();
      expect(packagesOf(entry, files).size).toBeGreaterThan(0);
      const folders = [...files].map((file) => file.split('/')[0]);
      expect([...new Set(folders)].filter((folder) => folder === 'local' || folder === 'bench')).toEqual([]);
    },
  );
});
