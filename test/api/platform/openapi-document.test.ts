import { readFileSync } from 'node:fs';
import path from 'node:path';
import { allOperations, described } from '../../harness/operation-inputs';

describe('the reference', () => {
  it.each(allOperations)('lists the 409 of an Idempotency-Key that is in use: $name', (operation) => {
    const isPost = operation.method === 'POST';
    expect(Object.keys(described(operation).responses).includes('409')).toBe(isPost);
  });

  it('has a guide that says what differs outside production', () => {
    const guide = readFileSync(path.join(__dirname, '../../../docs/guide/environments.md'), 'utf8');
    expect(guide).toMatch(/outside production[^]*100 a day[^]*test recipients[^]*Settings/);
    expect(guide).toContain('at most five invitations in 24 hours');
  });

  it.each(['invite-users', 'job-interview-register-users', 'merchant-status'])(
    '%s refers to that guide',
    (name) => {
      const operation = allOperations.find((each) => each.name === name);
      expect(operation?.description.replaceAll('\n', ' ')).toContain(
        'see [Environments]({origin}/docs/environments)',
      );
    },
  );
});
