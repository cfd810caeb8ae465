import { randomUUID } from 'node:crypto';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

const open = (merchantId: string, query = '?language=de') =>
  openLink(`${platform.stack.portal_url}/interview/privacy/${merchantId}/${query}`, {
    'accept-language': 'nl',
  });
const change = (text: string, ...values: unknown[]) => platform.database.rows(text, values);

describe('the privacy notice of a merchant', () => {
  it('says how long the merchant keeps what is recorded and whom to ask, in a language, for known merchants', async () => {
    const { merchant_id } = platform.stack;
    const none = await open(merchant_id);
    expect([none.status, none.html]).toEqual([200, expect.stringContaining('<html lang="de" dir="ltr">')]);
    expect(none.html).toContain('Antworten Sie auf die Nachricht mit Ihrem Link');
    await change(
      `update merchant set recording_retention_days = 41, draft_retention_days = 42, result_retention_days = 43,
         privacy_contact = 'privacy@northwind.example' where id = $1`,
      merchant_id,
    );
    const page = await open(merchant_id);
    for (const text of [
      '41 Tage',
      '42 Tage',
      '43 Tage',
      'href="mailto:privacy@northwind.example"',
      'Was die KI tut',
    ])
      expect(page.html).toContain(text);
    for (const contact of ['javascript:alert(1)', '<b>a@b.example</b>', 'mailto:x@y.example', 'a@b?cc=c@d']) {
      await change('update merchant set privacy_contact = $2 where id = $1', merchant_id, contact);
      expect((await open(merchant_id)).html).not.toMatch(/<b>|href="(javascript|mailto)/);
    }
    await change(
      `update merchant set privacy_contact = null, recording_retention_days = 180, draft_retention_days = 90,
         result_retention_days = 730 where id = $1`,
      merchant_id,
    );
    // Without a language in the address, it is in that of the browser.
    for (const query of ['', '?language=xx', '?language=de&language=fr'])
      expect((await open(platform.stack.merchant_id, query)).html).toContain('<html lang="nl" dir="ltr">');
    for (const id of ['nothing', randomUUID(), '00000000-0000-0000-0000-000000000000%00'])
      expect([id, (await open(id)).status]).toEqual([id, 404]);
  });
});
