import { randomUUID } from 'node:crypto';
import { openConsole } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import type { CandidateLink } from '../../harness/taking/candidate';
import { candidateForms } from '../../harness/taking/candidate-forms';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let forms: ReturnType<typeof candidateForms>;
let interviewId: string;
let reviewed: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  forms = candidateForms(platform);
  interviewId = await calls.makeInterview([{ question: 'One?' }], { name: 'Long <b>' });
  reviewed = await calls.makeInterview(
    [{ question: 'What did you build?' }, { question: 'What went wrong?' }],
    {
      result_view: 'minimal',
      result_enable_edit_transcript: true,
    },
  );
});

const rows = (text: string, ...values: unknown[]) => platform.database.rows(text, values);
const messagesOf = ({ enrolmentId }: CandidateLink) =>
  rows(
    'select kind, trouble, rating, text, outcome, reply from candidate_message where enrolment_id = $1 order by id',
    enrolmentId,
  );
const make = (changes: Record<string, unknown> = {}) =>
  calls.makeInterview([{ question: 'Why <b>us</b>?' }], changes);
/** Registers a candidate who answers everything and submits. */
async function submitted(changes: Record<string, unknown> = {}) {
  const link = await calls.register(await make({ result_view: 'minimal', ...changes }));
  await calls.takeAll(link.token);
  await calls.call('attempt-submit', { token: link.token, body: {} });
  const { attempt } = await calls.get(link.token);
  expect(attempt.state).toBe('submitted');
  return { ...link, resultId: attempt.result_id };
}

describe('a consent', () => {
  it('begins nothing if the interview records something else by now', async () => {
    const id = await make();
    const link = await calls.register(id);
    const { html } = await forms.open(link);
    const shown = Object.fromEntries(
      ['consent_version', 'recorded'].map((name) => [
        name,
        new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '',
      ]),
    );
    await rows(`update interview set recording = 'video_all' where id = $1`, id);
    await forms.send(link, 'begin', { consent: 'true', ...shown });
    const again = await forms.open(link);
    expect(again.html).toContain('recorded_video_all');
    await forms.send(link, 'begin', {
      consent: 'true',
      ...shown,
      recorded: 'recorded_video_all recorded_typed',
    });
    expect((await calls.get(link.token)).attempt.state).toBe('running');
  });
});

describe('a report of trouble', () => {
  it('reaches the page of the result, at most five times an attempt', async () => {
    const link = await calls.beginAt(await make());
    expect((await forms.open(link)).html).toContain('<details class="trouble" id="trouble">');
    const send = (text: string, trouble = 'sound') => forms.send(link, 'trouble', { trouble, text });
    const first = await send('<img src=x> No sound');
    expect([first.status, first.location]).toEqual([303, expect.stringContaining('/reported')]);
    expect((await forms.open(link, 'reported')).html).toContain('Your report has been sent.');
    for (let times = 1; times < 5; times++) await send('');
    expect((await send('Sixth')).status).toBe(409);
    expect(await messagesOf(link)).toHaveLength(5);
    expect((await forms.open(link)).html).toContain('You have sent the most');
    const { attempt } = await calls.get(link.token);
    const recruiter = await openConsole(platform, 'merchant');
    const { html } = await recruiter.get(`/console/results/${attempt.result_id}`);
    expect(html).toContain('Trouble: Microphone or sound');
    expect(html).toContain('&lt;img src=x> No sound');
  });
});

describe('the page after the submit', () => {
  it('shows what happens next, as far as the interview says so, and the answers until they are deleted', async () => {
    const plain = await submitted({ result_view: 'none' });
    expect((await forms.open(plain)).html).not.toContain('What happens next');
    const link = await submitted({ next_step_text: 'We <i>call</i> you.', answer_within_days: 10 });
    const { html } = await forms.open(link);
    expect(html).toContain('We &lt;i>call&lt;/i> you.');
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
    expect(html).toContain(`answers by ${day.format(Date.now() + 10 * 86_400_000)}`);
    const file = await forms.open(plain, 'answers');
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="answers.html"',
    ]);
    expect(file.html).toContain('<h2 dir="auto">Why &lt;b>us&lt;/b>?</h2>');
    expect(file.html).toContain('My answer to Why');
    await rows('select app.erase_attempt($1, 1), app.erase_messages($1, 1)', plain.resultId);
    expect((await forms.open(plain, 'answers')).status).toBe(303);
    expect((await forms.open(plain)).html).not.toContain('/answers');
    expect((await forms.send(plain, 'survey', { rating: '5' })).location).toContain('note=error_form');
  });

  it('takes one answer to the survey, which the result shows', async () => {
    const link = await submitted();
    const notes: string[] = [];
    for (const rating of ['4', '4', '1'])
      notes.push((await forms.send(link, 'survey', { rating, text: '' })).location ?? '');
    expect(notes.map((address) => address.split('note=')[1])).toEqual(['sent', 'sent', 'sent_before']);
    expect(await messagesOf(link)).toMatchObject([{ kind: 'survey', rating: 4, text: null }]);
    expect((await forms.open(link)).html).toContain('Thank you for your feedback.');
    const recruiter = await openConsole(platform, 'merchant');
    expect((await recruiter.get(`/console/results/${link.resultId}`)).html).toContain('Survey: 4 of 5');
  });
});

describe('a review by a person', () => {
  it('is asked for once, with a reason, and answered at the link', async () => {
    const link = await submitted();
    for (const _ of ['once', 'with a double click'])
      expect(
        (await forms.send(link, 'human-review', { text: 'The AI <u>misread</u> me' })).location,
      ).toContain('note=sent');
    const second = await forms.send(link, 'human-review', { text: 'Again' });
    expect([second.status, second.html]).toEqual([
      409,
      expect.stringContaining('You have already sent this.'),
    ]);
    expect(second.html).toContain('Again');
    expect(await messagesOf(link)).toMatchObject([
      { kind: 'human_review', text: 'The AI <u>misread</u> me' },
    ]);
    expect((await forms.open(link)).html).toContain('You have asked for a review by a person.');

    const [{ id } = { id: '' }] = await platform.database.rows<{ id: string }>(
      'select id from candidate_message where enrolment_id = $1',
      [link.enrolmentId],
    );
    const recruiter = await openConsole(platform, 'merchant');
    const list = await recruiter.get('/console/requests');
    expect(list.html).toContain('The AI &lt;u>misread&lt;/u> me');
    expect(list.html).toContain('Due ');
    const answer = (reply: string, client = recruiter) =>
      client.post(`/console/requests/${id}/answer`, { [`reply-${id}`]: reply });
    const empty = await answer(' ');
    expect([empty.status, empty.html]).toEqual([422, expect.stringContaining('Write a reply')]);
    expect((await answer('Too', await openConsole(platform, 'merchant_selection'))).status).toBe(403);
    for (const reply of ['We <s>agree</s>.', 'Second']) await answer(reply);
    expect(await messagesOf(link)).toMatchObject([{ outcome: 'answered', reply: 'We <s>agree</s>.' }]);
    expect((await forms.open(link)).html).toContain('We &lt;s>agree&lt;/s>.');
    expect(
      await rows(
        'select act from audit_entry where subject_id = $1 and act like $2',
        link.resultId,
        'human%',
      ),
    ).toHaveLength(1);
  });
});

describe('forms of the pages of an attempt', () => {
  it('say what is wrong next to the field, keep the text and store nothing', async () => {
    const [fresh, begun, done] = [
      await calls.register(interviewId),
      await calls.beginAt(await make()),
      await submitted(),
    ];
    for (const [link, action, fields, message] of [
      [fresh, 'more-time', { time_factor: '' }, 'Choose one'],
      [fresh, 'more-time', { time_factor: '3' }, 'Choose one'],
      [fresh, 'more-time', { time_factor: '1' }, 'Choose one'],
      [fresh, 'more-time', { time_factor: '1.5', text: 'x'.repeat(501) }, 'Shorten it to 500 characters'],
      [begun, 'trouble', { trouble: 'other2' }, 'Choose one'],
      [begun, 'trouble', { trouble: 'other', text: 'a\0' }, 'cannot be stored'],
      [begun, 'trouble', { trouble: 'other', text: 'x'.repeat(501) }, 'Shorten it to 500'],
      [done, 'survey', {}, 'Choose one'],
      [done, 'human-review', { text: ' ' }, 'Write'],
    ] as const) {
      const { status, html } = await forms.send(link, action, { text: 'Kept <i>', ...fields });
      expect([action, fields, status, html]).toEqual([action, fields, 422, expect.stringContaining(message)]);
      if (!('text' in fields)) expect(html).toContain('Kept &lt;i>');
      if (action === 'trouble') expect(html).toContain('id="trouble" open');
    }
    for (const link of [fresh, begun, done]) expect(await messagesOf(link)).toEqual([]);
  });

  it('are not taken from another site, for another candidate or if they are too large', async () => {
    const link = await submitted();
    for (const action of ['survey', 'human-review', 'trouble']) {
      const fields = { rating: '5', trouble: 'other', text: 'Any' };
      const foreign = await forms.send(link, action, fields, { origin: 'https://evil.example' });
      const other = await forms.send(link, action, { ...fields, for: randomUUID() });
      expect([action, foreign.status, other.status]).toEqual([action, 403, 409]);
      expect(foreign.html).toContain('This form was not accepted');
    }
    const large = await forms.send(link, 'trouble', { trouble: 'other', text: 'x'.repeat(300_000) });
    expect([large.status, large.html]).toEqual([413, expect.stringContaining('The text is too long')]);
    expect(await messagesOf(link)).toEqual([]);
  });
});

const set = (link: CandidateLink, time_factor: number) =>
  platform.call('job-interview-set-time-factor', {
    body: { profile_interview_id: link.enrolmentId, time_factor },
  });
const requestsOf = ({ enrolmentId }: CandidateLink) =>
  platform.database.rows(
    'select kind, time_factor::float8, text, outcome from candidate_message where enrolment_id = $1 order by id',
    [enrolmentId],
  );
const ask = (link: CandidateLink, fields: Record<string, string> = {}) =>
  forms.send(link, 'more-time', { time_factor: '1.5', text: '', ...fields });

describe('a request for more time', () => {
  it('is stored once, shown to recruiters, and extends the running attempt when it is granted', async () => {
    const link = await calls.register(interviewId);
    expect((await forms.open(link)).html).toContain('I need more time');
    const text = '<script>alert(1)</script> I read slowly.';
    const first = await ask(link, { text });
    expect([first.status, first.location]).toEqual([303, expect.stringContaining('note=sent')]);
    expect((await ask(link, { text: 'Again', time_factor: '2' })).status).toBe(409);
    expect(await requestsOf(link)).toEqual([{ kind: 'more_time', time_factor: 1.5, text, outcome: null }]);
    const waiting = await forms.open(link);
    expect(waiting.html).toContain('You have asked');
    expect(waiting.html).not.toContain('action="/interview/take/' + link.interviewId + '/more-time');

    const { attempt } = await calls.begin(link.token);
    const recruiter = await openConsole(platform, 'merchant');
    const list = await recruiter.get('/console/requests');
    expect(list.html).toContain('Request for more time (× 1.5)');
    expect(list.html).toContain('&lt;script>alert(1)');
    expect((await recruiter.get(`/console/results/${attempt.result_id}`)).html).toContain('I read slowly.');
    const granted = await recruiter.post(`/console/requests/${link.enrolmentId}/time`, {
      time_factor: '1.5',
    });
    expect((await recruiter.follow(granted)).html).toContain('More time granted.');
    const { attempt: extended } = await calls.get(link.token);
    expect(Date.parse(extended.deadline_at ?? '') - Date.parse(attempt.deadline_at ?? '')).toBe(600_000);
    expect(await requestsOf(link)).toMatchObject([{ outcome: 'granted' }]);
    const acts = await platform.database.rows(`select act, details from audit_entry where subject_id = $1`, [
      link.enrolmentId,
    ]);
    expect(acts).toEqual([
      { act: 'job-interview-set-time-factor', details: { time_factor: 1.5, request: 'granted' } },
    ]);
    // Lowering the factor does not shorten an attempt that is running.
    expect((await set(link, 1)).body).toMatchObject({ time_factor: 1, request: null, deadline_at: null });
    expect((await calls.get(link.token)).attempt.deadline_at).toBe(extended.deadline_at);
    // Raising the factor to its former value does not extend the deadline a second time.
    expect((await set(link, 1.5)).body).toMatchObject({ time_factor: 1.5, deadline_at: null });
    expect((await calls.get(link.token)).attempt.deadline_at).toBe(extended.deadline_at);
  });

  it('can be declined, and be made three times', async () => {
    const link = await calls.register(interviewId);
    for (let times = 0; times < 3; times++) {
      await ask(link);
      expect((await set(link, 1)).body).toMatchObject({ request: 'declined' });
    }
    expect((await forms.open(link)).html).toContain('has not granted more time');
    const fourth = await ask(link, { text: 'Please' });
    expect([fourth.status, fourth.html]).toEqual([409, expect.stringContaining('You have sent the most')]);
    expect(await requestsOf(link)).toHaveLength(3);
    expect((await set(link, 2)).body).toMatchObject({ request: null, time_factor: 2 });
    expect((await forms.open(link)).html).toContain('40 minutes');
  });
});

describe('the form of the review', () => {
  const answersOf = async (token: string) =>
    ((await calls.get(token)).attempt.transcript ?? []).map(({ answer }) => answer);
  const begun = async () => {
    const link = await calls.register(reviewed);
    await calls.takeAll(link.token);
    const { html } = await forms.open(link);
    const shown = [...html.matchAll(/name="(turn_id|shown)" value="([^"]+)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    /** Sends the fields of the page with these texts. */
    const send = (action: string, ...texts: string[]) =>
      forms.send(link, action, [...shown, ...texts.map((text): [string, string] => ['text', text])]);
    return { token: link.token, link, send, before: await answersOf(link.token) };
  };

  it('keeps an answer that another window has changed since, unless it was changed here too', async () => {
    const { token, send, before } = await begun();
    const [first = '', second = ''] = before.map(String);
    expect((await send('edit', 'From one window.', second)).status).toBe(303);
    expect((await send('submit', first, 'From the other.')).status).toBe(303);
    expect(await answersOf(token)).toEqual(['From one window.', 'From the other.']);
    expect((await calls.get(token)).attempt.state).toBe('submitted');
  });

  it('stores and submits nothing while one of the answers is wrong or too late, and shows all of them', async () => {
    const { token, link, send, before } = await begun();
    const wrong = await send('submit', 'A <b>tower</b>.', ' ');
    expect(wrong.status).toBe(422);
    expect(wrong.html).toMatch(/A &lt;b>tower&lt;\/b>\.<\/textarea>.*Write an answer\./s);
    expect([(await calls.get(token)).attempt.state, await answersOf(token)]).toEqual(['collected', before]);

    await platform.database.rows(
      `update interview_result set deadline_at = now() - interval '1 day', last_active_at = now() - interval '1 day'
       where id = $1`,
      [(await calls.get(token)).attempt.result_id],
    );
    const { status, html } = await send('submit', 'A tower.', String(before[1]));
    expect([status, html.includes('The time was over')]).toEqual([409, true]);
    expect(html).toMatch(/was not stored.*A tower\..*Submit the answers/s);
    expect([(await calls.get(token)).attempt.state, await answersOf(token)]).toEqual(['collected', before]);
    expect((await forms.send(link, 'submit', {})).status).toBe(303);
  });
});
