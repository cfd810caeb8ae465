import * as fc from 'fast-check';
import { emailKey } from '../../../db/people/email-key';

describe('emailKey', () => {
  it.each([
    ['upper and lower case', 'Ann.Lee@Example.COM', 'ann.lee@example.com'],
    ['whether an international domain is encoded for DNS', 'ann@Bücher.example', 'ann@xn--bcher-kva.example'],
    ['upper and lower case of an international domain', 'ann@BÜCHER.EXAMPLE', 'ann@bücher.example'],
    ['composed and decomposed letters of the name', 'jose\u0301@any.example', 'jos\u00e9@any.example'],
    ['composed and decomposed letters of the domain', 'ann@bu\u0308cher.example', 'ann@b\u00fccher.example'],
    ['upper and lower case of any script', 'ИВАН@any.example', 'иван@any.example'],
    ['upper and lower case of I, which is not read as Turkish', 'IBRAHIM@any.example', 'ibrahim@any.example'],
    ['upper and lower case of I in the domain', 'ann@ISTANBUL.example', 'ann@istanbul.example'],
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

  it('keeps a domain that is not valid in DNS, in lower case', () => {
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
