import { z } from 'zod';

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

/** What looks like a password or key in a text, in words that do not repeat it; undefined where nothing does. */
export function secretIn(text: string): string | undefined {
  const shape = shapes.find(({ pattern }) => pattern.test(text));
  if (shape) return shape.name;
  if (hasPassword(text)) return 'a password';
  return hasNamedKey(text) ? 'a key' : undefined;
}

/** Keys that one knows by their looks. */
const shapes: readonly { name: string; pattern: RegExp }[] = [
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
  { name: 'a token', pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}/ },
  // Ours and others': sk_production_…, sk_live_…, rk_live_….
  { name: 'a secret key', pattern: /(?<![a-z0-9])[sr]k_[\w-]{8,}/i },
  { name: 'a secret key', pattern: /(?<![\w-])sk-(?=[\w-]*\d)[\w-]{16,}/ },
  { name: 'a signing secret', pattern: /(?<![a-z0-9])whsec_[\w+/=-]{12,}/i },
  { name: 'an access key', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/ },
  { name: 'an access token', pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|npm_)[\w-]{20,}/ },
  { name: 'an access token', pattern: /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[\w-]{10,}/ },
  { name: 'an API key', pattern: /(?<![A-Za-z0-9])AIza[\w-]{35}/ },
  { name: 'an API key', pattern: /(?<![A-Za-z0-9])SG\.[\w-]{16,}\.[\w-]{16,}/ },
  { name: 'credentials', pattern: /(?<![a-z])(?:bearer|basic)\s+(?=[\w.~+/-]*\d)[\w.~+/-]{16,}/i },
  { name: 'an address with a password', pattern: /:\/\/[^\s/:@]+:(?![<*{$])[^\s/@]+@[^\s@]/ },
];

/** `name`, `"name"` or `name is`, then `:`, `=`, `:=` or `=>`. */
const assigned = String.raw`["'\x60]?(?:\s+is)?[ \t]*(?:=>|:=|[:=：])[ \t]*["'\x60]?`;

const passwordNames = [
  'passwor[dt]',
  'passwd',
  'passphrase',
  'passcode',
  'kennwort',
  'wachtwoord',
  'mot de passe',
  'contraseña',
  'senha',
  'hasło',
  'lösenord',
  'adgangskode',
  'пароль',
  '密码',
  'パスワード',
  String.raw`(?<![\p{L}\p{N}])(?:pwd|pw)`,
].join('|');
const password = new RegExp(String.raw`(?:${passwordNames})\d?${assigned}(?<value>[^\s"'\x60]+)`, 'giu');

/** With these a sentence goes on, as in `Password: must not be blank`. */
const words =
  "a an the this that it its is isn't are was i we my you they he she no not nothing never can can't cannot could do does " +
  "don't doesn't did field must may should will would how what when where which why who after before if on in at to please " +
  'reset wrong incorrect invalid required expired forgotten das der die es ich wir ist wird kann nicht falsch vergessen';
/** Masks, placeholders, nothing. */
const masks = String.raw`[*•.…_x-]{2,}|[<[{$%(].*|null|none|nil|empty|true|false|undefined|redacted|removed|hidden|unknown`;
const harmless = new RegExp(String.raw`^(?:${masks}|${words.replaceAll(' ', '|')})[.,;:!?)}\]]*$`, 'iu');

const hasPassword = (text: string): boolean =>
  Array.from(text.matchAll(password)).some(({ groups }) => !harmless.test(groups?.['value'] ?? ''));

const namedKey = new RegExp(
  String.raw`(?:api[ _-]?key|access[ _-]?key|secret[ _-]?key|secret|token)${assigned}(?<value>[^\s"'\x60,;&]+)`,
  'giu',
);

/** A word is no key: `token: expired` is prose. */
const hasNamedKey = (text: string): boolean =>
  Array.from(text.matchAll(namedKey)).some(({ groups }) => {
    const value = groups?.['value'] ?? '';
    return /^[\w.~+/=-]{8,}$/.test(value) && (/\d/.test(value) || value.length >= 24);
  });
