import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** The part of Fastify's interface that Scalar's plugin uses to serve its script. */
type Route = { url: string; handler: (request: unknown, reply: Reply) => unknown };
type Reply = { header: () => Reply; send: (content: unknown) => unknown };
type Plugin = (fastify: unknown, options: unknown, done: () => void) => void;

const root = path.resolve(__dirname, '../../..');

/**
 * Copies the assets of `/docs` into `dist`: the guide, and Scalar's script in compressed form. The script comes from
 * Scalar's integration for Fastify, because that package contains it without the 270 packages that it is built from.
 */
async function buildDocs(): Promise<void> {
  cpSync(path.join(root, '../docs/guide'), path.join(root, 'docs/guide'), { recursive: true });
  const script = await readScalarScript();
  mkdirSync(path.join(root, 'docs/assets'), { recursive: true });
  writeFileSync(path.join(root, 'docs/assets/scalar.js.gz'), gzipSync(script, { level: 9 }));
}

/**
 * Gets the script by registering the plugin with an object that records routes, and calling the handler of the script's
 * route.
 */
async function readScalarScript(): Promise<string> {
  const routes: Route[] = [];
  const fastify = { hasPlugin: () => false, route: (route: Route) => void routes.push(route) };
  const { default: plugin }: { default: Plugin } = await import('@scalar/fastify-api-reference');
  plugin(fastify, { routePrefix: '/', configuration: { url: '/' } }, () => undefined);
  let script: unknown;
  const reply: Reply = { header: () => reply, send: (content) => (script = content) };
  await routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply);
  if (typeof script !== 'string' || script.length < 1_000_000)
    throw new Error('@scalar/fastify-api-reference serves no script');
  return script;
}

buildDocs().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
