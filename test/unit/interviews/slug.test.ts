import { slugFor } from '../../../db/interviews/slug';

describe('slugFor', () => {
  const id = '00000000-0000-4000-8000-00000000abcd';
  it.each([
    ['Backend Engineer (m/f)', 'backend-engineer-m-f-00000000abcd'],
    ['Développeur  à Łódź', 'developpeur-a-odz-00000000abcd'],
    ['日本語', '00000000abcd'],
    ['../../etc', 'etc-00000000abcd'],
    ['a'.repeat(200), `${'a'.repeat(80)}-00000000abcd`],
    [`${'a'.repeat(79)} bc`, `${'a'.repeat(79)}-00000000abcd`],
  ])('makes a slug of %s', (name, slug) => {
    expect(slugFor(name, id, 'merchant_unlisted')).toBe(slug);
  });

  it.each(['merchant_invite', 'sub_item'])('is null for the visibility %s', (visibility) => {
    expect(slugFor('Engineer', id, visibility)).toBeNull();
  });
});
