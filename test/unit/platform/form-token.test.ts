import { formToken, isFormToken, writeFormToken } from '../../../api/platform/site/form-token';

const own = formToken('a cookie');

describe('a form token', () => {
  it('is written differently each time and accepted each time', () => {
    const written = [writeFormToken(own), writeFormToken(own)];
    expect(new Set(written).size).toBe(2);
    expect(written.map((each) => isFormToken(each, own))).toEqual([true, true]);
  });

  it.each([
    ['another session', writeFormToken(formToken('another cookie'))],
    ['no mask', own.toString('base64url')],
    ['the half of a token', writeFormToken(own).slice(0, 43)],
    ['a long text', 'A'.repeat(1_000_000)],
    ['nothing', ''],
    ['no text', undefined],
    ['a list', [writeFormToken(own)]],
  ])('is not accepted with %s', (_what, sent) => {
    expect(isFormToken(sent, own)).toBe(false);
  });
});
