import { randomUUID } from 'node:crypto';
import { platformTemplateIds } from '../../../local/seed/templates';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import { peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let interviewId: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  const { id } = await definitionCalls(platform).build([given('What did you build?'), given('And then?')], {
    name: '</title><script>alert(1)</script>',
    interview_template_id: platformTemplateIds.offline_avatar_3,
    result_view: 'minimal',
    result_enable_edit_transcript: true,
  });
  interviewId = id;
});

/** Registers a candidate, and returns a browser without scripts that has opened the link. */
async function openBrowser(name = 'Ann') {
  const users = [{ email: `${randomUUID()}@forms.example`, name }];
  const [person] = await peopleCalls(platform).register(users, { interview_id: interviewId });
  const url = person?.interview_url ?? '';
  const first = await fetch(url, { redirect: 'manual' });
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = new URL(first.headers.get('location') ?? '', url);
  const get = async () => (await fetch(page, { headers: { cookie } })).text();
  const opened = await get();
  const enrolmentId = /name="for" value="([^"]+)"/.exec(opened)?.[1] ?? '';
  const send = async (
    action: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(new URL(action, page), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: platform.stack.portal_url, 'accept-language': 'nl', ...headers },
      body: new URLSearchParams({ for: enrolmentId, ...fields }),
    });
    const location = response.headers.get('location');
    return {
      status: response.status,
      note: location && new URL(location, url).search,
      html: await response.text(),
    };
  };
  const version = /name="consent_version" value="([^"]+)"/.exec(opened)?.[1] ?? '';
  return {
    url,
    cookie,
    enrolmentId,
    get,
    send,
    consent: { consent: 'true', consent_version: version },
    begin: () => send('begin', { consent: 'true', consent_version: version }),
    turnId: async () => /name="turn_id" value="([^"]+)"/.exec(await get())?.[1] ?? '',
  };
}
type Candidate = Awaited<ReturnType<typeof openBrowser>>;
const isRedirected = { status: 303, note: '' };

/** Begins the interview and leaves its welcome step. Returns the id of the turn that asks the first question. */
async function toFirstQuestion(candidate: Candidate): Promise<string> {
  expect(await candidate.begin()).toMatchObject(isRedirected);
  const turn_id = await candidate.turnId();
  expect(await candidate.send('answer', { turn_id, seen: 'true' })).toMatchObject(isRedirected);
  return candidate.turnId();
}

/** Returns all stored values that a candidate's forms can change. */
const storedFor = ({ enrolmentId }: Candidate) =>
  platform.database.rows(
    `select r.interview_status, r.attempt, r.consent_version, q.id, q.answer, q.answer_original
     from interview_result r left join result_question q on q.result_id = r.id
     where r.enrolment_id = $1 order by q.id`,
    [enrolmentId],
  );

describe('a form of a candidate’s interview', () => {
  it('does nothing after another candidate’s link was opened in the same browser', async () => {
    const [shown, other] = [await openBrowser('Ann'), await openBrowser('Bob')];
    expect(shown.enrolmentId).not.toBe(other.enrolmentId);
    const isRefused = async (action: string, fields: Record<string, string>) => {
      const before = await storedFor(other);
      for (const owner of [shown.enrolmentId, ''])
        expect(await shown.send(action, { ...fields, for: owner }, { cookie: other.cookie })).toMatchObject({
          status: 409,
          html: expect.stringMatching(/Another interview link was opened in this browser\. Nothing was sent/),
        });
      expect(await storedFor(other)).toEqual(before);
    };
    await isRefused('begin', shown.consent);
    const turn_id = await toFirstQuestion(other);
    await isRefused('answer', { turn_id, text: 'Not by Bob.' });
    expect(await other.send('answer', { turn_id, text: 'By Bob.' })).toMatchObject(isRedirected);
    await isRefused('finish', {});
    expect(await other.send('finish', {})).toMatchObject(isRedirected);
    await isRefused('edit', { turn_id, text: 'Not by Bob.' });
    await isRefused('submit', {});
    expect(await other.get()).toMatch(/For Bob.*Review your answers.*By Bob\./s);
    expect(await other.send('edit', { turn_id, text: 'Edited.' })).toMatchObject({ note: '?note=saved' });
  });

  it('shows a text again that was not stored', async () => {
    const candidate = await openBrowser();
    const turn_id = await toFirstQuestion(candidate);
    await candidate.send('answer', { turn_id, text: 'First.' });
    const second = await candidate.send('answer', { turn_id, text: 'Second.' });
    expect(second.status).toBe(409);
    expect(second.html).toMatch(/was not stored.*Second\..*already has an answer.*And then\?/s);
    await candidate.send('finish', {});
    const unknown = await candidate.send('edit', { turn_id: randomUUID(), text: 'Third.' });
    expect(unknown.status).toBe(409);
    expect(unknown.html).toMatch(/was not stored.*Third\..*could not be accepted/s);
    expect(unknown.html).not.toContain('Your change is saved.');
    expect(await storedFor(candidate)).toContainEqual(
      expect.objectContaining({ id: turn_id, answer: 'First.' }),
    );
  });

  it('is rejected from another site, and does nothing', async () => {
    const candidate = await openBrowser();
    for (const origin of ['https://evil.example', 'null', platform.stack.origin])
      expect((await candidate.send('begin', { consent: 'true' }, { origin })).status).toBe(403);
    expect(await candidate.get()).toContain('Begin the interview');
  });

  it('that is sent twice is stored once', async () => {
    const candidate = await openBrowser();
    const turn_id = await toFirstQuestion(candidate);
    const twice = await Promise.all(
      [1, 2].map(() => candidate.send('answer', { turn_id, text: 'A bridge.' })),
    );
    expect(twice).toMatchObject([isRedirected, isRedirected]);
    expect(await candidate.send('answer', { turn_id, text: 'A bridge.' })).toMatchObject(isRedirected);
    expect(await candidate.get()).toContain('And then?');
  });

  it('is logged without its fields and the token', async () => {
    const candidate = await openBrowser();
    const turn_id = await toFirstQuestion(candidate);
    await candidate.send('answer', { turn_id, text: 'Unlogged words.' });
    await candidate.send('finish', {});
    await candidate.send('submit', {});
    expect(await candidate.get()).toContain('Thank you');
    const log = platform.readLog();
    expect(log).toContain('"operation":"interview-answer"');
    expect(log).not.toMatch(/Unlogged|interview_token|eyJ|forms\.example/);
  });
});
