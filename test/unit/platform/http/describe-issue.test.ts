import { z } from 'zod';
import { describeIssues } from '../../../../api/platform/http/describe-issue';
import { languageCode, queryBoolean, uuid } from '../../../../api/platform/operation/vocabulary';

const shape = z.object({
  text: z.string().trim().min(1).max(5).optional(),
  long: z.string().min(3).optional(),
  count: z.int().min(1).max(40).optional(),
  list: z
    .array(z.object({ name: z.string() }))
    .min(1)
    .max(2)
    .optional(),
  language: languageCode.optional(),
  flag: queryBoolean.optional(),
  map: z.record(z.string(), z.unknown()).optional(),
  must: z.string(),
});
describe('describeIssues', () => {
  it('returns a message that is a whole sentence without the name of the field', () => {
    const several = z.object({ id: z.string() }).refine(() => false, { path: ['id'], error: 'Send one more: a, b' });
    const { error } = several.safeParse({ id: 'x' });
    expect(describeIssues(error?.issues, { id: 'x' })).toMatchObject({ message: 'Send one more: a, b.', field: 'id' });
  }); // prettier-ignore

  it('keeps a message under 600 characters, whatever the vocabulary and the key', () => {
    const words = Array.from({ length: 500 }, (_, index) => `value-${index}`);
    const key = 'k'.repeat(400);
    const input = { [key]: 'x' };
    const { error } = z.object({ [key]: z.enum(words) }).safeParse(input);
    const { message, field } = describeIssues(error?.issues, input);
    expect(message.length).toBeLessThanOrEqual(600);
    expect(message).toMatch(/value-0, value-1, .*value-\d+ and \d+ more\.$/);
    expect(field).toHaveLength(200);
  });

  it('cuts a long sentence after a whole word', () => {
    const { error } = z
      .string()
      .refine(() => false, `Send ${'word '.repeat(200)}`)
      .safeParse('');
    const { message } = describeIssues(error?.issues, '');
    expect(message.length).toBeLessThanOrEqual(600);
    expect(message).toMatch(/ word…$/);
  });

  it('lists every wrong field once with its code, and returns the first one as the error itself', () => {
    const input = { text: 5, count: 41, list: [{}, { name: 1 }], language: 'xx', flag: null };
    const { error } = shape.safeParse(input);
    const { code, field, errors } = describeIssues(error?.issues, input);
    expect([code, field]).toEqual(['invalid_type', 'text']);
    expect(errors.map(({ name, code }) => [name, code])).toEqual([
      ['text', 'invalid_type'],
      ['count', 'too_large'],
      ['list[0].name', 'required'],
      ['list[1].name', 'invalid_type'],
      ['language', 'invalid_value'],
      ['flag', 'invalid_type'],
      ['must', 'required'],
    ]);
  });

  it.each([
    [{ text: ' ' }, 'too_short'],
    [{ text: '123456' }, 'too_long'],
    [{ list: [] }, 'too_short'],
    [{ list: [{ name: '' }, { name: '' }, { name: '' }] }, 'too_long'],
    [{ count: 0 }, 'too_small'],
    [{ count: null }, 'invalid_type'],
    [{ id: 'x' }, 'invalid_format'],
    [{ state: 'any' }, 'state_conflict'],
  ])('returns for %j the code %s', (more, code) => {
    const input = { must: 'x', ...more };
    const state = z.string().refine(() => false, { error: 'no', params: { code: 'state_conflict' } });
    const { error } = shape.extend({ id: uuid.optional(), state: state.optional() }).safeParse(input);
    expect(describeIssues(error?.issues, input).code).toBe(code);
  });

  it('lists at most 100 errors', () => {
    const input = Array.from({ length: 500 }, () => 1);
    const { error } = z.array(z.string()).safeParse(input);
    expect(describeIssues(error?.issues, input).errors).toHaveLength(100);
  });

  it('returns a 422 when there is no issue', () => {
    expect(describeIssues(undefined, {})).toMatchObject({
      status: 422,
      message: 'The request could not be read. Compare its parameters and its body with the API reference.',
    });
  });
});
