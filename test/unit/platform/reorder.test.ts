import { reordered } from '../../../api/platform/site/reorder';

describe('reordered', () => {
  it.each([
    ['up 2', ['a', 'c', 'b']],
    ['up 0', ['a', 'b', 'c']],
    ['down 0', ['b', 'a', 'c']],
    ['down 2', ['a', 'b', 'c']],
    ['remove 1', ['a', 'c']],
    ['remove 7', ['a', 'b', 'c']],
    ['add', undefined],
    ['', undefined],
  ])('applies %s', (change, expected) => {
    expect(reordered(['a', 'b', 'c'], { form: { change } })).toEqual(expected);
  });
});
