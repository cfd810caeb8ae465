import MarkdownIt from 'markdown-it';
import type { MarkdownIt as Parser, RendererRule, StateBlock, StateCore, Token } from 'markdown-it';
import { html } from '../platform/text/html';
import { findColumns, gatherRuns, pairBlocks } from './markdown-blocks';
import type { Columns, Run } from './markdown-blocks';
import { readDirective } from './markdown-directive';
import type { Directive } from './markdown-directive';

/** A card that a page names. */
export type CardName = Extract<Directive, { kind: 'directory' | 'session' }>;
/** A place of a page that what is in the catalogue fills. */
export type Slot =
  | Extract<Directive, { kind: 'plan_progress' | 'sessions' }>
  /** `isGrid`: drawn as a grid of its own, not as the cell of one around it. */
  | { kind: 'cards'; cards: CardName[]; isGrid: boolean };
/** A page's markup, cut where its slots are: slot `n` comes behind part `n`. Nothing of one that is too long. */
export type CompiledMarkdown = { parts: string[]; slots: Slot[]; isTooLong: boolean };
/** A directory's page has directives; in a session's description they are text. */
export type MarkdownSource = { kind: 'page' | 'description'; markdown: string };

/** Longer addresses make no link and no image; a longer title is left out. */
const maxAddressCharacters = 2_048;
/**
 * Characters of a page's markup. A reference's address and title are repeated wherever it is named: 85 KB were 452 MB.
 * All other markup has at most forty times the characters of its Markdown.
 */
const maxMarkupCharacters = 8 * 1_048_576;

const directives = new WeakMap<Token, Directive>();
const slots = new WeakMap<Token, Slot>();
const runTexts = new WeakMap<Token, string>();

/** Where a slot is in rendered markup. Markdown-it lets no NUL through. */
const mark = '\0';

/**
 * Compiles a page in Markdown with its directives (docs/catalogue.md#pages-in-markdown). HTML stays text, links and images are
 * restricted. Time and memory grow with the length.
 */
export function compileMarkdown({ kind, markdown }: MarkdownSource): CompiledMarkdown {
  const tooLong = { parts: [], slots: [], isTooLong: true };
  const parser = kind === 'page' ? withDirectives : plain;
  const tokens = parser.parse(markdown.replace(/^\uFEFF/, ''), {});
  if (countAddressCharacters(tokens) > maxMarkupCharacters) return tooLong;
  const markup = parser.renderer.render(tokens, parser.options, {});
  if (markup.length > maxMarkupCharacters) return tooLong;
  return {
    parts: markup.split(mark),
    slots: tokens.flatMap((token) => slots.get(token) ?? []),
    isTooLong: false,
  };
}

/** Of addresses and titles, before any is written; leaves out the titles that are too long. */
function countAddressCharacters(tokens: Token[]): number {
  let count = 0;
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (String(token.attrGet('title') ?? '').length > maxAddressCharacters)
      token.attrs = token.attrs?.filter(([name]) => name !== 'title') ?? null;
    for (const [, value] of token.attrs ?? []) count += String(value).length;
  }
  return count;
}

const linkTargets = /^(https?:\/\/|mailto:)/i;
const ownTargets = /^(\/(catalogue|session)\/|#)/;
const imageSources = /^https:\/\//i;

/** Cells of all tables of a page: as many as it has characters, which written cells never exceed, but at most this. */
const maxCells = 20_000;
const [tableRule] = new MarkdownIt('zero').enable('table').block.ruler.getRules('');

/** Markdown-it's rule, which fills up short rows. The rows beyond the limit of cells stay text. */
const boundedTableRule: typeof directiveRule = (state, startLine, endLine, isSilent) => {
  if (!tableRule?.(state, startLine, endLine, true)) return false;
  const delimiters = state.src.slice(state.bMarks[startLine + 1], state.eMarks[startLine + 1]);
  const columns = delimiters.split('|').length;
  const cellsLeft = Number(state.env['cellsLeft'] ?? Math.min(maxCells, state.src.length));
  if (columns > cellsLeft) return false;
  if (isSilent) return true;
  // The line of delimiters is no row.
  const lastLine = startLine + 1 + Math.floor(cellsLeft / columns);
  tableRule(state, startLine, Math.min(endLine, lastLine), false);
  state.env['cellsLeft'] = cellsLeft - columns * (state.line - startLine - 1);
  return true;
};

function createMarkdown(): Parser {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  markdown.block.ruler.at('table', boundedTableRule, { alt: ['paragraph', 'reference'] });
  markdown.validateLink = (url) =>
    url.length <= maxAddressCharacters && (linkTargets.test(url.trim()) || ownTargets.test(url));
  const { rules } = markdown.renderer;
  rules['link_open'] = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet('rel', 'noopener nofollow');
    return renderer.renderToken(tokens, index, options);
  };
  const drawImage = rules['image'];
  rules['image'] = (tokens, index, options, env, renderer) => {
    const token = tokens[index];
    if (!drawImage || !imageSources.test(String(token?.attrGet('src'))))
      return html`${renderer.renderInlineAsText(token?.children ?? [], options, env)}`.text;
    token?.attrSet('loading', 'lazy');
    return drawImage(tokens, index, options, env, renderer);
  };
  // The page's title is the only heading of the first order.
  rules['heading_open'] = rules['heading_close'] = lowerHeading;
  // A page's policy allows no style of an element's own.
  rules['th_open'] = rules['td_open'] = alignByClass;
  // What may scroll sideways takes the focus: not every browser gives it by itself.
  rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  for (const name of ['fence', 'code_block']) focusable(rules, name);
  return markdown;
}

/** Lets a block of code take the focus. */
function focusable(rules: Parser['renderer']['rules'], name: string): void {
  const draw = rules[name];
  if (draw) rules[name] = (...place) => draw(...place).replace(/^<pre/, '<pre tabindex="0"');
}

const lowerHeading: RendererRule = (tokens, index, options, _env, renderer) => {
  const token = tokens[index];
  if (token) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`;
  return renderer.renderToken(tokens, index, options);
};

const alignByClass: RendererRule = (tokens, index, options, _env, renderer) => {
  const token = tokens[index];
  const [, side] = /^text-align:(\w+)$/.exec(String(token?.attrGet('style'))) ?? [];
  if (token) token.attrs = side === undefined ? null : [['class', `align-${side}`]];
  return renderer.renderToken(tokens, index, options);
};

/**
 * The rule of a directive: a line by itself, indented by three spaces at most, that ends whatever paragraph is above it.
 * Behind the mark of a list's item or a quote it is text. It looks at no other line.
 */
export function directiveRule(
  state: StateBlock,
  startLine: number,
  _end: number,
  isSilent: boolean,
): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (state.src[start] !== '[' || (state.sCount[startLine] ?? 0) - state.blkIndent > 3) return false;
  const before = state.src.slice(start === 0 ? 0 : state.src.lastIndexOf('\n', start - 1) + 1, start);
  if (before.trim() !== '') return false;
  const line = state.src.slice(start, state.eMarks[startLine]).trimEnd();
  const directive = readDirective(line);
  if (!directive || isSilent) return directive !== undefined;
  const token = state.push('directive', '', 0);
  token.content = line;
  token.map = [startLine, startLine + 1];
  state.line = startLine + 1;
  directives.set(token, directive);
  return true;
}

/** Adds directives to a parser; the rule is another one only where a test counts. */
export function addDirectives(markdown: Parser, rule = directiveRule): Parser {
  markdown.block.ruler.before('table', 'directive', rule, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  markdown.core.ruler.after('block', 'directives', arrangeDirectives);
  markdown.renderer.rules['directive'] = (tokens, index) => {
    const token = tokens[index];
    return (token && runTexts.get(token)) ?? mark;
  };
  return markdown;
}

const directiveOf = (token: Token): Directive | undefined => directives.get(token);

function arrangeDirectives(state: StateCore): void {
  const paired = pairBlocks(state.tokens, directiveOf);
  const columns = findColumns(state.tokens, paired, directiveOf);
  let last: Token | undefined;
  state.tokens = gatherRuns(state.tokens, paired, columns, directiveOf).flatMap((run) => {
    const drawn = run.kind === 'text' ? asParagraph(run, state) : [drawRun(run, columns, last)];
    last = run.tokens.at(-1);
    return drawn;
  });
}

function asParagraph({ tokens: [directive] }: Run, state: StateCore): Token[] {
  const open = new state.Token('paragraph_open', 'p', 1);
  const inline = new state.Token('inline', '', 0);
  const close = new state.Token('paragraph_close', 'p', -1);
  open.block = inline.block = close.block = true;
  inline.content = directive.content;
  inline.map = directive.map;
  inline.children = [];
  return [open, inline, close];
}

/** The first token of a run stands for all of it: by markup, or by a slot. `before` is what stands before it. */
function drawRun({ kind, tokens }: Run, columns: Columns, before: Token | undefined): Token {
  const [token] = tokens;
  const all = tokens.flatMap((each) => directives.get(each) ?? []);
  const [first] = all;
  if (!first) return token;
  const cards = all.filter((each) => each.kind === 'directory' || each.kind === 'session');
  if (cards.length > 0) slots.set(token, { kind: 'cards', cards, isGrid: kind === 'cards' });
  else if (first.kind === 'plan_progress' || first.kind === 'sessions') slots.set(token, first);
  // The first column has begun with the columns.
  else if (first.kind === 'column')
    runTexts.set(token, isOpening(before) ? '' : '</div>\n<div class="column">\n');
  else runTexts.set(token, `${drawDirectives(first, all, columns.separated.has(token))}\n`);
  return token;
}

const isOpening = (token: Token | undefined): boolean =>
  token !== undefined && directiveOf(token)?.kind === 'open';

function drawDirectives(first: Directive, all: Directive[], isSeparated: boolean): string {
  if (first.kind === 'open') {
    const tone = first.block === 'callout' ? ` ${first.tone}` : '';
    return `<div class="${first.block}${tone}">${isSeparated ? '<div class="column">' : ''}`;
  }
  if (first.kind === 'close') return isSeparated ? '</div></div>' : '</div>';
  if (first.kind === 'button')
    return html`<p><a class="button" href="${first.url}" rel="noopener nofollow">${first.text}</a></p>`.text;
  const chips = all.flatMap((each) =>
    each.kind === 'chip' ? html`<span class="chip ${each.tone}">${each.text}</span>` : [],
  );
  return html`<p class="chips">${chips}</p>`.text;
}

const plain = createMarkdown();
const withDirectives = addDirectives(createMarkdown());
