import { ordinaryWords } from './ordinary-words';
import { toPlain } from './plain-text';

/**
 * Describes what looks like a password or key in a text, without repeating it. Returns undefined if nothing does. A
 * password without a digit or sign in a sentence ("the password is geheim") cannot be distinguished from prose.
 */
export function secretIn(text: string): string | undefined {
  // Blanks are reduced to single ones, so that no pattern has to try different numbers of them.
  const plain = toPlain(text)
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n');
  const shape = shapes.find(({ pattern }) => pattern.test(plain));
  if (shape) return shape.name;
  if (valuesOf(password, plain).some(isPassword)) return 'a password';
  return valuesOf(key, plain).some(isKey) ? 'a key' : undefined;
}

/** Keys that are recognizable by their format. */
const shapes: readonly { name: string; pattern: RegExp }[] = [
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
  { name: 'a token', pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}/ },
  // Tokens of our sign-in links and refresh tokens.
  { name: 'a token', pattern: /(?<![a-z0-9])(?:si|rt)_[\w-]{32,}/i },
  // Our keys and those of others: sk_production_…, sk_live_…, rk_live_….
  { name: 'a secret key', pattern: /(?<![a-z0-9])[sr]k_[\w-]{8,}/i },
  { name: 'a secret key', pattern: /(?<![\w-])sk-(?=[\w-]*\d)[\w-]{16,}/ },
  { name: 'a signing secret', pattern: /(?<![a-z0-9])whsec_[\w+/=-]{12,}/i },
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

/**
 * Matches a name and its value: `name: value`, `"name" => "value"`, `name is value`, `name is: value`,
 * `<name>value</name>`. The value may be on the next line.
 */
function assignment(names: string): RegExp {
  const quote = String.raw`["'\x60*_\\“”‘’«»]{0,3}`;
  const verb = '(?:is|was|are|ist|lautet|war|est|es|é)';
  const sign = String.raw`(?:=>|:=|[:=])[*_]{0,2}`;
  const link = String.raw`(?<sign>(?: ${verb})?${quote} ?${sign}(?: ${verb}(?= ))?)|${quote} ${verb}(?= )|(?<tag>>)(?=[^<>\n]*</)`;
  const value = String.raw`(?<gap> ?\n{0,2})${quote}(?<value>[^\s"'’\x60]+)`;
  return new RegExp(
    String.raw`(?:${names})(?:s|\d)?${quote}(?:${link})${value}(?= (?<goesOn>[\p{L}\p{N}])|)`,
    'giu',
  );
}
const password = assignment(passwordNames);
const key = assignment(keyNames);

type Assigned = {
  value: string;
  /** Whether the value follows a sign on the same line, where any text is meant as the value. */
  isCertain: boolean;
  /** Whether another word follows. */
  goesOn: boolean;
};

const valuesOf = (pattern: RegExp, text: string): Assigned[] =>
  Array.from(text.matchAll(pattern), ({ groups = {} }) => ({
    value: (groups['value'] ?? '')
      .replace(/<\/.*$/, '')
      .replace(/(?<![.,;:!?)}\]”’»*_])[.,;:!?)}\]”’»*_]+$/u, ''),
    isCertain:
      (groups['sign'] ?? groups['tag']) !== undefined && !groups['gap']?.includes('\n') && !groups['short'],
    goesOn: groups['goesOn'] !== undefined,
  }));

const isPassword = ({ value, isCertain, goesOn }: Assigned): boolean => {
  if (absent.test(value)) return false;
  if (isMadeUp(value)) return true;
  if (!isCertain || mask.test(value) || words.test(value)) return false;
  return !(goesOn && ordinaryWords.has(value.toLowerCase()));
};

const isKey = ({ value: whole, isCertain }: Assigned): boolean => {
  const value = whole.split(/[,;&]/, 1)[0] ?? '';
  if (!/^[\w.~+/=!@#$%^*-]{8,}$/.test(value) || mask.test(value) || idOrDate.test(value)) return false;
  if (!isCertain) return (value.match(/\w{8,}/g) ?? []).some(hasDigitAndLetter);
  return /\d/.test(value) || /[a-z]{16}/i.test(value) || value.length >= 24;
};

/** Returns true for values that cannot be words: they contain a digit, or a sign inside. */
const isMadeUp = (value: string): boolean =>
  (hasDigitAndLetter(value) && !/^\d{1,3}-/.test(value)) || /[\p{L}\d][!@#$%^&*+=?][\p{L}\d]/u.test(value);
const hasDigitAndLetter = (value: string): boolean => /\d/.test(value) && /\p{L}/u.test(value);

/** Matches `${NAME}`, `$NAME`, `%NAME%`, `{{name}}`, or what follows an empty value. */
const absent = /^(?:[&,;]|\$\{|\$[A-Z_]+$|%[A-Z_]+%?$|\{\{)/;
/** Matches a hidden value, a placeholder, or nothing. */
const mask =
  /^(?:|[*•.…_-]+|x{2,}|[<[{(].*|null|none|nil|empty|true|false|undefined|redacted|removed|hidden|unknown)$/iu;
const idOrDate = /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d{4}-\d\d-\d\d(?:[t_].*)?)$/i;

/** Words that continue a sentence, as in `Password: must not be blank`. "don" is what is left of "don't". */
const sentence = `a an the this that it its is isn are was i we my you they he she no not nothing never always still only can cannot
  could do don does doesn did didn must may should will would won has have had how what when where which why who after
  before if on in at to for and or but please wrong correct incorrect invalid valid required blank forgot forgotten lost
  too das der die es ich wir ist wird kann nicht falsch vergessen field box input page link mail email message text`;
const verbs =
  'reset error fail say show display work need expire contain accept reject refuse change get ask tell appear';
const anyOf = (list: string): string => list.replaceAll(/\s+/g, '|');
const words = new RegExp(`^(?:${anyOf(sentence)}|(?:${anyOf(verbs)})(?:e?[sd]|ing)?)$`, 'iu');
