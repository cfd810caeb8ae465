import * as fc from 'fast-check';
import { emailKey } from '../../../db/people/email-key';

describe('emailKey', () => {
  it.each([
    ['the case of all of it', 'Ann.Lee@Example.COM', 'ann.lee@example.com'],
    [
      'a domain in letters of its language, and as DNS has it',
      'ann@Bücher.example',
      'ann@xn--bcher-kva.example',
    ],
    ['the case of such a domain', 'ann@BÜCHER.EXAMPLE', 'ann@bücher.example'],
    ['composed and decomposed letters of the name', 'jose\u0301@any.example', 'jos\u00e9@any.example'],
    ['composed and decomposed letters of the domain', 'ann@bu\u0308cher.example', 'ann@b\u00fccher.example'],
    ['letters of any script, whatever their case', 'ИВАН@any.example', 'иван@any.example'],
    ['an I, which is no Turkish one', 'IBRAHIM@any.example', 'ibrahim@any.example'],
    ['an I of the domain', 'ann@ISTANBUL.example', 'ann@istanbul.example'],
    ['full-width letters of the domain', 'ann@ｅｘａｍｐｌｅ.com', 'ann@example.com'],
  ])('ignores %s', (_, one, other) => {
    expect(emailKey(one)).toBe(emailKey(other));
  });

  it.each([
    ['a plus tag', 'ann+jobs@any.example', 'ann@any.example'],
    ['dots', 'a.nn@any.example', 'ann@any.example'],
    ['a subdomain', 'ann@mail.any.example', 'ann@any.example'],
    ['a Turkish dotless i', 'ıbrahim@any.example', 'ibrahim@any.example'],
    ['an accent', 'josé@any.example', 'jose@any.example'],
    ['an at sign in the name', '"ann@any"@any.example', 'ann@any.example'],
  ])('distinguishes %s', (_, one, other) => {
    expect(emailKey(one)).not.toBe(emailKey(other));
  });

  it('returns a plain address unchanged', () => {
    expect(emailKey('ann+jobs@any.example')).toBe('ann+jobs@any.example');
  });

  it('keeps a domain that DNS could not have, in lower case', () => {
    expect(emailKey('ann@Exa mple')).toBe('ann@exa mple');
  });

  it('returns a key unchanged', () => {
    const address = fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.domain());
    fc.assert(
      fc.property(address, ([name, domain]) => {
        const key = emailKey(`${name}@${domain}`);
        expect(emailKey(key)).toBe(key);
      }),
    );
  });
});
