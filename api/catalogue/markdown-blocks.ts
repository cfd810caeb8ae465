import type { Token } from 'markdown-it';
import type { DirectiveBlock, Directive } from './markdown-directive';

/*
 * Combines directive lines into blocks: pairs of an opening and a closing line, columns, rows of chips, and sequences
 * of cards. Each function makes one pass over the tokens, however deep the blocks are nested.
 */

/** The most levels of nested pairs. Pairs at deeper levels are shown as text. */
const maxDepth = 10;

type DirectiveOf = (token: Token) => Directive | undefined;

/**
 * Returns the tokens that open and close blocks. The opening and the closing line must be in the same list item or
 * quote. A block that opens inside another block but is not closed there is shown as text.
 */
export function findPairedTokens(tokens: Iterable<Token>, directiveOf: DirectiveOf): Set<Token> {
  const paired = new Set<Token>();
  let frame = newFrame();
  const outer: Frame[] = [];
  for (const token of tokens) {
    const directive = directiveOf(token);
    if (directive?.kind === 'open') {
      frame.open.push({ token, block: directive.block });
      frame.counts[directive.block]++;
    } else if (directive?.kind === 'close') {
      const opener = close(frame, directive.block);
      if (opener) paired.add(opener).add(token);
    } else if (token.nesting === 1) {
      outer.push(frame);
      frame = newFrame();
    } else if (token.nesting === -1) frame = outer.pop() ?? newFrame();
  }
  return withoutDeepOnes(tokens, paired, directiveOf);
}

type Frame = { open: { token: Token; block: DirectiveBlock }[]; counts: Record<DirectiveBlock, number> };
const newFrame = (): Frame => ({ open: [], counts: { callout: 0, cards: 0, columns: 0 } });

/**
 * Closes the latest open block of this kind, and drops blocks inside it that were never closed. The count avoids a
 * search through the open blocks if none of them has this kind.
 */
function close(frame: Frame, block: DirectiveBlock): Token | undefined {
  if (frame.counts[block] === 0) return undefined;
  for (let top = frame.open.pop(); top; top = frame.open.pop()) {
    frame.counts[top.block]--;
    if (top.block === block) return top.token;
  }
  return undefined;
}

function withoutDeepOnes(tokens: Iterable<Token>, paired: Set<Token>, directiveOf: DirectiveOf): Set<Token> {
  const kept = new Set<Token>();
  let depth = 0;
  for (const token of tokens) {
    if (!paired.has(token)) continue;
    const isOpening = directiveOf(token)?.kind === 'open';
    if (isOpening) depth++;
    if (depth <= maxDepth) kept.add(token);
    if (!isOpening) depth--;
  }
  return kept;
}

/**
 * `separators` has the tokens of the `[column]` lines, and `separated` the tokens that open and close the `columns`
 * blocks with at least one such line.
 */
export type ColumnTokens = { separated: ReadonlySet<Token>; separators: ReadonlySet<Token> };

/**
 * Finds the `[column]` lines. Such a line separates columns only directly inside a `columns` block; anywhere else it
 * is text.
 */
export function findColumns(
  tokens: Iterable<Token>,
  paired: ReadonlySet<Token>,
  directiveOf: DirectiveOf,
): ColumnTokens {
  const separated = new Set<Token>();
  const separators = new Set<Token>();
  const parents: { token: Token; block: DirectiveBlock | null }[] = [];
  for (const token of tokens) {
    const directive = directiveOf(token);
    const parent = parents.at(-1);
    if (directive?.kind === 'open' && paired.has(token)) parents.push({ token, block: directive.block });
    else if (directive?.kind === 'close' && paired.has(token)) {
      if (parent && separated.has(parent.token)) separated.add(token);
      parents.pop();
    } else if (directive?.kind === 'column' && parent?.block === 'columns') {
      separated.add(parent.token);
      separators.add(token);
    } else if (token.nesting === 1) parents.push({ token, block: null });
    else if (token.nesting === -1) parents.pop();
  }
  return { separated, separators };
}

/** Consecutive tokens that are rendered as one element, for example a row of chips. */
export type TokenRun = {
  kind: 'directive' | 'chips' | 'cards' | 'text' | 'other';
  tokens: [Token, ...Token[]];
};

/** Groups the tokens into sequences, in order. Chips on consecutive lines form one sequence, and so do cards. */
export function gatherTokenRuns(
  tokens: Iterable<Token>,
  paired: ReadonlySet<Token>,
  { separated, separators }: ColumnTokens,
  directiveOf: DirectiveOf,
): TokenRun[] {
  const runs: TokenRun[] = [];
  const parents: (DirectiveBlock | null)[] = [];
  for (const token of tokens) {
    const directive = directiveOf(token);
    const parent = parents.at(-1);
    if (!directive) {
      if (token.nesting === 1) parents.push(null);
      if (token.nesting === -1) parents.pop();
      runs.push({ kind: 'other', tokens: [token] });
    } else if (directive.kind === 'open' || directive.kind === 'close') {
      if (paired.has(token) && directive.kind === 'open')
        parents.push(separated.has(token) ? null : directive.block);
      if (paired.has(token) && directive.kind === 'close') parents.pop();
      runs.push({ kind: paired.has(token) ? 'directive' : 'text', tokens: [token] });
    } else if (directive.kind === 'column') {
      runs.push({ kind: separators.has(token) ? 'directive' : 'text', tokens: [token] });
    } else {
      const kind = runKind(directive, parent ?? null);
      const last = runs.at(-1);
      const follows = last?.tokens.at(-1)?.map?.[1] === token.map?.[0];
      if (last && last.kind === kind && kind !== 'directive' && follows) last.tokens.push(token);
      else runs.push({ kind, tokens: [token] });
    }
  }
  return runs;
}

/**
 * Returns the kind of sequence in which a directive is grouped. A card directly inside a `cards` or `columns` block
 * is an element of its own, so it is not grouped with the cards next to it.
 */
function runKind({ kind }: Directive, parent: DirectiveBlock | null): 'directive' | 'chips' | 'cards' {
  if (kind === 'chip') return 'chips';
  const isCard = kind === 'directory' || kind === 'session';
  return isCard && parent !== 'cards' && parent !== 'columns' ? 'cards' : 'directive';
}
