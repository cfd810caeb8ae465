import type { LanguageCode } from '../../../db/platform/vocabulary';

/*
 * Markup of pages and mails. It lives with the contracts because that is the one room every other room may import: so
 * all markup of the project is escaped by the same function.
 */

/** Markup that needs no escaping any more. */
export class Html {
  constructor(readonly text: string) {}
}
type Piece = string | number | null | undefined | Html | readonly Html[];

/** Markup from a template: every value is escaped unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: Piece[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}

/** Returns the language tag (`br` is `pt-BR`, docs/people.md#mails) and the direction of a page or mail. */
export function htmlLanguage(code: LanguageCode): { lang: string; dir: 'ltr' | 'rtl' } {
  return { lang: code === 'br' ? 'pt-BR' : code, dir: code === 'ar' ? 'rtl' : 'ltr' };
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map((entry) => entry.text).join('');
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
