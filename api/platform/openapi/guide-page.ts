import { readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/** The pages of the guide in reading order. Each name is that of the file docs/guide/<name>.md. */
export const guideNames = [
  'getting-started',
  'authentication',
  'environments',
  'credits',
  'requests',
  'errors',
  'idempotency',
  'pagination',
  'mirroring',
  'rate-limits',
  'client',
  'taking-interviews',
  'jobs',
  'embedding',
  'results',
  'webhooks',
  'reports',
  'agents',
  'versioning',
  'changelog',
] as const;
type GuideName = (typeof guideNames)[number];

export type GuidePage = {
  name: GuideName;
  place: string;
  title: string;
  sections: { id: string; title: string }[];
  markup: string;
};

/** The origin in the examples of the pages. It is replaced with the deployment's own origin. */
const exampleOrigin = 'https://api.example.com';
const folder = path.join(__dirname, '../../../docs/guide');

export const guidePlace = (name: GuideName): string => (name === guideNames[0] ? '/docs' : `/docs/${name}`);

/** Reads and renders one page of the guide, with links and examples for the deployment at `origin`. */
export function renderGuidePage(name: GuideName, origin: string): GuidePage {
  const tokens = markdown.parse(readPage(name, origin), {});
  const headings = tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const title = plainTextOf(tokens[index + 1]);
    const id = anchorOf(title);
    token.attrSet('id', id);
    return [{ level: Number(token.tag.slice(1)), title, id }];
  });
  for (const token of tokens.flatMap(({ children }) => children ?? []))
    if (token.type === 'link_open') token.attrSet('href', toPlace(String(token.attrGet('href')), origin));
  return {
    name,
    place: guidePlace(name),
    title: headings[0]?.title ?? name,
    sections: headings.filter(({ level }) => level === 2).map(({ id, title }) => ({ id, title })),
    markup: markdown.renderer.render(tokens, markdown.options, {}),
  };
}

const readPage = (name: GuideName, origin: string): string =>
  readFileSync(path.join(folder, `${name}.md`), 'utf8').replaceAll(exampleOrigin, origin);

/** Returns the Markdown of a page, with links that work outside of the guide. */
export const readGuideText = (name: GuideName, origin: string): string =>
  readPage(name, origin)
    .replaceAll(
      /\]\(([a-z-]+\.md(?:#[\w-]*)?)\)/g,
      (_link, href: string) => `](${origin}${toPlace(href, origin)})`,
    )
    .trim();

/** Returns the sections of the guide, with the text of each as it is written, for a search. */
export const guideSections = (origin: string): { title: string; url: string; text: string }[] =>
  guideNames.flatMap((name) => {
    const page = readGuideText(name, origin);
    const [pageTitle = name] = /(?<=^# ).*/m.exec(page) ?? [];
    return page.split(/^(?=## )/m).map((text) => {
      const [title] = /(?<=^## ).*/m.exec(text) ?? [];
      const url = `${origin}${guidePlace(name)}`;
      return title === undefined
        ? { title: pageTitle, url, text }
        : { title: `${pageTitle}: ${title}`, url: `${url}#${anchorOf(title)}`, text };
    });
  });

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { rules } = markdown.renderer;
// An element that may scroll sideways must be focusable for keyboard users, and not every browser makes it so.
rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
rules['table_close'] = () => '</table></div>\n';
const drawFence = rules['fence'];
if (drawFence) rules['fence'] = (...place) => drawFence(...place).replace(/^<pre/, '<pre tabindex="0"');

const plainTextOf = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ content }) => content).join('');

/** Returns the anchor that GitHub gives to a heading, so that links to it also work on GitHub. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/**
 * Converts a link between Markdown files to a link between pages, and a link to the deployment's own origin to a
 * relative link.
 */
function toPlace(href: string, origin: string): string {
  const [, name, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  const known = guideNames.find((each) => each === name);
  if (known) return guidePlace(known) + anchor;
  return href.startsWith(`${origin}/`) ? href.slice(origin.length) : href;
}
