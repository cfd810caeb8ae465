import { z } from 'zod';
import { boundedText } from '../platform/text/bounded-text';
import { emailKey } from '../../db/people/email-key';

const maxRecipients = 100;
/** Each recipient has room for the longest address and the blanks and commas after it. */
const maxCharacters = maxRecipients * 260;
const recipient = boundedText(254)
  .transform(emailKey)
  .pipe(
    boundedText(254).regex(
      /^[^\s@]+@[^\s@.*]+(\.[^\s@.*]+)+$/,
      'must be email addresses, or *@domain for a whole domain',
    ),
  );

/**
 * Test recipients from the settings form, one per line, stored in the form that is used to compare addresses. Their
 * number and lengths are checked before they are mapped.
 */
export const testRecipients = boundedText(maxCharacters)
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean))
  .pipe(z.array(boundedText(maxCharacters)).max(maxRecipients, { abort: true }))
  .pipe(z.array(recipient))
  .transform((recipients) => [...new Set(recipients)]);
