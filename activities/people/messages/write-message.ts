import { forPractice, languageTexts } from '../../../api/platform/text/language-texts';
import { oneLine } from '../../../api/platform/text/one-line';
import { textReader } from '../../../api/platform/text/text-reader';
import type { MailKind } from '../../../db/people/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';

/** The mails that a message can accompany, and its text. */
const textOf = {
  candidate_invitation: 'invitation',
  next_step_invitation: 'next_step',
  retry_invitation: 'retry',
  reminder: 'reminder',
  final_reminder: 'final',
  submit_reminder: 'submit',
} as const satisfies Partial<Record<MailKind, string>>;
export type MessageKind = keyof typeof textOf;
export const isMessageKind = (kind: MailKind): kind is MessageKind => kind in textOf;

/** A message of more segments costs more. The name of the merchant is shortened, as far as it can be recognized. */
const maxSegments = 2;
const nameLengths = [40, 30, 20, 12];

/** Returns the text of a message: a sentence, the link, and how to get no more messages. */
export function writeMessage({
  kind,
  is_practice,
  language,
  merchant_name,
  link,
}: {
  kind: MessageKind;
  /** True if the link leads to a session that a learner practices. */
  is_practice: boolean;
  language: LanguageCode;
  merchant_name: string;
  link: string;
}): string {
  const read = textReader(forPractice(languageTexts[language].messages, language, is_practice), language);
  const name = oneLine(merchant_name);
  const texts = nameLengths.map((max) =>
    [read(textOf[kind], { merchant: shorten(name, max) }), link, read('stop', { word: 'STOP' })].join('\n'),
  );
  return texts.find((text) => countSegments(text) <= maxSegments) ?? texts.at(-1) ?? '';
}

function shorten(name: string, max: number): string {
  if (name.length <= max) return name;
  const start = name.slice(0, max - 3).replace(/[\ud800-\udbff]$/, '');
  // Three dots, because the character for an ellipsis would make a text of Latin letters twice as long.
  return `${start.trimEnd()}...`;
}

const basic = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà^{}[\]~|\\€]*$/;

/**
 * Returns the number of SMS that a text is sent and paid as. One SMS has 160 characters of the basic alphabet (GSM 03.38,
 * where a few count twice), or 70 of any other; each part of a longer text has 153 or 67.
 */
export function countSegments(text: string): number {
  const isBasic = basic.test(text);
  const length = isBasic ? text.length + (text.match(/[\^{}[\]~|\\€]/g) ?? []).length : text.length;
  const [alone, part] = isBasic ? [160, 153] : [70, 67];
  return length <= alone ? 1 : Math.ceil(length / part);
}
