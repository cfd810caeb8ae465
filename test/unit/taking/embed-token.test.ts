import { readEmbedToken } from '../../../api/taking/embed/embed-token';
import { signToken } from '../../harness/taking/embed';

const embed_signing_key = 'esk_of_this_test_which_is_long_enough_for_hs256';
const sign = (claims?: Record<string, unknown>, header?: Record<string, unknown>) =>
  signToken({ embed_signing_key }, claims, header);
const problemOf = async (token: unknown) => {
  const read = await readEmbedToken(token, embed_signing_key);
  return 'problem' in read ? read.problem : read.isExpired;
};
const now = Math.floor(Date.now() / 1_000);

describe('the token of an embedded interview', () => {
  it('is read with its candidate, also when it has expired', async () => {
    expect(await readEmbedToken(sign({ email: 'ann@example.com' }), embed_signing_key)).toMatchObject({
      candidate: { email: 'ann@example.com' },
      isExpired: false,
    });
    expect(await problemOf(sign({ exp: now - 30 }))).toBe(false);
    expect(await problemOf(sign({ exp: now - 120 }))).toBe(true);
  });

  const [header = '', claims = ''] = sign().split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  it.each([
    ['another key', signToken({ embed_signing_key: 'esk_other' })],
    ['another algorithm', sign({}, { alg: 'HS512' })],
    ['no algorithm', `${none}.${claims}.`],
    ['no signature', `${header}.${claims}`],
    ['no token', 'x'],
    ['an empty text', ''],
    ['a long text', 'x'.repeat(5_000)],
    ['a list', ['x']],
  ])('is not signed with %s', async (_, token) => {
    expect(await problemOf(token)).toBe('signature_invalid');
  });

  it.each([
    { email: undefined },
    { email: 'nobody' },
    { email: ['ann@example.com'] },
    { name: 'A\0' },
    { external_id: 5 },
    { jti: undefined },
    { jti: '' },
    { jti: 'x'.repeat(201) },
    { exp: undefined },
    { exp: '9999999999' },
    { exp: now + 4_000 },
    { exp: now + 86_400, iat: now + 85_000 },
  ])('has wrong claims with %j', async (wrong) => {
    expect(await problemOf(sign(wrong))).toBe('claims_invalid');
  });
});
