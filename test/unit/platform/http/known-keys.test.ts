import { z } from 'zod';
import { inviteUsers } from '../../../../api/people/invite-users';
import { jobInterviewRegisterUsers } from '../../../../api/people/job-interview-register-users';
import { ignoredFieldsHeader, ignoredKeys, suggestField } from '../../../../api/platform/http/known-keys';
import { defineOperation } from '../../../../api/platform/operation/define-operation';
import { freeObject, optionalField, fieldWithDefault } from '../../../../api/platform/operation/vocabulary';

const operation = defineOperation({
  name: 'thing-update',
  method: 'POST',
  tag: 'Support',
  summary: 'Change a thing',
  description: 'Changes a thing.',
  roles: [],
  serviceKeys: false,
  needsMerchant: false,
  aliases: { title: 'name' },
  input: z.object({
    name: z.string(),
    company: optionalField(z.object({ city: optionalField(z.string()) })),
    steps: fieldWithDefault(z.array(z.object({ label: z.string() })), []),
    rows: z.array(z.unknown()).optional(),
    free: optionalField(freeObject(100)),
    any: z.unknown(),
    lax: z.looseObject({}).optional(),
  }),
  example: { name: 'A', any: null },
  reply: z.object({}),
  replyExample: {},
  statuses: [],
  handle: () => Promise.reject(new Error('not called')),
});
const ignored = (sent: unknown) => ignoredKeys(operation, sent);

describe('ignoredKeys', () => {
  it.each([
    [{ name: 'A', title: 'A', merchant_id: 'x' }, []],
    [{ name: 'A', titel: 'B' }, ['titel']],
    [{ company: { city: 'A', town: 'B' } }, ['company.town']],
    [
      {
        steps: [
          { label: 'A', colour: 1 },
          { colour: 2, size: 3 },
        ],
      },
      ['steps[].colour', 'steps[].size'],
    ],
    [{ rows: [{ any: 1 }], free: { a: { b: 1 } }, any: { a: 1 }, lax: { a: 1 } }, []],
    [JSON.parse('{"__proto__": 1, "constructor": 2}'), ['__proto__', 'constructor']],
    [{ company: [{ town: 'A' }], steps: { label: 'A' } }, ['company.0']],
    [null, []],
    ['text', []],
    [[1], ['0']],
  ])('returns for %j the names %j', (sent, names) => {
    expect(ignored(sent)).toEqual(names);
  });

  it('returns the keys of rows that are validated one by one', () => {
    const users = [{ email: 'a', nam: 'A' }, 5, null, { nam: 'B', interview_id: { a: 1 } }];
    expect(ignoredKeys(inviteUsers, { users, force: true })).toEqual(['force', 'users[].nam']);
    expect(ignoredKeys(jobInterviewRegisterUsers, { users })).toEqual([
      'users[].nam',
      'users[].interview_id',
    ]);
    expect(ignoredKeys(inviteUsers, { users: 'none' })).toEqual([]);
  });

  it('returns two quotes for a key without a name', () =>
    expect(ignored({ '': 1, company: { '': 1 } })).toEqual(['""', 'company.""']));

  it('returns at most one key more than the header holds, each of at most 100 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, 1]));
    expect(ignored(many)).toHaveLength(21);
    expect(ignored({ ['k'.repeat(5_000)]: 1 })).toEqual(['k'.repeat(100)]);
  });
});

describe('ignoredFieldsHeader', () => {
  it('lists the names in the characters of a header', () => {
    expect(ignoredFieldsHeader(['a', 'b.c', 'd[].e'])).toBe('a, b.c, d[].e');
    expect(ignoredFieldsHeader(['a\r\nset-cookie: b', 'ü, %', '\ud800'])).toBe(
      'a%0D%0Aset-cookie%3A%20b, %C3%BC%2C%20%25, %EF%BF%BD',
    );
    expect(ignoredFieldsHeader([])).toBeUndefined();
  });

  it('says so when names are left out', () => {
    const names = Array.from({ length: 21 }, (_, index) => `n${index}`);
    expect(ignoredFieldsHeader(names.slice(0, 20))).toMatch(/, n19$/);
    expect(ignoredFieldsHeader(names)).toMatch(/, n19, and-more$/);
  });

  it('ends after a whole name within 1,000 characters', () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}${'ü'.repeat(40)}`);
    const header = ignoredFieldsHeader(names) ?? '';
    expect(header.length).toBeLessThanOrEqual(1_000);
    expect(header).toMatch(/%BC, and-more$/);
  });
});

describe('suggestField', () => {
  const fields = ['visibility', 'name', 'location', 'description_long'];
  it.each([
    ['visibilty', 'visibility'],
    ['Visibility', 'visibility'],
    ['description', undefined],
    ['nme', 'name'],
    ['long_description', undefined],
    ['x'.repeat(101), undefined],
  ])('suggests for %s the field %s', (name, suggestion) => {
    expect(suggestField(name, fields)).toBe(suggestion);
  });

  it('suggests nothing when there are no fields', () => expect(suggestField('name', [])).toBeUndefined());
});
