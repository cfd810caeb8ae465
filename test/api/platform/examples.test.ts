import { operations } from '../../../api/operations';

describe('examples of the documentation', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s: parses',
    (_name, operation) => {
      expect(operation.input.safeParse(operation.example)).toMatchObject({ success: true });
    },
  );
});
