import type { Schema } from './operation-inputs';
import { sampleOf, typesOf } from './operation-inputs';

type Fault = { what: string; value: unknown };

/** Returns values that a field of this schema must reject. */
export function faultyValues(schema: Schema): Fault[] {
  const types = typesOf(schema);
  const faults: Fault[] = wrongTypes(types);
  const add = (what: string, value: unknown) => faults.push({ what, value });
  if (!types.includes('null')) add('null', null);
  if (schema.enum && !types.includes('boolean')) {
    add('unknown value', 'no-such-value');
    add('other case', String(schema.enum[0]).toUpperCase() + 'X');
    add('blank', '');
  }
  if (schema.format === 'uuid') {
    add('malformed uuid', 'not-a-uuid');
    add('uuid and more', '0198a000-0000-7000-8000-0000000000010');
    add('blank', '');
  }
  if (schema.format === 'uri')
    for (const url of ['ftp://a.example/x', 'http://a.example', 'https://']) add(url, url);
  if (schema.minLength) {
    add('empty', '');
    add('blanks', ' '.repeat(Math.max(schema.minLength, 3)));
  }
  if (schema.maxLength !== undefined) add('over the length', 'x'.repeat(schema.maxLength + 1));
  if (schema.minimum !== undefined) add('below the minimum', schema.minimum - 1);
  if (schema.maximum !== undefined) add('above the maximum', schema.maximum + 1);
  if (types.includes('integer')) {
    add('a fraction', 1.5);
    add('too big for any integer', 1e300);
  }
  if (schema.minItems) add('too few', []);
  if (schema.maxItems !== undefined)
    add('too many', Array(schema.maxItems + 1).fill(sampleOf(schema.items ?? {})));
  return faults;
}

function wrongTypes(types: string[]): Fault[] {
  const all: Record<string, unknown> = {
    string: 'twelve',
    number: 12.5,
    boolean: true,
    array: ['twelve'],
    object: { twelve: 12 },
  };
  return Object.entries(all)
    .filter(([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')))
    .map(([type, value]) => ({ what: `${type} in place of ${types.join('|')}`, value }));
}

/** Returns query texts that a parameter of this schema must reject. */
export function faultyTexts(schema: Schema): Fault[] {
  const types = typesOf(schema);
  const texts: string[] = [];
  if (types.includes('integer') || types.includes('number'))
    texts.push('abc', '', '1e3', 'NaN', ' 1', '0x1', 'null');
  if (types.includes('integer')) texts.push('1.5', '9'.repeat(30));
  if (types.includes('boolean')) texts.push('yes', '1', 'TRUE', '');
  if (schema.enum && !types.includes('boolean')) texts.push('no-such-value', '');
  if (schema.format === 'uuid') texts.push('not-a-uuid', '', '0198a000-0000-7000-8000-0000000000010');
  if (schema.minimum !== undefined) texts.push(String(schema.minimum - 1));
  if (schema.maximum !== undefined) texts.push(String(schema.maximum + 1));
  if (schema.maxLength !== undefined) texts.push('x'.repeat(schema.maxLength + 1));
  return texts.map((value) => ({ what: `"${value.slice(0, 50)}"`, value }));
}
