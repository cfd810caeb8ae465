import { candidateRow } from '../../../api/people/user-rows';
import { validateRow } from '../../../api/people/validate-row';

const known = new Set(Object.keys(candidateRow.shape));
const errorOf = (row: unknown) => validateRow(row, candidateRow, known).error;

describe('the row of a candidate', () => {
  it.each([
    [5, 'Each entry of users must be an object with an email.'],
    [[], 'Each entry of users must be an object with an email.'],
    [{}, 'email is required.'],
    [{ email: 5 }, 'email must be a text.'],
    [{ email: 'a@b.example', name: 5 }, 'name must be a text.'],
    [{ email: 'a@b.example', external_id: 'x'.repeat(201) }, 'external_id must have at most 200 characters.'],
    [{ email: 'a@b.example', name: 'x'.repeat(10_240) }, 'name must have at most 200 characters.'],
    [{ email: 'a@b.example', phone: ['1'] }, 'phone must be a text.'],
    [{ email: `${'x'.repeat(250)}@b.example` }, 'email must have at most 254 characters.'],
    [{ email: 'a@b.example', name: 'a\0b' }, 'name must not contain a NUL character.'],
    [
      { email: 'a@b.example', external_id: '\ud800' },
      'external_id must not contain half of a surrogate pair.',
    ],
    [
      { email: 'a@b.example', more: { deep: ['\udfff'] } },
      'more.deep[0] must not contain half of a surrogate pair.',
    ],
  ])('says what is wrong with %j', (row, error) => {
    expect(errorOf(row)).toBe(error);
  });

  it.each([
    ['\u3164\u3164', null],
    [' \u200b\u2800 ', null],
    ['Ann\u3164\u202e Lee', 'Ann Lee'],
    ['Zoë \u{1f469}\u200d\u{1f680}', 'Zoë \u{1f469}\u200d\u{1f680}'],
    ['علی\u200cرضا', 'علی\u200cرضا'],
    ['葛\u{e0100}城', '葛\u{e0100}城'],
  ])('reads the name %j without the characters that no reader sees', (name, shown) => {
    expect(candidateRow.parse({ email: 'a@b.example', name }).name).toBe(shown);
  });

  it.each([
    '', ' ', 'ann', 'ann@', '@example.com', 'ann@example', 'ann@@example.com', 'ann lee@example.com', '.ann@example.com',
    'ann.@example.com', 'a..b@example.com', 'ann@-example.com', 'ann@example-.com', 'ann@example..com', 'ann@127.0.0.1',
    'ann@example.com, bo@example.com', 'Ann <ann@example.com>', 'ann@example.com\nbcc: bo@example.com', 'ann@exa\tmple.com',
    `${'x'.repeat(65)}@example.com`, `ann@${'x'.repeat(64)}.com`,
  ])('rejects the email address %j', (email) => {
    expect(errorOf({ email })).toBe('email must be an email address, such as ann@example.com.');
  }); // prettier-ignore

  it.each([
    'ann+tag@example.com', "o'neil@example.com", 'ann@bücher.example', 'ännchen@example.com', '安@例え.テスト',
    'ann@xn--bcher-kva.example', 'a@b.co', `${'x'.repeat(64)}@example.com`, 'ANN@EXAMPLE.COM',
  ])('accepts the email address %s', (email) => {
    expect(validateRow({ email }, candidateRow, known).row).toMatchObject({ email });
  }); // prettier-ignore
});
