import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { cloneInterview, enrolmentsOf, openUrl, peopleCalls, rowsOf } from '../../harness/people/people';
import type { Registration } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = peopleCalls(platform);
});

const ann = [{ email: 'ann@example.com', name: 'Ann' }];
const clone = (changes: Record<string, unknown> = {}) => cloneInterview(platform.database, changes);

describe('job-interview-register-users, send_email', () => {
  const sent = async () => Number((await calls.status())['invitations_sent']);
  const mailsTo = async (email: string) => (await calls.mailbox()).filter(({ to }) => to === email);

  it('sends nothing with false, also when the call is repeated', async () => {
    const id = await clone();
    const before = await sent();
    await calls.register(ann, { interview_id: id });
    await calls.register(ann, { interview_id: id, send_email: false });
    expect(
      await platform.database.rows(
        'select from mail m join enrolment e on e.id = m.enrolment_id where e.scope_id = $1',
        [id],
      ),
    ).toEqual([]);
    expect([await sent(), (await enrolmentsOf(platform.database, id))[0]?.is_invited]).toEqual([
      before,
      false,
    ]);
  });

  it('sends with true a mail in the interview’s language with the same link, and one invitation of the budget', async () => {
    const id = await clone({ platform_language_code: 'de', name: 'Stelle' });
    const before = await sent();
    const rows = await calls.register(
      [{ email: 'mail@example.com' }, { email: 'wrong' }, { email: 'MAIL@example.com', name: 'Änne' }],
      { interview_id: id, send_email: true, hide_menu: true },
    );
    expect(await sent()).toBe(before + 1);
    const [mail] = await waitFor('the mail', async () => {
      const mails = await mailsTo('MAIL@example.com');
      return mails.length > 0 && mails;
    });
    expect(mail?.html).toContain('lang="de"');
    const url = /http\S+interview_token=\S+/.exec(mail?.text ?? '')?.[0];
    const [mine, mailed] = [openUrl(rows[0]?.interview_url), openUrl(url)];
    expect({ ...mailed, claims: { ...mailed.claims, exp: 0 } }).toEqual({
      ...mine,
      claims: { ...mine.claims, exp: 0 },
    });
    expect(mailed.query).toEqual({ view_hm: 'true' });
    const [profile] = await platform.database.rows(
      `select platform_language_code from profile where email_key = 'mail@example.com'`,
    );
    expect(profile).toEqual({ platform_language_code: 'de' });
  });

  it('sends the invitation after a test was registered', async () => {
    const id = await clone();
    await calls.register(ann, { interview_id: id, send_email: true, is_test: true });
    expect((await enrolmentsOf(platform.database, id))[0]?.is_invited).toBe(false);
    const [invited] = await calls.invite([{ ...ann[0], type: 'candidate', interview_id: id }]);
    expect(invited?.result).toBe('Invited');
  });

  it('returns errors for rows beyond the budget, and registers the others', async () => {
    const token = platform.stack.tokens.operator;
    const options = { token };
    const more = { merchant_id: merchants.sub.id, interview_id: interviewId('sub'), send_email: true };
    await platform.database.rows('update credit_account set invitations_sent = 8 where merchant_id = $1', [
      merchants.sub.id,
    ]);
    const users = ['a', 'wrong', 'b', 'a', 'c', 'd'].map((name) => ({
      email: name === 'wrong' ? name : `${name}@budget.example`,
    }));
    const rows = await calls.register(users, more, options);
    const none = 'Error: No invitations left in this period';
    expect(rows.map(({ result }) => result)).toEqual([
      'ok',
      expect.stringMatching(/^Error: email/),
      'ok',
      'ok',
      none,
      none,
    ]);
    expect(
      (await enrolmentsOf(platform.database, interviewId('sub')))
        .map(({ email }) => email)
        .filter((email) => email.endsWith('budget.example')),
    ).toEqual(['a@budget.example', 'b@budget.example']);
    expect(await calls.status({ token, query: { merchant_id: merchants.sub.id } })).toMatchObject({
      invitations_sent: 10,
      invitations_limit: 10,
      invitations_available: 0,
    });
    // When no invitations are left, candidates can still be registered without mails.
    expect(await calls.register(users.slice(4), { ...more, send_email: false }, options)).toMatchObject([
      { result: 'ok' },
      { result: 'ok' },
    ]);
  });

  it('returns the links again with an Idempotency-Key, and sends one mail', async () => {
    const id = await clone();
    const call = () =>
      calls.tryRegister(
        [{ email: 'once@example.com' }],
        { interview_id: id, send_email: true },
        { headers: { 'idempotency-key': 'register once' } },
      );
    const before = await sent();
    const [first, second] = [await call(), await call()];
    expect(rowsOf<Registration>(first)[0]?.interview_url).toMatch(/^http/);
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(await sent()).toBe(before + 1);
    await waitFor('the mail', async () => (await mailsTo('once@example.com')).length > 0);
    expect(
      await platform.database.rows(
        'select from mail m join enrolment e on e.id = m.enrolment_id where e.scope_id = $1',
        [id],
      ),
    ).toHaveLength(1);
    const kept = await platform.database.rows<{ row: string }>(
      'select k::text as row from idempotency_key k',
    );
    expect(kept.map(({ row }) => row).join()).not.toMatch(/once@|interview_token/);
  });
});
