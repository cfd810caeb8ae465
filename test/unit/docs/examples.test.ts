import { readdirSync } from 'node:fs';
import { codeBlocks, guideText } from '../../harness/platform/guide-code';

const pages = readdirSync('docs/guide').map((file) => {
  const name = file.replace(/\.md$/, '');
  return { name, text: guideText(name) };
});

describe('the examples in TypeScript', () => {
  it('stand in every section of the guide with an example for another language', () => {
    // Agents speak MCP, which the client does not.
    const shown = pages.filter(({ name }) => name !== 'agents');
    const missing = shown.flatMap(({ name, text }) =>
      text
        .split(/^(?=#+ )/m)
        // The receivers of webhooks have one section per language.
        .filter((section) => !section.startsWith('### Node.js'))
        .filter((section) => [...codeBlocks(section, 'sh'), ...codeBlocks(section, 'js')].length > 0)
        .filter((section) => codeBlocks(section, 'ts').length === 0)
        .map((section) => `${name}: ${section.split('\n')[0]}`),
    );
    expect(missing).toEqual([]);
  });
});
