import { merchantCreditAdd } from '../../../api/account/merchant-credit-add';
import { planName } from '../../../api/account/merchant-fields';
import { requiredName } from '../../../api/platform/operation/vocabulary';
import { numberOf } from '../../../api/platform/site/parse-form';

describe('the fields of an account', () => {
  it.each([
    ['12.5', 12.5],
    ['-3', -3],
    ['+2', 2],
    ['0x10', NaN],
    ['1e2', NaN],
    ['0b11', NaN],
    ['', NaN],
  ])('reads the amount %p in a form as %p', (text, number) => expect(numberOf(text)).toBe(number));

  it.each([
    [{ amount: 0.29 }, []],
    [{ amount: -9_999.99 }, []],
    [{ amount: 0.0100000001 }, ['amount']],
    [{ reason: 'abc' }, []],
    [{ reason: 'a\u200b\u200b' }, ['reason']],
  ])('checks decimals and visible characters of an addition of credits: %p', (fields, wrong) => {
    const { error } = merchantCreditAdd.input.safeParse({ ...merchantCreditAdd.example, ...fields });
    expect((error?.issues ?? []).map(({ path }) => path.join('.'))).toEqual(wrong);
  });

  it('trims a name after its invisible characters are removed', () => {
    expect(requiredName(10).parse('\u200b A\u202eB \u3164')).toBe('AB');
  });

  it.each([
    ['Special', true],
    ['Special Offer', true],
    ['special', false],
    ['Spe cial', false],
  ])('takes the plan %p: %p', (name, isTaken) => expect(planName.safeParse(name).success).toBe(isTaken));
});
