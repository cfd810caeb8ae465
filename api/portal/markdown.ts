import MarkdownIt from 'markdown-it';
import type { MarkdownIt as Parser, RendererRule, StateBlock, StateCore, Token } from 'markdown-it';
import { html } from '../contracts/html';
import { gatherRuns, pairBlocks } from './markdown-blocks';
import type { Run } from './markdown-blocks';
import { readDirective } from './markdown-directive';
import type { Directive } from './markdown-directive';

/** A card that a page names. */
export type CardName = Extract<Directive, { kind: 'directory' | 'session' }>;
/** A place of a page that what is in the catalogue fills. */
export type Slot =
  | Extract<Directive, { kind: 'plan_progress' | 'sessions' }>
  /** `isGrid`: drawn as a grid of its own, not as the cell of one around it. */
  | { kind: 'cards'; cards: CardName[]; isGrid: boolean };
/** A page's markup, cut where its slots are: slot `n` comes behind part `n`. */
export type CompiledMarkdown = { parts: string[]; slots: Slot[] };

const directives = new WeakMap<Token, Directive>();
const slots = new WeakMap<Token, Slot>();
const runTexts = new WeakMap<Token, string>();

/** Where a slot is in rendered markup. Markdown-it lets no NUL through. */
const mark = '\0';

/**
 * Markup of a page in Markdown with its directives (spec/decisions.md section 7). What is in the Markdown is escaped:
 * HTML stays text, links go to http, https and mailto, images come by https. Time and memory grow with the length.
 */
export function compileMarkdown(markdown: string): CompiledMarkdown {
  const tokens = withDirectives.parse(markdown, {});
  return {
    parts: withDirectives.renderer.render(tokens, withDirectives.options, {}).split(mark),
    slots: tokens.flatMap((token) => slots.get(token) ?? []),
  };
}

/** The same without directives: they stay text. */
export const renderMarkdown = (markdown: string): string => plain.render(markdown);

const linkTargets = /^(https?:\/\/|mailto:)/i;
const imageSources = /^https:\/\//i;

function createMarkdown(): Parser {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  markdown.validateLink = (url) => linkTargets.test(url.trim());
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
  return markdown;
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
 * It looks at no other line.
 */
export function directiveRule(
  state: StateBlock,
  startLine: number,
  _end: number,
  isSilent: boolean,
): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (state.src[start] !== '[' || (state.sCount[startLine] ?? 0) - state.blkIndent > 3) return false;
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
  state.tokens = gatherRuns(state.tokens, paired, directiveOf).flatMap((run) =>
    run.kind === 'text' ? asParagraph(run, state) : [drawRun(run)],
  );
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

/** The first token of a run stands for all of it: by markup, or by a slot. */
function drawRun({ kind, tokens }: Run): Token {
  const [token] = tokens;
  const all = tokens.flatMap((each) => directives.get(each) ?? []);
  const [first] = all;
  if (!first) return token;
  const cards = all.filter((each) => each.kind === 'directory' || each.kind === 'session');
  if (cards.length > 0) slots.set(token, { kind: 'cards', cards, isGrid: kind === 'cards' });
  else if (first.kind === 'plan_progress' || first.kind === 'sessions') slots.set(token, first);
  else runTexts.set(token, `${drawDirectives(first, all)}\n`);
  return token;
}

function drawDirectives(first: Directive, all: Directive[]): string {
  if (first.kind === 'open')
    return first.block === 'callout' ? `<div class="callout ${first.tone}">` : `<div class="${first.block}">`;
  if (first.kind === 'close') return '</div>';
  if (first.kind === 'button')
    return html`<p><a class="button" href="${first.url}" rel="noopener nofollow">${first.text}</a></p>`.text;
  const chips = all.flatMap((each) =>
    each.kind === 'chip' ? html`<span class="chip ${each.tone}">${each.text}</span>` : [],
  );
  return html`<p class="chips">${chips}</p>`.text;
}

const plain = createMarkdown();
const withDirectives = addDirectives(createMarkdown());
