import { z } from 'zod';
import { boundedText } from '../contracts/bounded-text';
import { emailKey } from '../../db/email-key';

/** Test recipients as the settings form has them, one per line; stored the way addresses are compared. */
export const testRecipients = boundedText(25_000)
  .transform((text) => [
    ...new Set(
      text
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(emailKey),
    ),
  ])
  .pipe(
    z
      .array(
        boundedText(254).regex(
          /^[^\s@]+@[^\s@.*]+(\.[^\s@.*]+)+$/,
          'must be addresses, or *@domain for all of a domain',
        ),
      )
      .max(100),
  );
