import { z } from 'zod';
import { validateRow } from '../../../api/people/validate-row';

const validate = (row: unknown) => validateRow(row, z.object({ email: z.string() }), new Set(['email']));

describe('validateRow', () => {
  it.each([
    [{ email: 'a@b.example', 'a\0b': 1 }, 'The row'],
    [{ email: 'a@b.example', '\ud800': 1 }, 'The row'],
    [{ email: 'a@b.example', more: { '\ud800': 1 } }, 'more'],
    [{ email: 'a\0' }, 'email'],
  ])('reports what is wrong in the row %j: %s', (row, field) => {
    const error = expect.stringMatching(new RegExp(`^${field} must not`));
    expect(validate(row)).toEqual({ code: 'invalid_value', error });
  });
});
