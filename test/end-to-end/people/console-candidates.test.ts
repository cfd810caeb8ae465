import { randomUUID } from 'node:crypto';
import { merchants } from '../../../local/seed/accounts';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import { cloneInterview, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';

/* Tests the pages of candidates, mails and invitations as a visitor without scripts uses them. */

let platform: Platform;
let client: ConsoleClient;
let interview: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  client = await openConsole(platform, 'merchant');
  interview = await cloneInterview(platform.database, { name: 'Beekeeper' });
});

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
const emails = async () =>
  (await enrolmentsOf(platform.database, interview)).map(({ email }) => email).toSorted();

/** Sends a form with a file, as a browser does. */
async function upload(path: string, fields: Record<string, string>, file?: Blob) {
  const page = await client.get('/console/candidates/invite?how=csv');
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  const form = new FormData();
  for (const [name, value] of Object.entries({ csrf, ...fields })) form.set(name, value);
  form.set('file', file ?? new Blob([]), 'people.csv');
  return client.sendForm(path, form);
}

const hidden = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value = '']) => [
      name ?? '',
      value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
    ]),
  );

describe('the page of an invitation', () => {
  it('invites one person by mail, or shows the link, and shows an error next to the address', async () => {
    const path = '/console/candidates/invite';
    const fields = { interview_id: interview, email: 'one@pages.example', name: 'One', send_email: 'on' };
    const submit = (sent: Record<string, string>) => client.submit(path, { ...sent, form_id: randomUUID() });
    expect(textOf((await submit(fields)).html)).toContain('Invitation to one@pages.example queued.');
    const again = await submit(fields);
    expect([again.status, textOf(again.html)]).toEqual([
      422,
      expect.stringContaining('Was invited already.'),
    ]);
    const { send_email: _mail, ...silent } = { ...fields, email: 'two@pages.example' };
    expect((await submit(silent)).html).toMatch(/value="http[^"]*interview_token=/);
    expect(await emails()).toEqual(['one@pages.example', 'two@pages.example']);
  });

  it('checks the rows of a file, stores nothing, and then invites those that passed, once', async () => {
    await platform.database.rows('update credit_account set invitations_sent = 0 where merchant_id = $1', [
      merchants.main.id,
    ]);
    await peopleCalls(platform).invite([
      { email: 'known@csv.example', type: 'candidate', interview_id: interview },
    ]);
    const before = await emails();
    const file = new Blob([
      Buffer.from(
        `\uFEFFE-Mail;Name\nnew@csv.example;"=cmd|' /C calc'!A0"\nknown@csv.example;Known\nwrong;Wrong\nNEW@csv.example;Twice\n`,
        'utf16le',
      ),
    ]);
    const settings = { interview_id: interview, send_email: 'on', message_from_recruiter: 'Welcome' };
    const checked = await upload('/console/candidates/invite/check', settings, file);
    expect(checked.status).toBe(200);
    const text = textOf(checked.html);
    for (const words of [
      '1 person will be invited. 3 people will not.',
      `=cmd|' /C calc'!A0`.replaceAll("'", '&#39;'),
      'Already invited Was invited already.',
      'Invalid email must be an email address',
      'Duplicate Is in row 2 already.',
    ])
      expect(text.replaceAll("'", '&#39;')).toContain(words);
    expect(await emails()).toEqual(before);

    const fields = hidden(checked.html);
    const sent = await upload('/console/candidates/invite/send', fields);
    expect([sent.status, textOf(sent.html)]).toEqual([200, expect.stringContaining('1 person invited')]);
    expect(await upload('/console/candidates/invite/send', fields)).toMatchObject({ status: 200 });
    expect(await emails()).toEqual([...before, 'new@csv.example'].toSorted());
    const mails = await platform.database.rows(
      `select m.id from mail m join enrolment e on e.id = m.enrolment_id where e.email = 'new@csv.example'`,
    );
    expect(mails).toHaveLength(1);
  });

  it('shows why a list cannot be read, and refuses people who were changed on the way', async () => {
    const settings = { interview_id: interview, send_email: 'on' };
    const unread = await upload('/console/candidates/invite/check', { ...settings, pasted: 'foo,bar\n1,2' });
    expect([unread.status, textOf(unread.html)]).toEqual([422, expect.stringContaining('Name the columns')]);
    for (const people of ['', '[]', '{"a":1}', '[{"row":1}]'])
      expect(
        (await upload('/console/candidates/invite/send', { ...settings, people, form_id: randomUUID() }))
          .status,
      ).toBe(422);
    const changed = JSON.stringify([
      { row: 1, email: 'not an address', name: '', external_id: '', phone: '' },
    ]);
    const refused = await upload('/console/candidates/invite/send', {
      ...settings,
      people: changed,
      form_id: randomUUID(),
    });
    expect(textOf(refused.html)).toContain('must be an email address');
    expect((await client.post('/console/candidates/invite/check', settings)).status).toBe(422);
  });
});

describe('the pages of candidates and mails', () => {
  it('list people, lead to a timeline, and say why a mail did not arrive', async () => {
    await peopleCalls(platform).invite([
      { email: 'time@line.example', name: 'Tim', type: 'candidate', interview_id: interview },
    ]);
    const [enrolment] = await platform.database.rows<{ id: string; profile_id: string }>(
      `select id, profile_id from enrolment where email = 'time@line.example'`,
    );
    await platform.database.rows(
      `update mail set state = 'sent', sent_at = now(), bounced_at = now(), bounce_reason = '550 unknown' where enrolment_id = $1`,
      [enrolment?.id],
    );
    const [result] = await platform.database.rows<{ id: string }>(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, status, interview_status,
         submitted_at, recruiter_go_next_round, decided_at)
       select merchant_id, environment, interview_id, id, 'active', 'completed', now(), true, now()
       from enrolment where id = $1 returning id`,
      [enrolment?.id],
    );
    await platform.database.rows(
      `insert into score_record (merchant_id, environment, result_id, attempt, run, state, ended_at)
       select merchant_id, environment, id, attempt, 1, 'scored', now() from interview_result where id = $1`,
      [result?.id],
    );
    const page = `/console/candidates/${enrolment?.profile_id}`;
    const list = await client.get(`/console/candidates?interview_id=${interview}&status=decided`);
    expect([list.status, list.html]).toEqual([200, expect.stringContaining(`href="${page}"`)]);
    const mails = await client.get('/console/mails?mail_status=bounced&filter_text=line.example');
    expect(textOf(mails.html)).toContain(
      'Bounced The recipient’s mail server did not accept the mail: 550 unknown'.replace('’', "'"),
    );
    const timeline = await client.get(page);
    for (const words of [
      'Tim',
      'Added to the interview',
      'Invitation',
      '550 unknown',
      'Submitted',
      'Scored',
      'Advanced',
    ])
      expect(textOf(timeline.html)).toContain(words);
    expect(timeline.html).toContain(`href="/console/results/${result?.id}"`);
    for (const path of ['/console/candidates/no-id', `/console/candidates/${interview}`])
      expect((await client.get(path)).status).toBe(404);
  });

  it('withdraw a candidate, unless the candidate has begun meanwhile', async () => {
    await peopleCalls(platform).register([{ email: 'no@show.example' }], { interview_id: interview });
    const [candidate] = await platform.database.rows<{ id: string; profile_id: string }>(
      `select id, profile_id from enrolment where email = 'no@show.example'`,
    );
    const page = `/console/candidates/${candidate?.profile_id}`;
    expect((await client.get(page)).html).toContain('Withdraw from Beekeeper');
    const withdraw = () => client.submit(`${page}/withdraw`, { profile_interview_id: candidate?.id ?? '' });
    expect((await withdraw()).html).toContain('Candidate withdrawn. The links no longer work.');
    await platform.database.rows(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, interview_status, started_at)
       select merchant_id, environment, interview_id, id, 'started', now() from enrolment where id = $1`,
      [candidate?.id],
    );
    const late = await withdraw();
    expect([late.status, textOf(late.html)]).toEqual([
      422,
      expect.stringContaining('The candidate has begun. Decide about the result instead.'),
    ]);
    expect(late.html).not.toContain('Withdraw from');
  });

  it('let hiring managers read and not invite', async () => {
    const manager = await openConsole(platform, 'merchant_selection');
    const list = await manager.get('/console/candidates');
    expect([list.status, list.html.includes('/console/candidates/invite')]).toEqual([200, false]);
    expect((await manager.get('/console/candidates/invite')).status).toBe(403);
    expect((await manager.get('/console/mails')).status).toBe(200);
  });
});

describe('the search box', () => {
  const search = (text: string) => client.get(`/console/search?q=${encodeURIComponent(text)}`);
  const opens = async (text: string) => {
    const { status, headers } = await search(text);
    return [status, headers.get('location')];
  };

  it('opens the page of the only match, for a name, an address and any id', async () => {
    const { ids } = platform.stack;
    await peopleCalls(platform).register(
      [{ email: 'only@search.example', name: 'Xavier', external_id: 'srch-1' }],
      {
        interview_id: interview,
      },
    );
    const [person] = await platform.database.rows<{ id: string; profile_id: string }>(
      `select id, profile_id from enrolment where email = 'only@search.example'`,
    );
    const page = `/console/candidates/${person?.profile_id}`;
    const delivery = await putDelivery(platform.database, await putEndpoint(platform.database));
    const [result] = await platform.database.rows<{ id: string }>(
      `select id from interview_result where merchant_id = $1 and environment = 'production' limit 1`,
      [merchants.main.id],
    );
    for (const [text, path] of [
      ['xavier', page],
      ['Only@Search.example', page],
      ['srch-1', page],
      [person?.profile_id, page],
      [person?.id, page],
      [interview, `/console/interviews/${interview}`],
      ['beekeeper', `/console/interviews/${interview}`],
      [result?.id, `/console/results/${result?.id}`],
      [delivery, `/console/deliveries/${delivery}`],
      [ids.position, `/console/positions/${ids.position}`],
    ] as const)
      expect([text, ...(await opens(text ?? ''))]).toEqual([text, 303, path]);
  });

  it('lists several matches, and says when there are none', async () => {
    await peopleCalls(platform).register([{ email: 'a@many.example' }, { email: 'b@many.example' }], {
      interview_id: interview,
    });
    const { status, html } = await search('many.example');
    expect([status, html]).toEqual([
      200,
      expect.stringMatching(/a@many\.example[^]*b@many|b@many[^]*a@many\.example/),
    ]);
    for (const text of ['nobody at all', randomUUID(), '%', "'; --"])
      expect([text, textOf((await search(text)).html)]).toEqual([
        text,
        expect.stringContaining('Nothing found'),
      ]);
    expect((await search('')).status).toBe(200);
    expect((await search('x'.repeat(5_000))).status).toBe(200);
  });
});
