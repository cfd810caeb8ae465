import { z } from 'zod';
import { emailKey } from '../../db/people/email-key';
import { boundedText } from '../platform/text/bounded-text';

const maxRecipients = 100;
/**
 * The maximum length of the form's text. For each recipient, there is room for an address of 254 characters and for a
 * comma and blanks.
 */
const maxCharacters = maxRecipients * 260;
const maxAddress = 254;
const isRecipient = (text: string) =>
  text.length <= maxAddress && /^[^\s@]+@[^\s@.*]+(\.[^\s@.*]+)+$/.test(text);

/**
 * Parses the test recipients that the settings form sent, and normalizes them for comparisons. Their number and
 * lengths are checked first.
 */
export const testRecipients = boundedText(maxCharacters)
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean))
  .pipe(z.array(boundedText(maxCharacters)).max(maxRecipients, { abort: true }))
  .transform((texts) => texts.map((text) => (text.length > maxAddress ? text : emailKey(text))))
  // The error is about the whole field, because the form has one text and no list.
  .refine(
    (recipients) => recipients.every(isRecipient),
    'must be email addresses, or *@domain for a whole domain',
  )
  .transform((recipients) => [...new Set(recipients)]);
