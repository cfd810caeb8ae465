import MarkdownIt from 'markdown-it';
import type { MarkdownIt as Parser, RendererRule, StateBlock, StateCore, Token } from 'markdown-it';
import { html } from '../platform/text/html';
import { findColumns, gatherTokenRuns, findPairedTokens } from './markdown-blocks';
import type { ColumnTokens, TokenRun } from './markdown-blocks';
import { readDirective } from './markdown-directive';
import type { Directive } from './markdown-directive';

/** A directive that refers to a directory or session by id. */
type CardName = Extract<Directive, { kind: 'directory' | 'session' }>;
/** A position in a page's markup at which content of the catalogue is inserted for each visitor. */
export type DirectiveSlot =
  | Extract<Directive, { kind: 'plan_progress' | 'sessions' }>
  /** If `isGrid` is true, the cards form a grid of their own. Otherwise they are one cell of an enclosing grid. */
  | { kind: 'cards'; cards: CardName[]; isGrid: boolean };
/** A page's markup, split at its slots: slot `n` follows part `n`. A page that is too long has no parts. */
export type CompiledMarkdown = { parts: string[]; slots: DirectiveSlot[]; isTooLong: boolean };
/** The text to compile. Directives work on a `page`; in a session's `description`, they are shown as text. */
export type MarkdownToCompile = { kind: 'page' | 'description'; markdown: string };

/** Longer addresses are not made into links or images. Longer titles are left out. */
const maxAddressCharacters = 2_048;
/**
 * The most characters in a page's markup. A reference link repeats its address and title wherever it is used: 85 KB of
 * Markdown became 452 MB. All other markup has at most forty times the characters of its Markdown.
 */
const maxMarkupCharacters = 8 * 1_048_576;

/**
 * The most slots on a page. Filling a slot costs time on every visit, even if the slot stays empty. Further slots are
 * left out.
 */
const maxSlots = 500;

const directives = new WeakMap<Token, Directive>();
const slots = new WeakMap<Token, DirectiveSlot>();
const runTexts = new WeakMap<Token, string>();

/**
 * Stands for a slot in rendered markup. It never occurs in the text, because Markdown-it removes every NUL from its
 * input.
 */
const mark = '\0';

/**
 * Compiles a Markdown page with its directives (docs/catalogue.md#pages-in-markdown). HTML is shown as text, and only
 * some addresses become links and images. Time and memory grow with the length of the Markdown.
 */
export function compileMarkdown({ kind, markdown }: MarkdownToCompile): CompiledMarkdown {
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

/**
 * Counts the characters of addresses and titles before the markup is written, and removes titles that are too long.
 */
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

/**
 * The most table cells on a page. A page with fewer characters than this may have at most one cell per character.
 * Only a table whose short rows are padded to the length of the header has more cells than characters.
 */
const maxCells = 20_000;
const [tableRule] = new MarkdownIt('zero').enable('table').block.ruler.getRules('');

/** Wraps the table rule of Markdown-it, which pads short rows. Rows beyond the cell limit are shown as text. */
const boundedTableRule: typeof directiveRule = (state, startLine, endLine, isSilent) => {
  if (!tableRule?.(state, startLine, endLine, true)) return false;
  const delimiters = state.src.slice(state.bMarks[startLine + 1], state.eMarks[startLine + 1]);
  const columns = delimiters.split('|').length;
  const cellsLeft = Number(state.env['cellsLeft'] ?? Math.min(maxCells, state.src.length));
  if (columns > cellsLeft) return false;
  if (isSilent) return true;
  // The delimiter line below the header is not a row, so `lastLine` includes one more line.
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
  // Headings of the text move down by one level, because the page's title is its only first-level heading.
  rules['heading_open'] = rules['heading_close'] = lowerHeading;
  // Cells are aligned with a class, because the page's content security policy forbids inline styles.
  rules['th_open'] = rules['td_open'] = alignByClass;
  // A table that can scroll sideways must be focusable for keyboard users, and not every browser makes it focusable.
  rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  for (const name of ['fence', 'code_block']) focusable(rules, name);
  return markdown;
}

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
 * The Markdown rule for directives. A directive is a line of its own, is indented by at most three spaces, and ends a
 * paragraph above it. After the marker of a list or quote it is shown as text. The rule reads only one line.
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

/** Adds directives to a parser. Only a test, which counts calls, passes another rule. */
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
  const paired = findPairedTokens(state.tokens, directiveOf);
  const columns = findColumns(state.tokens, paired, directiveOf);
  const used = { slots: 0 };
  let last: Token | undefined;
  state.tokens = gatherTokenRuns(state.tokens, paired, columns, directiveOf).flatMap((run) => {
    const drawn = run.kind === 'text' ? asParagraph(run, state) : [drawRun(run, columns, last, used)];
    last = run.tokens.at(-1);
    return drawn;
  });
}

function asParagraph({ tokens: [directive] }: TokenRun, state: StateCore): Token[] {
  const open = new state.Token('paragraph_open', 'p', 1);
  const inline = new state.Token('inline', '', 0);
  const close = new state.Token('paragraph_close', 'p', -1);
  open.block = inline.block = close.block = true;
  inline.content = directive.content;
  inline.map = directive.map;
  inline.children = [];
  return [open, inline, close];
}

/**
 * Renders the first token of a sequence as markup, or as a slot that stands for the whole sequence. `before` is the
 * token before the sequence.
 */
function drawRun(
  { kind, tokens }: TokenRun,
  columns: ColumnTokens,
  before: Token | undefined,
  used: { slots: number },
): Token {
  const [token] = tokens;
  const all = tokens.flatMap((each) => directives.get(each) ?? []);
  const [first] = all;
  if (!first) return token;
  const cards = all.filter((each) => each.kind === 'directory' || each.kind === 'session');
  const slot = slotOf(first, cards, kind);
  if (slot && used.slots++ < maxSlots) slots.set(token, slot);
  else if (slot) runTexts.set(token, '');
  // A `[column]` line directly after the opening line adds nothing, because the opening line has already started the
  // first column.
  else if (first.kind === 'column')
    runTexts.set(token, isOpening(before) ? '' : '</div>\n<div class="column">\n');
  else runTexts.set(token, `${drawDirectives(first, all, columns.separated.has(token))}\n`);
  return token;
}

function slotOf(first: Directive, cards: CardName[], kind: TokenRun['kind']): DirectiveSlot | undefined {
  if (cards.length > 0) return { kind: 'cards', cards, isGrid: kind === 'cards' };
  return first.kind === 'plan_progress' || first.kind === 'sessions' ? first : undefined;
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
