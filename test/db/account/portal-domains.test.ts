import { provePortalDomain } from '../../../db/account/merchant-settings';
import { listPortalDomains } from '../../../db/catalogue/portal-catalogue';
import { createWorld } from '../platform/world';
import type { World } from '../platform/world';

/* Tests that only a function of the database can make a portal domain active. */

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe('a portal domain', () => {
  it('cannot be set by a caller', async () => {
    const [{ user }] = world.cells;
    await expect(
      world.api.write(user, (trx) =>
        trx.count({
          text: `update merchant set portal_domain = 'a.example' where id = app.merchant_id()`,
          values: [],
        }),
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('becomes active only if it is the requested one, and inactive when another one is requested', async () => {
    const [{ user, merchantId }] = world.cells;
    const prove = (domain: string) =>
      world.api.write(user, async (trx) => {
        await trx.count({
          text: `update merchant set portal_domain_claim = 'b.example' where id = app.merchant_id()`,
          values: [],
        });
        const [row] = await trx.rows<{ proven: boolean }>(provePortalDomain(domain));
        return row?.proven;
      });
    expect(await prove('a.example')).toBe(false);
    expect(await prove('b.example')).toBe(true);
    const served = () =>
      world.database.rows('select portal_domain from merchant where id = $1', [merchantId]);
    expect(await served()).toEqual([{ portal_domain: 'b.example' }]);
    const visit = { kind: 'portal_visit', domain: null, merchantId: null, profileId: null } as const;
    expect(await world.api.query(visit, listPortalDomains)).toEqual([{ domain: 'b.example' }]);
    await world.database.rows(`update merchant set portal_domain_claim = 'c.example' where id = $1`, [
      merchantId,
    ]);
    expect(await served()).toEqual([{ portal_domain: null }]);
  });
});
