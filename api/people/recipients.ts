import { z } from 'zod';
import { emailKey } from '../../db/people/email-key';
import { boundedText } from '../platform/text/bounded-text';

const maxRecipients = 100;
/**
 * The maximum length of the form's text. For each recipient, there is room for an address of 254 characters and for a
 * comma and blanks.
 */
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
 * Parses the test recipients that the settings form sent, and normalizes them for comparisons. Their number and
 * lengths are checked first.
 */
export const testRecipients = boundedText(maxCharacters)
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean))
  .pipe(z.array(boundedText(maxCharacters)).max(maxRecipients, { abort: true }))
  .pipe(z.array(recipient))
  .transform((recipients) => [...new Set(recipients)]);
