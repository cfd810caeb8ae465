import type { LanguageCode } from '../../../db/platform/vocabulary';

/* The markup of mails, and the language attributes of mails and pages. */

/** Markup in which all values are already escaped. */
export class Html {
  constructor(readonly text: string) {}
}
type Piece = string | number | null | undefined | Html | readonly Html[];

/** Builds markup from a template. Escapes every value that is not markup itself. */
export function html(parts: TemplateStringsArray, ...values: Piece[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}

const rightToLeftScripts = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc']);

type HtmlLanguage = { lang: string; dir: 'ltr' | 'rtl' };
/** A page reads a hundred texts, and looking up the script of a language takes 7 µs, so each is looked up once. */
const known = new Map<LanguageCode, HtmlLanguage>();

/** Returns the language tag (`br` is `pt-BR`, docs/people.md#mails) and the text direction of a page or email. */
export function htmlLanguage(code: LanguageCode): HtmlLanguage {
  const language = known.get(code);
  if (language) return language;
  const found = findLanguage(code);
  known.set(code, found);
  return found;
}

function findLanguage(code: LanguageCode): HtmlLanguage {
  const lang = code === 'br' ? 'pt-BR' : code;
  const { script = '' } = new Intl.Locale(lang).maximize();
  return { lang, dir: rightToLeftScripts.has(script) ? 'rtl' : 'ltr' };
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map((entry) => entry.text).join('');
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
