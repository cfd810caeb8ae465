import { eachRow } from '../../harness/each-row';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let owner: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  owner = await openConsole(platform, 'merchant_owner');
});

const untouched = {
  portal_domain: '',
  time_zone: 'UTC',
  reminder_days: '3',
  final_reminder_days: '7',
  start_directory: '',
  reports_enabled: 'on',
  recording_retention_days: '3650',
  draft_retention_days: '3650',
  result_retention_days: '3650',
  mail_next_step: 'on',
};
const save = (change: Record<string, string>, client = owner) =>
  client.post('/console/settings', { ...untouched, ...change });
const stored = async (merchantId = platform.stack.merchant_id) => {
  const [row] = await platform.database.rows(
    `select portal_domain_claim as portal_domain, portal_domain as verified_domain, time_zone, reminder_after::text, final_reminder_after::text, start_directory, reports_enabled,
       array[recording_retention_days, draft_retention_days, result_retention_days] as kept_days
     from merchant where id = $1`,
    [merchantId],
  );
  return row;
};

describe('settings', () => {
  it('are stored, shown, and recorded with what changed', async () => {
    const saved = await save({
      portal_domain: 'Jobs.Northwind.example',
      time_zone: 'Europe/Amsterdam',
      reminder_days: '',
      final_reminder_days: '10',
      start_directory: 'leadership-en',
      reports_enabled: '',
      recording_retention_days: '30',
      mail_next_step: '',
      privacy_contact: ' privacy@\nnorthwind.example ',
      mail_reopened: 'on',
    });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/console/settings']);
    expect(await stored()).toEqual({
      portal_domain: 'jobs.northwind.example',
      verified_domain: null,
      time_zone: 'Europe/Amsterdam',
      reminder_after: null,
      final_reminder_after: '10 days',
      start_directory: 'leadership-en',
      reports_enabled: false,
      kept_days: [30, 3_650, 3_650],
    });
    const page = await owner.follow(saved);
    expect(page.html).toContain('role="status">Settings saved.');
    expect(page.html).toMatch(/name="time_zone"[^>]*value="Europe\/Amsterdam"/);
    expect(page.html.match(/name="\w+" value="on" checked/g)).toEqual([
      'name="mail_reopened" value="on" checked',
    ]);
    expect(
      await platform.database.rows(
        `select act, subject_id, details from audit_entry where act like 'merchant%'`,
      ),
    ).toEqual([
      {
        act: 'merchant-settings-update',
        subject_id: platform.stack.merchant_id,
        details: {
          portal_domain: 'jobs.northwind.example',
          time_zone: 'Europe/Amsterdam',
          reminder_days: null,
          final_reminder_days: 10,
          start_directory: 'leadership-en',
          reports_enabled: false,
          recording_retention_days: 30,
          mail_next_step: false,
          privacy_contact: 'privacy@ northwind.example',
          mail_reopened: true,
          // The form has no checked environment.
          agent_environments: [],
          // Only the number of addresses is recorded, because personal data stays out of the audit log.
          test_recipients: 0,
        },
      },
    ]);
    expect((await save({})).status).toBe(303);
    expect(await stored()).toMatchObject({
      portal_domain: null,
      reminder_after: '3 days',
      start_directory: null,
    });
  });

  const labels: Record<string, string> = {
    time_zone: 'Time zone',
    portal_domain: 'Portal domain',
    reminder_days: 'First reminder',
    final_reminder_days: 'Final reminder',
    start_directory: 'Start directory',
    recording_retention_days: 'Keep recordings',
    draft_retention_days: 'Keep drafts',
    result_retention_days: 'Keep transcripts and scores',
  };

  it('show an error next to its field, keep what was entered and store nothing', () =>
    eachRow(
      [
        ['time_zone', 'Mars/Olympus', 'IANA time zone'],
        ['time_zone', '', 'IANA time zone'],
        ['portal_domain', 'https://x.example', 'host name'],
        ['portal_domain', '10.0.0.1', 'host name'],
        ['portal_domain', `${'x'.repeat(64)}.example`, 'host name'],
        ['portal_domain', 'localhost', 'host name'],
        ['reminder_days', '0', 'at least 1'],
        ['reminder_days', '1.5', 'a whole number'],
        ['reminder_days', 'x', 'a number'],
        ['final_reminder_days', '91', 'at most 90'],
        ['final_reminder_days', '3', 'later than the first reminder'],
        ['start_directory', 'Two Words', 'catalogue ID'],
        ['start_directory', 'no-such-directory', 'Create it first'],
        ['recording_retention_days', '', 'a number'],
        ['recording_retention_days', '0', 'at least 1'],
        ['draft_retention_days', '1.5', 'a whole number'],
        ['result_retention_days', '3651', 'at most 3650'],
        // This directory belongs to the sub-merchant.
        ['start_directory', 'labs-en', 'Create it first'],
      ],
      async (name, value, fault) => {
        const before = await stored();
        const page = await save({ [name]: value });
        expect(page.status).toBe(422);
        const told = /class="field-error" id="\w+-error">([^<]+)</.exec(page.html)?.[1] ?? '';
        expect(told).toContain(labels[name]);
        expect(told).toContain(fault);
        const shown = value === '' ? 'value' : `value="${value}"`;
        expect(page.html).toMatch(new RegExp(`name="${name}" ${shown} `, 'i'));
        expect(await stored()).toEqual(before);
      },
    ));

  it('offer only time zones that Postgres knows', async () => {
    const page = await owner.get('/console/settings');
    const zones = [...page.html.matchAll(/<option value="([^"]+)"/g)].map(([, zone]) => zone);
    expect(zones.length).toBeGreaterThan(400);
    await platform.database.rows('select now() at time zone zone from unnest($1::text[]) zone', [zones]);
  });

  describe('the portal domain', () => {
    const domain = 'careers.northwind.example';
    const name = `_interview-platform.${domain}`;
    const dns = (answer: unknown) =>
      fetch(`${platform.stack.fakes_url}/dns/${name}`, { method: 'PUT', body: JSON.stringify(answer) });
    const challengeOf = async (merchantId: string): Promise<string> => {
      const [row] = await platform.database.rows<{ challenge: string }>(
        'select portal_domain_challenge as challenge from merchant where id = $1',
        [merchantId],
      );
      return `interview-platform-verification=${row?.challenge}`;
    };
    const verify = (client = owner) => client.post('/console/settings/verify-domain', {});
    const fault = (html: string) =>
      [...html.matchAll(/class="(?:error|field-error)"[^>]*>\s*(?:<p>)?([^<]+)/g)]
        .map(([, sentence]) => sentence)
        .join(' ');

    it('is served once its DNS has the record that the page shows', async () => {
      const { merchant_id: main } = platform.stack;
      expect((await save({ portal_domain: domain })).status).toBe(303);
      const page = await owner.get('/console/settings');
      expect(page.html).toContain(`<code>${name}</code>`);
      expect(page.html).toContain(`<code>${await challengeOf(main)}</code>`);
      expect(page.html).toContain('Not verified');

      const refused = await verify();
      expect([refused.status, fault(refused.html)]).toEqual([
        422,
        expect.stringContaining('There is no TXT record'),
      ]);
      await dns({ txt: ['interview-platform-verification=another'] });
      expect(fault((await verify()).html)).toContain('does not have the expected value');
      expect(await stored()).toMatchObject({ portal_domain: domain, verified_domain: null });

      await dns({ txt: ['v=spf1 -all', await challengeOf(main)] });
      const verified = await owner.follow(await verify());
      expect(verified.html).toContain(`${domain} is verified.`);
      expect(await stored()).toMatchObject({ verified_domain: domain });
      expect(
        await platform.database.rows(`select details from audit_entry where act = 'portal-domain-verify'`),
      ).toEqual([{ details: { portal_domain: domain } }]);

      // The domain stays verified when other settings change, and becomes unverified when the domain itself changes.
      await save({ portal_domain: domain, time_zone: 'Asia/Tokyo' });
      expect(await stored()).toMatchObject({ verified_domain: domain });
      await save({ portal_domain: 'other.northwind.example' });
      expect(await stored()).toMatchObject({ verified_domain: null });
    });

    it('can be requested by several merchants, and the newest proof is served', async () => {
      const { merchant_id: main, other_merchant_id: other } = platform.stack;
      await platform.database.rows(
        'update merchant set portal_domain_claim = $1, portal_domain = null where id = any ($2)',
        [domain, [main, other]],
      );
      await dns({ txt: [await challengeOf(other)] });
      expect((await verify()).status).toBe(422);
      await dns({ txt: [await challengeOf(main)] });
      expect((await verify()).status).toBe(303);
      for (const [value, id] of [
        [null, main],
        [domain, other],
      ])
        await platform.database.rows('update merchant set portal_domain = $1 where id = $2', [value, id]);
      expect((await verify()).status).toBe(303);
      expect([(await stored())?.['verified_domain'], (await stored(other))?.['verified_domain']]).toEqual([
        domain,
        null,
      ]);
    });

    it('is not served before it is verified, and does not reveal other domains', async () => {
      const { other_merchant_id: other } = platform.stack;
      await save({ portal_domain: '' });
      await platform.database.rows(
        'update merchant set portal_domain_claim = $1, portal_domain = $1 where id = $2',
        ['taken.example', other],
      );
      expect((await save({ portal_domain: 'TAKEN.example' })).status).toBe(303);
      expect(await stored()).toMatchObject({ portal_domain: 'taken.example', verified_domain: null });
      const { body } = await platform.call('catalogue-tag-get', { query: { id: 'academy' } });
      expect(body['catalogue_url']).toBeNull();
    });
  });

  it('can be read but not changed by a recruiter and an operator', async () => {
    const before = await stored();
    for (const person of ['merchant', 'operator'] as const) {
      const client = await openConsole(platform, person);
      const page = await client.get('/console/settings');
      expect(page.html).toMatch(/<dt>Time zone<\/dt>\s*<dd>UTC</);
      expect(page.html).not.toContain('action="/console/settings"');
      expect((await save({ time_zone: 'Asia/Tokyo' }, client)).status).toBe(403);
    }
    expect(await stored()).toEqual(before);
  });
});
