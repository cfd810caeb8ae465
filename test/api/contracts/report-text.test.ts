import { reportText, secretIn } from '../../../api/contracts/report-text';

// Put together here, so that nobody's scanner takes them for real.
const joined = (...parts: string[]) => parts.join('');
const random = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7';
const jwt = joined('eyJhbGciOiJFUzI1NiJ9', '.', 'eyJzdWIiOiIxIn0', '.', random);

describe('secretIn', () => {
  it.each([
    ['a private key', joined('-----BEGIN ', 'PRIVATE KEY-----\nMIIE')],
    ['a private key', joined('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE')],
    ['a private key', joined('-----BEGIN OPENSSH ', 'PRIVATE KEY-----\nb3Bl')],
    ['a private key', joined('-----BEGIN PGP ', 'PRIVATE KEY BLOCK-----\nlQ')],
    ['a token', `It says ${jwt} is expired`],
    ['a token', `https://portal.example/interview/take/1/?interview_token=${jwt}`],
    ['a token', `Authorization: Bearer ${jwt}`],
    ['a secret key', joined('sk', '_production_', random)],
    ['a secret key', joined('my key (sk', '_live_', random, ') fails')],
    ['a secret key', joined('rk', '_test_', random)],
    ['a secret key', joined('sk', '-proj-', random)],
    ['a signing secret', joined('whsec', '_', random)],
    ['an access key', joined('AKIA', 'IOSFODNN7EXAMPLE')],
    ['an access token', joined('gh', 'p_', random)],
    ['an access token', joined('github', '_pat_', random)],
    ['an access token', joined('gl', 'pat-', random)],
    ['an access token', joined('xox', 'b-123456789012-', random)],
    ['an API key', joined('AIza', random, random.slice(0, 8))],
    ['an API key', joined('SG', '.', random, '.', random)],
    ['credentials', `authorization: basic ${random}`],
    ['an address with a password', 'postgres://app:hunter2@db.example/app does not answer'],
    ['a password', 'password: x'],
    ['a password', 'My Password is: hunter2'],
    ['a password', 'PASSWORD=hunter2'],
    ['a password', 'DB_PASSWORD=hunter2'],
    ['a password', '{"user": "ann", "password": "hunter2"}'],
    ['a password', "'password' => 'hunter2'"],
    ['a password', 'Passwort: geheim'],
    ['a password', 'Kennwort = geheim'],
    ['a password', 'pwd=geheim'],
    ['a password', 'pw: geheim'],
    ['a password', 'mot de passe : azerty'],
    ['a password', 'Contraseña: secreto'],
    ['a password', 'пароль: qwerty'],
    ['a password', '密码：qwerty'],
    ['a password', 'login?user=ann&password=hunter2'],
    ['a key', 'api_key=4f5e6d7c8b9a'],
    ['a key', 'X-Api-Key: 4f5e6d7c8b9a'],
    ['a key', '"client_secret": "0123456789abcdef"'],
    ['a key', 'access token: 0123456789abcdef'],
  ])('finds %s in %j', (name, text) => {
    expect(secretIn(text)).toBe(name);
    expect(secretIn(`It does not work.\n\n${text}\n\nThank you.`)).toBe(name);
  });

  it.each([
    'I forgot my password',
    'I forgot my password: can you help?',
    'Password: must not be blank, says the page',
    'The page says "Password: this field is required."',
    'password reset: the mail never comes',
    'The password is wrong, it says',
    'password: ********',
    'password: <redacted>',
    'password=${DB_PASSWORD}',
    '{"password": ""}',
    '{"password": null}',
    'token: expired',
    'The API key: invalid, says the answer of 401',
    'The access token is good for an hour',
    'We use a secret manager. Secret: none',
    'A basic understanding-of-internationalization is needed',
    'bearer of bad news',
    'The locale is sk_SK and the disk_usage_percentage is fine',
    'The task-list-of-the-second-interview sk-something-that-is-prose',
    'It is https://portal.example:8443/interview/take/01a1fcf7-b13e-74de-bd85-c2fc187618e1/',
    'Write to https://example.com/@ann or to ann@example.com',
    'The public key begins with -----BEGIN PUBLIC KEY-----',
    'The result 01a1fcf7-b13e-74de-bd85-c2fc187618e1 has no score',
    'The httpwatch says: fine',
  ])('lets %j pass', (text) => {
    expect(secretIn(text)).toBeUndefined();
  });

  it('4,000 characters that nearly match: no slower than others', () => {
    const hard = [
      'password '.repeat(440),
      `password${' '.repeat(3_900)}`,
      `eyJ${'a'.repeat(3_900)}`,
      '-'.repeat(4_000),
    ];
    for (const text of [...hard, 'sk-a'.repeat(1_000), '://a:'.repeat(800)])
      expect(secretIn(text)).toBeUndefined();
  });
});

describe('reportText', () => {
  const messageOf = (text: unknown) => reportText(10, 20).safeParse(text).error?.issues[0]?.message;

  it('counts characters as Postgres does, without the blanks around', () => {
    expect(reportText(10, 20).parse('\n 1234567890 \n')).toBe('1234567890');
    expect(messageOf(' 123456789 ')).toBe('must have at least 10 characters');
    expect(messageOf('a🙂🙂🙂🙂🙂')).toBe('must have at least 10 characters');
    expect(messageOf(`a${'🙂'.repeat(19)}`)).toBeUndefined();
    expect(messageOf(`a${'🙂'.repeat(20)}`)).toBe('must have at most 20 characters');
    expect(messageOf('a'.repeat(100))).toBe('must have at most 20 characters');
  });

  it('refuses what says nothing', () => {
    expect(messageOf('\u200b'.repeat(12))).toBe('must say something');
    expect(messageOf('?'.repeat(12))).toBe('must say something');
  });

  it('refuses a password without repeating it', () => {
    expect(messageOf('password: hunter2')).toBe(
      'must not contain passwords or keys, and it has what looks like a password: take it out',
    );
  });
});
