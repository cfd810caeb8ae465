import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * Tests that .oxlintrc.json names every domain: each domain has import rules in each layer, and the rules of the
 * other domains reject imports of its files. walls.test.ts tests what such rules do.
 */

const root = path.resolve(__dirname, '../../..');
const layers = ['api', 'activities', 'db'];
/** Folders of a layer that do not belong to a domain. */
const noDomains = new Set(['platform', 'providers', 'commands', 'migrations']);
const domainsOf = (layer: string) =>
  readdirSync(path.join(root, layer), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !noDomains.has(entry.name))
    .map(({ name }) => name);
const domains = [...new Set(layers.flatMap(domainsOf))].toSorted();

type Rules = { files: string[]; rules: Record<string, [string, { patterns: { group: string[] }[] }]> };
const { overrides } = JSON.parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8')) as {
  overrides: Rules[];
};

describe.each(layers)('the import rules of %s', (layer) => {
  it.each(domains)('separate %s from all other domains', (domain) => {
    const own = overrides.find(({ files }) => files.includes(`${layer}/${domain}/**`));
    const [, options] = own?.rules['typescript/no-restricted-imports'] ?? [];
    const rejected = options?.patterns.flatMap(({ group }) => group);
    const others = domains.filter((other) => other !== domain);
    expect(rejected).toEqual(expect.arrayContaining(others.map((other) => `../${other}/**`)));
  });
});
