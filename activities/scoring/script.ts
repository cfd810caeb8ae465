import type { LanguageCode } from '../../db/platform/vocabulary';

/** Scripts that Unicode has no name for, because they are mixtures or variants. */
const mixtures: Readonly<Record<string, string>> = {
  Jpan: String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`,
  Kore: String.raw`\p{Script=Hangul}`,
  Hans: String.raw`\p{Script=Han}`,
};
/**
 * At least this share of the letters must be in the language's script. The others may be in foreign names and terms.
 */
const minShare = 1 / 3;

/**
 * Returns false if most letters of a text are in another script than its language, such as an English text that
 * should be Japanese. Languages with the same script are not told apart.
 */
export function isInScriptOf(language: LanguageCode, text: string): boolean {
  const script = new Intl.Locale(language).maximize().script ?? 'Latn';
  const own = new RegExp(`[${mixtures[script] ?? String.raw`\p{Script=${script}}`}]`, 'gu');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(own)?.length ?? 0) >= letters * minShare;
}
