import { operations } from '../../../api/operations';
import { operations as generated } from '../../../clients/typescript/src/generated/operations';

describe('the generated files of the client', () => {
  it('have every operation', () => {
    const names = Object.values(generated).map((text) => text.split(' ').slice(0, 2).join(' '));
    expect(names.toSorted()).toEqual(operations.map(({ method, name }) => `${method} ${name}`).toSorted());
  });
});
