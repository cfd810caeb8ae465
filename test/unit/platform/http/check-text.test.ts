import { checkText, toWireName } from '../../../../api/platform/http/check-text';
import { ApiError } from '../../../../api/platform/operation/api-error';

const faultOf = (value: unknown) => {
  try {
    checkText(value);
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? [error.status, error.field] : error;
  }
};
/** Returns an object that is nested this many levels deep. The object itself is the first level. */
const nested = (levels: number, key = 'a'): unknown => {
  let value: unknown = [];
  for (let level = 2; level < levels; level++) value = [value];
  return { [key]: value };
};

describe('checkText', () => {
  it('accepts every text that Postgres accepts', () => {
    expect(faultOf({ a: 'ä🙂\u0001\uffff', b: [1, true, null, { c: '' }], '': 'key' })).toBeUndefined();
  });

  it.each([
    [{ name: 'a\0' }, 'name'],
    [{ users: [{}, { email: '\0' }] }, 'users[1].email'],
    [{ a: { b: ['\ud800'] } }, 'a.b[0]'],
    [{ a: '\udc00\ud800' }, 'a'],
    [{ a: { 'b\0': 1 } }, 'a'],
    [{ 'b\0': 1 }, undefined],
  ])('rejects %j with its field', (value, field) => {
    expect(faultOf(value)).toEqual([422, field]);
  });

  it.each([
    ['{"a":{"b":[1e400]}}', 'a.b[0]'],
    ['{"a":-1e400}', 'a'],
    ['{"a":[9007199254740992]}', 'a[0]'],
    ['{"a":1e300}', 'a'],
    ['{"a":-9007199254740993}', 'a'],
  ])('rejects the number of %s with its field', (text, field) => {
    expect(faultOf(JSON.parse(text))).toEqual([422, field]);
  });

  it('accepts exact numbers and fractions', () => {
    expect(faultOf({ a: [9007199254740991, -9007199254740991, 0.1, -1.5e-300, 0] })).toBeUndefined();
  });

  it('replaces -0 by 0', () => {
    const value: unknown = JSON.parse('{"a":-0,"b":[1,-0.0,{"c":-0}],"__proto__":-0}');
    checkText(value);
    expect(value).toStrictEqual(JSON.parse('{"a":0,"b":[1,0,{"c":0}],"__proto__":0}'));
  });

  it('accepts 32 levels and rejects 33 with the field', () => {
    expect(faultOf(nested(32))).toBeUndefined();
    expect(faultOf(nested(33))).toEqual([422, 'a']);
  });

  it('rejects 200,000 levels of lists and of objects without a stack overflow', () => {
    expect(faultOf(nested(200_000))).toEqual([422, 'a']);
    expect(faultOf(JSON.parse('{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)))).toEqual([422, 'a']);
  });

  it('accepts a list of 150,000 entries without a stack overflow', () => {
    expect(faultOf({ a: Array.from({ length: 150_000 }, () => []) })).toBeUndefined();
  });
});

describe('toWireName', () => {
  it('writes lists with brackets and shortens names of the caller', () => {
    expect(toWireName(['users', 3, 'email'])).toBe('users[3].email');
    expect(toWireName([0, 'a'])).toBe('[0].a');
    expect(toWireName([])).toBe('');
    expect(toWireName(['x'.repeat(500)])).toHaveLength(200);
    expect(toWireName(['a\0\ud800b'])).toBe('a\ufffdb');
  });
});
