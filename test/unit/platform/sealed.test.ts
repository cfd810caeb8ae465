import { randomBytes } from 'node:crypto';
import { createSeal } from '../../../db/platform/sealed';

const key = (name: string) => `${name}:${randomBytes(32).toString('base64')}`;
const context = 'embed_key/1';
/** Matches the errors of Node and of `open` for sealed bytes that cannot be decrypted. */
const refused = /authenticate data|SEALING_KEYS does not name|authentication tag|initialization vector/i;
const secret = 'esk_a secret with ümlauts and 🙂';

describe('a sealed text', () => {
  it('opens with its key', () => {
    const { seal, open } = createSeal(key('k1'));
    for (const text of [secret, '', 'x'.repeat(1_000_000)])
      expect(open(seal(text, context), context)).toBe(text);
  });

  it('shows nothing of the text, and differs each time', () => {
    const { seal } = createSeal(key('k1'));
    const [one, two] = [seal(secret, context), seal(secret, context)];
    expect(one.equals(two)).toBe(false);
    expect(one.toString('latin1')).not.toContain('secret');
  });

  it('does not open in another context', () => {
    const { seal, open } = createSeal(key('k1'));
    expect(() => open(seal(secret, context), 'embed_key/2')).toThrow(refused);
    expect(() => open(seal(secret, context), '')).toThrow(refused);
  });

  it('does not open after a bit is flipped', () => {
    const { seal, open } = createSeal(key('k1'));
    const sealed = seal('short', context);
    for (const [at, byte] of sealed.entries()) {
      const changed = Buffer.from(sealed);
      changed[at] = byte ^ 1;
      expect(() => open(changed, context)).toThrow(refused);
    }
  });

  it('does not open when it is cut off or extended', () => {
    const { seal, open } = createSeal(key('k1'));
    const sealed = seal('short', context);
    for (let length = 0; length < sealed.length; length++)
      expect(() => open(sealed.subarray(0, length), context)).toThrow(refused);
    expect(() => open(Buffer.concat([sealed, Buffer.from('x')]), context)).toThrow(refused);
  });

  it('does not open with another key of the same name or without the key', () => {
    const sealed = createSeal(key('k1')).seal(secret, context);
    expect(() => createSeal(key('k1')).open(sealed, context)).toThrow(refused);
    expect(() => createSeal(key('k2')).open(sealed, context)).toThrow(
      'a key that SEALING_KEYS does not name',
    );
  });

  it('is sealed with the first key after a rotation and opens with every key', () => {
    const [old, fresh] = [key('old'), key('fresh')];
    const before = createSeal(old).seal(secret, context);
    const rotated = createSeal(`${fresh}, ${old}`);
    expect(rotated.open(before, context)).toBe(secret);
    const after = rotated.seal(secret, context);
    expect(createSeal(fresh).open(after, context)).toBe(secret);
    expect(() => createSeal(old).open(after, context)).toThrow(refused);
  });

  it.each([
    '',
    ',',
    'k1',
    'k1:',
    ':',
    `:${'A'.repeat(43)}=`,
    'k1:c2hvcnQ=',
    `${key('k1')},`,
    `k1:${'A'.repeat(86)}==`,
  ])('cannot be made with the keys %j', (list) =>
    expect(() => createSeal(list)).toThrow(/^SEALING_KEYS must /),
  );

  it('cannot be made with two keys of one name', () => {
    expect(() => createSeal(`${key('k1')},${key('k1')}`)).toThrow(/^SEALING_KEYS must /);
  });

  it('cannot be made with a name of over 255 bytes, which its layout could not hold', () => {
    expect(() => createSeal(key('n'.repeat(256)))).toThrow(/^SEALING_KEYS must /);
    const long = createSeal(key('n'.repeat(255)));
    expect(long.open(long.seal(secret, context), context)).toBe(secret);
  });
});
