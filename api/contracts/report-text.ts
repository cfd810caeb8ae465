import { z } from 'zod';
import { secretIn } from './secret-in';

/**
 * What a person writes to support or to the product team: plain text, trimmed, of so many characters, without a password
 * or key (spec/decisions.md section 8). Characters are code points, as in JSON Schema and in Postgres.
 */
export const reportText = (minCharacters: number, maxCharacters: number) =>
  z
    .string()
    .trim()
    .min(1, { abort: true })
    .superRefine((text, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', message });
      // A code point is at most two units of a text's length.
      const count = text.length > 2 * maxCharacters ? text.length : Array.from(text).length;
      if (count < minCharacters) refuse(`must have at least ${minCharacters} characters`);
      else if (count > maxCharacters) refuse(`must have at most ${maxCharacters} characters`);
      else if (!/[\p{L}\p{N}]/u.test(text)) refuse('must say something');
      else {
        const secret = secretIn(text);
        if (secret)
          refuse(`must not contain passwords or keys, and it has what looks like ${secret}: take it out`);
      }
    })
    .meta({ minLength: minCharacters, maxLength: maxCharacters });
