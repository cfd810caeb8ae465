import { toPlain } from './plain-text';

/**
 * Returns which kind of secret a text seems to contain, without repeating the secret, or undefined if there is none.
 * In the middle of a sentence, a password that has only letters looks like any other word and is not found.
 */
export function findSecret(text: string): string | undefined {
  // Repeated blanks are reduced to one, so that no pattern has to try different numbers of blanks.
  const plain = toPlain(text)
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n');
  const shape = shapes.find(({ pattern }) => pattern.test(plain));
  if (shape) return shape.name;
  if (valuesOf(password, plain).some(isPassword)) return 'a password';
  return valuesOf(key, plain).some(isKey) ? 'a key' : undefined;
}

/** Secrets that are recognizable by their format. */
const shapes: readonly { name: string; pattern: RegExp }[] = [
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
  { name: 'a token', pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}/ },
  // Tokens of the platform's sign-in links, and its refresh tokens.
  { name: 'a token', pattern: /(?<![a-z0-9])(?:si|rt)_[\w-]{32,}/i },
  // Keys of this platform and of others: sk_production_…, sk_live_…, rk_live_….
  { name: 'a secret key', pattern: /(?<![a-z0-9])[sr]k_[\w-]{8,}/i },
  { name: 'a secret key', pattern: /(?<![\w-])sk-(?=[\w-]*\d)[\w-]{16,}/ },
  { name: 'a signing secret', pattern: /(?<![a-z0-9])(?:whsec|esk)_[\w+/=-]{12,}/i },
  { name: 'an access key', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/ },
  { name: 'an access token', pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|npm_)[\w-]{20,}/ },
  { name: 'an access token', pattern: /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[\w-]{10,}/ },
  { name: 'an API key', pattern: /(?<![A-Za-z0-9])AIza[\w-]{35}/ },
  { name: 'an API key', pattern: /(?<![A-Za-z0-9])SG\.[\w-]{16,}\.[\w-]{16,}/ },
  { name: 'credentials', pattern: /(?<![a-z])(?:bearer|basic)\s+(?=[\w.~+/-]*\d)[\w.~+/-]{16,}/i },
  { name: 'an address with a password', pattern: /:\/\/[^\s/:@]+:(?![<*{]|\$[{(A-Z])[^\s/@]+@[^\s@]/ },
];

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
  String.raw`(?<![\p{L}\p{N}])(?<short>pass)`,
].join('|');
const keyNames = String.raw`(?:api|access|secret|private|signing)[ _-]?key|secret|token`;

/** Matches a name and its value, as in `name: value`, `"name" => "value"`, `<name>value</name>` and `name is value`. */
function assignment(names: string): RegExp {
  const quote = String.raw`["'\x60*_\\“”‘’«»]{0,3}`;
  const verb = '(?:is|was|are|ist|lautet|war|est|es|é)';
  const sign = String.raw`(?<sign>(?: ${verb})?${quote} ?(?:=>|:=|[:=])[*_]{0,2} ?|>(?=[^<>\n]*</))`;
  const weak = String.raw`${quote} ?(?:${verb} |[:=]\n{1,2})`;
  const value = String.raw`${quote}(?<value>[^\s"'’\x60<]+)(?=(?<goesOn>['’]\p{L}|(?<![.,;:!?]) [\p{L}\p{N}])|)`;
  return new RegExp(String.raw`(?:${names})(?:s|\d)?(?:${sign}|${weak})${value}`, 'giu');
}
const password = assignment(passwordNames);
const key = assignment(keyNames);

type Assigned = {
  value: string;
  /**
   * True if the value surely belongs to the name: a sign such as `:` or `=` precedes it, and no other word follows it.
   */
  isCertain: boolean;
};

const valuesOf = (pattern: RegExp, text: string): Assigned[] =>
  Array.from(text.matchAll(pattern), ({ groups = {} }) => ({
    value: (groups['value'] ?? '').replace(/(?<![.,;:!?)}\]”’»*_])[.,;:!?)}\]”’»*_]+$/u, ''),
    isCertain: groups['sign'] !== undefined && groups['goesOn'] === undefined,
  }));

const isPassword = ({ value, isCertain }: Assigned): boolean =>
  !variable.test(value) && (isMadeUp(value) || (isCertain && !hidden.test(value)));

const isKey = ({ value: whole, isCertain }: Assigned): boolean => {
  const value = whole.split(/[,;&]/, 1)[0] ?? '';
  if (!/^[\w.~+/=!@#$%^*-]{8,}$/.test(value) || hidden.test(value) || idOrDate.test(value)) return false;
  return isCertain ? /\d|[a-z]{16}|.{24}/i.test(value) : /(?=\w*\d)(?=\w*[a-z])\w{8}/i.test(value);
};

/**
 * Returns true for values that cannot be words, because they contain a digit among letters or a sign between
 * characters.
 */
const isMadeUp = (value: string): boolean =>
  (/\d/.test(value) && /\p{L}/u.test(value) && !/^\d{1,3}-/.test(value)) ||
  /[\p{L}\d][!@#$%^&*+=?][\p{L}\d]/u.test(value);

/** Matches a variable (`${NAME}`, `$NAME`, `%NAME%`, `{{name}}`), or the text that follows an empty value. */
const variable = /^(?:[&,;]|\$\{|\$[A-Z_]+$|%[A-Z_]+%?$|\{\{)/;
/** Matches a masked value, a placeholder, or an empty text. */
const hidden =
  /^(?:|[*•.…_-]+|x{2,}|[<[{(].*|none|null|nil|empty|true|false|undefined|redacted|removed|hidden|unknown)$/iu;
const idOrDate = /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d{4}-\d\d-\d\d(?:[t_].*)?)$/i;
