import { assert, jsonValue, property, string } from 'fast-check';
import { jsonBytes } from '../../../api/reports/language/json-size';
import { describeJsonError } from '../../../api/reports/language/json-text';
import { orderDefinitionKeys } from '../../../api/reports/language/order-keys';
import { writeCsv } from '../../../api/reports/runs/csv';
import { dimension, measure } from './chart-blocks';

describe('jsonBytes', () => {
  const max = Number.MAX_SAFE_INTEGER;
  const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  it('returns the size of compact JSON in UTF-8', () => {
    assert(property(jsonValue(), (value) => jsonBytes(value, max) === sizeOf(value)));
    assert(
      property(
        string({ unit: 'binary' }),
        (text) => jsonBytes({ [text]: text }, max) === sizeOf({ [text]: text }),
      ),
    );
    for (const value of [
      [-0, 1e21, 1e-7, Number.POSITIVE_INFINITY, '\uD800', 'é', '\0', null, true, false],
      { a: undefined, b: [{}], __proto__: null },
    ])
      expect(jsonBytes(value, max)).toBe(sizeOf(value));
  });

  it('stops at the limit, and measures a value of 10,000 levels', () => {
    expect(jsonBytes(['x'.repeat(5_000), 'y'], 100)).toBeGreaterThan(100);
    expect(jsonBytes('x'.repeat(98), 100)).toBe(100);
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(jsonBytes(deep, max)).toBe(20_001);
  });
});

describe('describeJsonError', () => {
  it.each([
    ['{\n"a": }', 'unexpected "}" in line 2'],
    ['{"a": 1,\n\n}', 'unexpected "}" in line 3'],
    ['{"a": 1\n"b": 2}', 'unexpected "\\"" in line 2'],
    ['{"a": 1}\n}', 'unexpected "}" in line 2'],
    ["{'a': 1}", 'unexpected "\'" in line 1'],
    ['{"a": 01}', 'unexpected "1" in line 1'],
    ['{"a": "x\n"}', 'unexpected "\\n" in line 1'],
    ['{"a": tru}', 'unexpected "}" in line 1'],
    ['{"a": [1, 2', 'it ends too early'],
    ['{"a": "x', 'it ends too early'],
    ['{"a": tr', 'it ends too early'],
    ['{"a": -', 'it ends too early'],
    ['', 'it ends too early'],
  ])('%j: %s', (text, place) => expect(describeJsonError(text)).toBe(place));
});

describe('orderDefinitionKeys', () => {
  it('writes the keys of a report and its blocks in the order of the language, and loses none', () => {
    const stored = {
      title: 'A',
      blocks: [{ id: 'x', own: 1, type: 'kpi', measures: [], dataset: 'd' }, 7],
      schema: 's',
    };
    expect(JSON.stringify(orderDefinitionKeys(stored))).toBe(
      '{"schema":"s","title":"A","blocks":[{"id":"x","type":"kpi","dataset":"d","measures":[],"own":1},7]}',
    );
    expect(orderDefinitionKeys({ blocks: 'none' })).toEqual({ blocks: 'none' });
  });
});

describe('writeCsv', () => {
  const name = dimension('a', undefined, 'Name');

  it('writes labels with units, numbers, empty cells and quoted texts', () => {
    const rows = [
      { a: 'x,"y"', b: -1.5 },
      { a: null, b: 0 },
      { a: 'two\nlines', b: null },
    ];
    expect(writeCsv([name, measure('b', 'duration', 'Time')], rows)).toBe(
      '\uFEFFName,Time (s)\r\n"x,""y""",-1.5\r\n,0\r\n"two\nlines",\r\n',
    );
    expect(writeCsv([measure('b', 'percent'), measure('c')], [])).toBe('\uFEFFb (0–1),c\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@a', '\ta', '\ra', '\n=1', '\u00a0=1', '\uFEFF=1', '\u200b=1', '\uFF1D1'])(
    'writes no formula for %j',
    (text) => {
      const [, line = ''] = writeCsv([name], [{ a: text }]).split('\r\n');
      expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
    },
  );
});
