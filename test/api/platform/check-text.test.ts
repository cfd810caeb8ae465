import { ApiError } from '../../../api/platform/operation/api-error';
import { checkText, toWireName } from '../../../api/platform/http/check-text';

const faultOf = (value: unknown) => {
  try {
    checkText(value);
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? [error.status, error.field, error.message] : error;
  }
};
/** An object whose deepest container is this many levels down, itself being the first. */
const nested = (levels: number, key = 'a'): unknown => {
  let value: unknown = [];
  for (let level = 2; level < levels; level++) value = [value];
  return { [key]: value };
};

describe('checkText', () => {
  it('takes every text that Postgres takes', () => {
    expect(faultOf({ a: 'ä🙂\u0001\uffff', b: [1, true, null, { c: '' }], '': 'key' })).toBeUndefined();
  });

  it.each([
    [{ name: 'a\0' }, 'name', 'name must not contain a NUL character'],
    [{ users: [{}, { email: '\0' }] }, 'users[1].email', 'users[1].email must not contain a NUL character'],
    [{ a: { b: ['\ud800'] } }, 'a.b[0]', 'a.b[0] must not contain half of a surrogate pair'],
    [{ a: '\udc00\ud800' }, 'a', 'a must not contain half of a surrogate pair'],
    [{ a: { 'b\0': 1 } }, 'a', 'a must not contain a NUL character'],
    [{ 'b\0': 1 }, undefined, 'The body must not contain a NUL character'],
  ])('refuses %j with its field', (value, field, message) => {
    expect(faultOf(value)).toEqual([422, field, message]);
  });

  it.each([
    ['{"a":{"b":[1e400]}}', 'a.b[0]', 'a.b[0] must be a finite number'],
    ['{"a":-1e400}', 'a', 'a must be a finite number'],
    ['{"a":[9007199254740992]}', 'a[0]', 'a[0] must be at most 9007199254740991'],
    ['{"a":1e300}', 'a', 'a must be at most 9007199254740991'],
    ['{"a":-9007199254740993}', 'a', 'a must be at least -9007199254740991'],
  ])('refuses the number of %s with its field', (text, field, message) => {
    expect(faultOf(JSON.parse(text))).toEqual([422, field, message]);
  });

  it('takes numbers that are exact, and fractions', () => {
    expect(faultOf({ a: [9007199254740991, -9007199254740991, 0.1, -1.5e-300, 0] })).toBeUndefined();
  });

  it('puts 0 in the place of -0', () => {
    const value: unknown = JSON.parse('{"a":-0,"b":[1,-0.0,{"c":-0}],"__proto__":-0}');
    checkText(value);
    expect(value).toStrictEqual(JSON.parse('{"a":0,"b":[1,0,{"c":0}],"__proto__":0}'));
  });

  it('takes 32 levels, refuses 33 with the field', () => {
    expect(faultOf(nested(32))).toBeUndefined();
    expect(faultOf(nested(33))).toEqual([422, 'a', 'a is nested deeper than 32 levels']);
  });

  it('refuses 200,000 levels of lists and of objects without running out of stack', () => {
    expect(faultOf(nested(200_000))).toEqual([422, 'a', 'a is nested deeper than 32 levels']);
    expect(faultOf(JSON.parse('{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)))).toEqual([
      422,
      'a',
      'a is nested deeper than 32 levels',
    ]);
  });

  it('goes through wide input', () => {
    expect(faultOf({ a: Array.from({ length: 300_000 }, () => []) })).toBeUndefined();
  });
});

describe('toWireName', () => {
  it('writes lists with brackets and cuts what callers name', () => {
    expect(toWireName(['users', 3, 'email'])).toBe('users[3].email');
    expect(toWireName([0, 'a'])).toBe('[0].a');
    expect(toWireName([])).toBe('');
    expect(toWireName(['x'.repeat(500)])).toHaveLength(200);
    expect(toWireName(['a\0\ud800b'])).toBe('a\ufffdb');
  });
});
