import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const skipped = new Set(['node_modules', 'dist', '.git', '.local', 'package-lock.json', 'histories']);

const listFiles = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name) && !/\.(?:png|tsbuildinfo)$/.test(name))
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name);
      return entry.isDirectory() ? listFiles(file) : [file];
    });

const texts = new Map(listFiles('.').map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const documents = [...texts.keys()].filter((file) => /^(?:README|CONTRIBUTING|docs\/.*)\.md$/.test(file));
const textOf = (file: string): string => texts.get(file) ?? '';

/** Returns a page without its code blocks, in which `#` is no heading and `[a](b)` is no link. */
const prose = (file: string): string => textOf(file).replaceAll(/^```[\s\S]*?^```/gm, '');

/** Returns the anchors of a page's headings, in the form in which GitHub and the guide create them. */
const anchorsOf = (file: string): string[] =>
  [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

const isThere = (target: string): boolean => {
  const [file = '', anchor] = target.split('#');
  if (!existsSync(path.join(root, file))) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
};

/** Returns the relative links of a page as paths from the root of the repository. */
const linksOf = (document: string): string[] =>
  [...prose(document).matchAll(/\]\((?!https?:|\{)([^)\s]+)\)/g)].map(([, link = '']) =>
    link.startsWith('#') ? document + link : path.posix.join(path.posix.dirname(document), link),
  );

describe('the files of the repository', () => {
  it('do not name documents outside of it', () => {
    const outside =
      /(?<![\w-])(?:spec|design|reviews)\/\w|platform-api\.md|(?<![\w-])decisions\.md|[(`]spec: /;
    expect([...texts].filter(([, text]) => outside.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('have no markers of an unfinished merge', () => {
    const marked = [...texts].filter(([, text]) => /^(?:<{7}|>{7}) /m.test(text));
    expect(marked.map(([file]) => file)).toEqual([]);
  });

  it('name only pages and sections of docs/ that exist', () => {
    const missing = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/(?<![\w/])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)]
        .filter(([target]) => !isThere(target))
        .map(([target]) => `${file}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the documents', () => {
  it.each(documents)('link to files and sections that exist: %s', (document) => {
    expect(linksOf(document).filter((target) => !isThere(target))).toEqual([]);
  });

  it('name only files of the repository that exist', () => {
    const missing = documents.flatMap((document) =>
      [...prose(document).matchAll(/`((?:api|db|activities|workflows|local|bench|test|docs)\/[\w./-]+)`/g)]
        .filter(([, file = '']) => !existsSync(path.join(root, file)))
        .map(([, file]) => `${document}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('give every section an anchor of its own', () => {
    const repeated = documents.flatMap((document) =>
      anchorsOf(document)
        .filter((anchor, index, all) => all.indexOf(anchor) !== index)
        .map((anchor) => `${document}#${anchor}`),
    );
    expect(repeated).toEqual([]);
  });

  it('can all be reached by links from the README', () => {
    const reached = new Set(['README.md']);
    for (const document of reached)
      for (const target of linksOf(document)) {
        const [file = ''] = target.split('#');
        if (file.endsWith('.md')) reached.add(file);
      }
    expect(documents.filter((document) => !reached.has(document))).toEqual([]);
  });
});

describe('docs/runbook.md', () => {
  const code = [...texts]
    .filter(([file]) => /^(?:api|activities)\/.*\.ts$/.test(file))
    .map(([, text]) => text);
  const isInCode = (text: string) => code.some((each) => each.includes(text));

  it('quotes log messages that the processes write', () => {
    const messages = [...textOf('docs/runbook.md').matchAll(/`msg="([^"]+)"`/g)].map(([, text = '']) => text);
    expect(messages.length).toBeGreaterThan(5);
    expect(messages.filter((text) => !isInCode(`'${text}'`))).toEqual([]);
  });

  it('names metrics that the processes export', () => {
    const runbook = textOf('docs/runbook.md');
    const tables = new Set([...runbook.matchAll(/from (\w+)/g)].map(([, table]) => table));
    const named = runbook.matchAll(/`((?:webhook|workflow|mails|issue|model|http)_[a-z_]+)(?:\{[^}]*\})?`/g);
    const names = [...named].map(([, name = '']) => name).filter((name) => !tables.has(name));
    const known = (name: string) => isInCode(`'${name.replace(/_(?:count|sum|bucket)$/, '')}'`);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known(name))).toEqual([]);
  });
});
