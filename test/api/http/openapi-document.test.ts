import { introduction } from '../../../api/http/openapi-introduction';
import { allOperations, described } from '../../harness/operation-inputs';

describe('the reference', () => {
  it.each(allOperations)('lists the 409 of an Idempotency-Key that is in use: $name', (operation) => {
    const isPost = operation.method === 'POST';
    expect(Object.keys(described(operation).responses).includes('409')).toBe(isPost);
  });

  it('says under Environments what differs outside production', () => {
    const [, section = ''] = /## Environments\n([\s\S]*?)\n## /.exec(introduction) ?? [];
    expect(section).toMatch(/Outside production[\s\S]*100[\s\S]*test recipients[\s\S]*Settings/);
    expect(section).toMatch(/five account invitations in 24 hours/);
  });

  it.each(['invite-users', 'job-interview-register-users', 'merchant-status'])(
    '%s refers to that section',
    (name) => {
      const operation = allOperations.find((each) => each.name === name);
      expect(operation?.description.replaceAll('\n', ' ')).toContain('see Environments in the introduction');
    },
  );
});
