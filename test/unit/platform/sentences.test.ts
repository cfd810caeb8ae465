import { z } from 'zod';
import { checkText } from '../../../api/platform/http/check-text';
import { describeIssues } from '../../../api/platform/http/describe-issue';
import { languageCode, queryBoolean } from '../../../api/platform/operation/vocabulary';
import { dateTime } from '../../../api/platform/text/date-time';
import { findUrlProblem } from '../../../api/platform/text/webhook-url';
import { customHeaders } from '../../../api/webhooks/webhook-headers';

/*
 * Returns the message of a validation error. Only this file tests the wording; other tests check status, name and
 * code.
 */

const messageOf = (work: () => unknown): string => {
  try {
    return String(work());
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
const issueOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;

describe('the sentence of a field', () => {
  const shape = z.object({
    text: z.string().trim().min(1).max(5).optional(),
    long: z.string().min(3).optional(),
    count: z.int().min(1).max(40).optional(),
    list: z.array(z.object({ name: z.string() })).min(1).max(2).optional(),
    language: languageCode.optional(),
    flag: queryBoolean.optional(),
    map: z.record(z.string(), z.unknown()).optional(),
    must: z.string(),
  }); // prettier-ignore

  it.each([
    [{ text: 5 }, 'text must be a text.'],
    [{ text: '  ' }, 'text must not be blank.'],
    [{ text: '123456' }, 'text must have at most 5 characters.'],
    [{ long: 'a' }, 'long must have at least 3 characters.'],
    [{ count: 'a' }, 'count must be a number.'],
    [{ count: 1.5 }, 'count must be a whole number.'],
    [{ count: 0 }, 'count must be at least 1.'],
    [{ count: 41 }, 'count must be at most 40.'],
    [{ count: null }, 'count must not be null.'],
    [{ list: {} }, 'list must be a list.'],
    [{ list: [] }, 'list must have at least 1 item.'],
    [{ list: [{ name: '' }, { name: '' }, { name: '' }] }, 'list must have at most 2 items.'],
    [{ list: [{ name: 'a' }, {}] }, 'list[1].name is required.'],
    [{ list: [5] }, 'list[0] must be an object.'],
    [{ flag: 'yes' }, 'flag must be one of: true, false.'],
    [{ map: 5 }, 'map must be an object.'],
    [{ must: undefined }, 'must is required.'],
  ])('for %j is: %s', (more, sentence) => {
    const input = { must: 'x', ...more };
    expect(describeIssues(shape.safeParse(input).error?.issues, input).message).toBe(sentence);
  });

  it('lists the known values for an unknown one', () => {
    const input = { must: 'x', language: 'xx' };
    const { message } = describeIssues(shape.safeParse(input).error?.issues, input);
    expect(message).toMatch(/^language must be one of: ar, bg, zh, .*, vi\.$/);
  });

  it.each([
    ['{"a":"\\u0000"}', 'a must not contain a NUL character.'],
    ['{"\\u0000":1}', 'The body must not contain a NUL character.'],
    ['{"a":["\\ud800"]}', 'a[0] must not contain half of a surrogate pair.'],
    ['{"a":1e400}', 'a must be a finite number.'],
    ['{"a":1e300}', 'a must be at most 9007199254740991.'],
    ['{"a":-1e300}', 'a must be at least -9007199254740991.'],
    [`{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'a must not be nested more than 32 levels deep.'],
  ])('for the body %s is: %s', (body, sentence) => {
    expect(messageOf(() => checkText(JSON.parse(body)))).toBe(sentence);
  });

  const offset = 'must end with Z or a UTC offset between -15:59 and +15:59, such as 2026-01-15T09:30:00Z';
  it.each([
    ['2026-01-15T09:30:00', offset],
    ['2026-01-15T09:30:00+16:00', offset],
    ['2026-01-15', 'must be a date and time, such as 2026-01-15T09:30:00Z'],
  ])('for the time %s is: %s', (sent, sentence) => {
    expect(issueOf(dateTime, sent)).toBe(sentence);
  });

  it.each([
    ['ftp://example.com/', 'must begin with https://'],
    ['https://example.com:22/', 'must use one of these ports: 443'],
    ['https://127.1/', 'must not name the address 127.0.0.1: it is not public'],
    ['https://user:pw@example.com/', 'must not contain a user name or password. Send them in custom_headers'],
  ])('for the address %s is: %s', (url, sentence) => {
    const targets = { allowedRanges: [], allowedPorts: [], allowHttp: false };
    expect(findUrlProblem(url, targets)).toBe(sentence);
  });

  it.each([
    [{ host: 'x' }, 'must not be set, because the platform sets this header'],
    [{ 'x y': 'x' }, 'must have a name of letters, digits and hyphens, such as x-api-key'],
    [{ ['a'.repeat(101)]: 'x' }, 'must have a name of at most 100 characters'],
    [{ 'x-a': '€' }, 'must have only printable Latin-1 characters'],
    [{ 'x-a': 'v'.repeat(1_025) }, 'must have at most 1024 characters'],
    [{ 'x-a': '1', 'X-A': '2' }, 'is listed twice. Header names are not case-sensitive'],
  ])('for the headers %.40j is: %s', (headers, sentence) => {
    expect(issueOf(customHeaders, headers)).toBe(sentence);
  });
});
