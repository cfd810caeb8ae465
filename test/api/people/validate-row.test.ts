import { z } from 'zod';
import { validateRow } from '../../../api/people/validate-row';

const validate = (row: unknown) => validateRow(row, z.object({ email: z.string() }), new Set(['email']));

describe('validateRow', () => {
  it.each([
    [{ email: 'a@b.example', 'a\0b': 1 }, 'The row must not contain a NUL character'],
    [{ email: 'a@b.example', '\ud800': 1 }, 'The row must not contain half of a surrogate pair'],
    [{ email: 'a@b.example', more: { '\ud800': 1 } }, 'more must not contain half of a surrogate pair'],
    [{ email: 'a\0' }, 'email must not contain a NUL character'],
  ])('speaks of the row at %j', (row, error) => {
    expect(validate(row)).toEqual({ code: 'invalid_value', error });
  });
});
