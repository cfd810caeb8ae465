/**
 * Invisible characters that a script or an emoji needs: those that join the parts of an emoji, and those that join or
 * separate letters in scripts other than these three. A joiner after an invisible letter, such as U+3164, is not needed.
 */
const joiner =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Default_Ignorable_Code_Point}])[\u200c\u200d]/u;
/** Selectors of the form of an emoji, and of the form of a Chinese character, which names of people have. */
const selector = /(?<=\p{Emoji})\ufe0f|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/u;
/** The Braille blank has no dots, but is a symbol to Unicode. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const joiners = new RegExp(joiner, 'gu');
const invisibles = new RegExp(`(${joiner.source}|${selector.source})|${invisible.source}`, 'gu');

/** Returns the text without characters that no reader sees. Those that letters and emoji need stay. */
export const withoutInvisible = (text: string): string =>
  text.replaceAll(invisibles, (_character, needed: string | undefined) => needed ?? '');

const visible = new RegExp(`(?!${invisible.source})[\\p{L}\\p{N}\\p{P}\\p{S}]`, 'u');

/** Returns true if a reader sees anything of the text. */
export const isVisible = (text: string): boolean => visible.test(text);

/** Returns true if the text has format characters, such as marks of direction, that its letters do not need. */
export const hasFormatCharacters = (text: string): boolean => /\p{Cf}/u.test(text.replaceAll(joiners, ''));
