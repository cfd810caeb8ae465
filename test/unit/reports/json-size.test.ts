import { assert, jsonValue, property, string } from 'fast-check';
import { jsonBytes } from '../../../api/reports/language/json-size';

const max = Number.MAX_SAFE_INTEGER;
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('jsonBytes', () => {
  it('returns the size of compact JSON in UTF-8', () => {
    assert(property(jsonValue(), (value) => jsonBytes(value, max) === sizeOf(value)));
    assert(
      property(
        string({ unit: 'binary' }),
        (text) => jsonBytes({ [text]: text }, max) === sizeOf({ [text]: text }),
      ),
    );
  });

  it.each([
    [[-0, 1e21, 1e-7, Number.POSITIVE_INFINITY, '\uD800', 'é', '\0', null, true, false]],
    [{ a: undefined, b: [{}], __proto__: null }],
  ])('knows the size of %j', (value) => expect(jsonBytes(value, max)).toBe(sizeOf(value)));

  it('stops at the limit', () => {
    expect(jsonBytes(['x'.repeat(5_000), 'y'], 100)).toBeGreaterThan(100);
    expect(jsonBytes('x'.repeat(98), 100)).toBe(100);
  });

  it('measures a value of 10,000 levels', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(jsonBytes(deep, max)).toBe(20_001);
  });
});
