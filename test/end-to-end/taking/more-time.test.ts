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
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  forms = candidateForms(platform);
  interviewId = await calls.makeInterview([{ question: 'One?' }], { name: 'Long <b>' });
});

const set = (link: CandidateLink, time_factor: number) =>
  platform.call('job-interview-set-time-factor', {
    body: { profile_interview_id: link.enrolmentId, time_factor },
  });
const messagesOf = ({ enrolmentId }: CandidateLink) =>
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
    expect(await messagesOf(link)).toEqual([{ kind: 'more_time', time_factor: 1.5, text, outcome: null }]);
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
    expect(await messagesOf(link)).toMatchObject([{ outcome: 'granted' }]);
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
    expect(await messagesOf(link)).toHaveLength(3);
    expect((await set(link, 2)).body).toMatchObject({ request: null, time_factor: 2 });
    expect((await forms.open(link)).html).toContain('40 minutes');
  });

  it.each([
    ['no time', { time_factor: '' }, 'Choose one'],
    ['a time that is not offered', { time_factor: '3' }, 'Choose one'],
    ['the present time', { time_factor: '1' }, 'Choose one'],
    ['NUL', { text: 'a\0b' }, 'cannot be stored'],
    ['too long a text', { text: 'x'.repeat(501) }, 'Shorten it to 500 characters'],
  ])('with %s is a 422 that keeps the text', async (_what, fields, message) => {
    const link = await calls.register(interviewId);
    const reply = await ask(link, { text: 'Kept <i>', ...fields });
    expect([reply.status, reply.html]).toEqual([422, expect.stringContaining(message)]);
    if (!('text' in fields)) expect(reply.html).toContain('Kept &lt;i>');
    expect(await messagesOf(link)).toEqual([]);
  });

  it('from another site, or for another candidate, is not stored', async () => {
    const link = await calls.register(interviewId);
    const foreign = await forms.send(
      link,
      'more-time',
      { time_factor: '2' },
      { origin: 'https://evil.example' },
    );
    const other = await ask(link, { for: randomUUID() });
    expect([foreign.status, other.status]).toEqual([403, 409]);
    expect(await messagesOf(link)).toEqual([]);
  });
});

describe('job-interview-set-time-factor', () => {
  it('returns 404 for an unknown candidate and 422 for another factor', async () => {
    const link = await calls.register(interviewId);
    expect((await set({ ...link, enrolmentId: randomUUID() }, 2)).status).toBe(404);
    expect((await set(link, 1.1)).body).toMatchObject({ name: 'time_factor' });
  });
});
