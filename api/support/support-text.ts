import type { ErrorCode } from '../platform/operation/error-codes';
import { boundedText } from '../platform/text/bounded-text';
import { findSecret } from '../platform/text/secret-in';
import { hasFormatCharacters } from '../platform/text/visible-text';

/**
 * The schema of a text that a person sends to support: trimmed, within length limits, and without a password or key
 * (docs/support.md#texts). Characters are code points, as in JSON Schema and Postgres.
 */
export const supportText = (minCharacters: number, maxCharacters: number) =>
  writtenText(minCharacters, maxCharacters, () => undefined);

/**
 * The schema of a title: like `supportText`, but one line, without invisible characters and without characters that
 * change the direction of the surrounding text.
 */
export const supportTitle = (minCharacters: number, maxCharacters: number) =>
  writtenText(minCharacters, maxCharacters, (text) => {
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
      return 'must be one line, without line breaks, tabs or control characters';
    return hasFormatCharacters(text)
      ? 'must not contain invisible characters, such as zero-width or text-direction characters'
      : undefined;
  });

const writtenText = (
  minCharacters: number,
  maxCharacters: number,
  findError: (text: string) => string | undefined,
) =>
  // A code point adds one or two to the length of a string. The limit also leaves room for surrounding blanks.
  boundedText(2 * maxCharacters + 1_000, `must have at most ${maxCharacters} characters`)
    .trim()
    .min(1, { abort: true })
    .superRefine((text, context) => {
      const fail = (code: ErrorCode, message: string) =>
        context.addIssue({ code: 'custom', message, params: { code } });
      const count = Array.from(text).length;
      if (count < minCharacters) fail('too_short', `must have at least ${minCharacters} characters`);
      else if (count > maxCharacters) fail('too_long', `must have at most ${maxCharacters} characters`);
      else if (!/[\p{L}\p{N}]/u.test(text)) fail('too_short', 'must contain a letter or digit');
      else {
        const error = findError(text);
        if (error) fail('forbidden_content', error);
        const secret = findSecret(text);
        if (secret)
          fail('forbidden_content', `must not contain passwords or keys. Remove what looks like ${secret}`);
      }
    })
    .meta({ minLength: minCharacters, maxLength: maxCharacters });
