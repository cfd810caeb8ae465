import type { Role } from '../../db/platform/vocabulary';
import { fixedId } from './fixed-id';

export type SeedMerchant = { id: string; name: string; parentId: string | null };
type SeedProfile = { id: string; merchantId: string | null; role: Role; name: string; email: string };

const merchant = (name: string, parentId: string | null = null): SeedMerchant => ({
  id: fixedId(`merchant ${name}`),
  name,
  parentId,
});

/** The creation time of the demo's accounts. */
export const seededOn = '2024-11-04T09:00:00.000Z';

const main = merchant('Northwind Talent');
/** The demo's merchants: the main one, an unrelated one, and a sub-merchant of the main one. */
export const merchants = {
  main,
  other: merchant('Contoso Retail'),
  sub: merchant('Northwind Labs', main.id),
};

const profile = (key: string, owner: SeedMerchant | null, role: Role, name: string): SeedProfile => ({
  id: fixedId(`profile ${key}`),
  merchantId: owner?.id ?? null,
  role,
  name,
  email: `${key}@${owner ? owner.name.toLowerCase().replaceAll(' ', '-') : 'platform'}.example`,
});

/** The demo's merchants keep everything for this many days, because the dates of the seed are fixed and grow old. */
export const retentionDays = 3_650;

/** The test recipients of the demo's merchants. None of them is a real address. */
export const testRecipients = ['*@example.com', '*@example.org', '*@example.net', '*@candidates.example'];

/** The demo's people, by the name of their token in the stack file. The people after `user` have no token. */
export const people = {
  merchant_owner: profile('olivia', merchants.main, 'merchant_owner', 'Olivia Brandt'),
  merchant: profile('marco', merchants.main, 'merchant', 'Marco Rinaldi'),
  merchant_selection: profile('helen', merchants.main, 'merchant_selection', 'Helen Moore'),
  admin: profile('ada', null, 'admin', 'Ada Lind'),
  operator: profile('oscar', merchants.main, 'merchant', 'Oscar Peeters'),
  other_merchant_owner: profile('otto', merchants.other, 'merchant_owner', 'Otto Keller'),
  user: profile('uma', merchants.main, 'user', 'Uma Patel'),
  mentor: profile('mia', merchants.main, 'mentor', 'Mia Sørensen'),
  candidate: profile('carl', merchants.main, 'candidate', 'Carl Jansen'),
  sub_merchant_owner: profile('sofia', merchants.sub, 'merchant_owner', 'Sofia Novak'),
  other_merchant: profile('omar', merchants.other, 'merchant', 'Omar Haddad'),
} as const;
export type PersonKey = keyof typeof people;

export const knowledgeBases = Object.values(merchants).map((owner) => ({
  id: fixedId(`knowledge base ${owner.name}`),
  merchantId: owner.id,
  name: 'Handbook of the house',
  text: `How ${owner.name} works: a candidate hears from us within five working days. Shifts are planned two weeks ahead.
Safety comes first: whoever sees a hazard stops the work and tells the shift lead. Expenses are paid within ten days of
the receipt. Customers' data never leaves our systems.`,
}));
