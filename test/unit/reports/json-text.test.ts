import { placeOfError } from '../../../api/reports/language/json-text';

describe('placeOfError', () => {
  it.each([
    ['{\n"a": }', 'unexpected "}" in line 2.'],
    ['{"a": 1,\n\n}', 'unexpected "}" in line 3.'],
    ['{"a": 1\n"b": 2}', 'unexpected "\\"" in line 2.'],
    ['{"a": 1}\n}', 'unexpected "}" in line 2.'],
    ["{'a': 1}", 'unexpected "\'" in line 1.'],
    ['{"a": 01}', 'unexpected "1" in line 1.'],
    ['{"a": "x\n"}', 'unexpected "\\n" in line 1.'],
    ['{"a": tru}', 'unexpected "}" in line 1.'],
    ['{"a": [1, 2', 'it ends too early.'],
    ['{"a": "x', 'it ends too early.'],
    ['{"a": tr', 'it ends too early.'],
    ['{"a": -', 'it ends too early.'],
    ['', 'it ends too early.'],
  ])('%j: %s', (text, place) => {
    expect(placeOfError(text)).toBe(place);
  });
});
