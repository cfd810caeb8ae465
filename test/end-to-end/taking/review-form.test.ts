import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { candidateForms } from '../../harness/taking/candidate-forms';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let reviewed: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  reviewed = await calls.makeInterview(
    [{ question: 'What did you build?' }, { question: 'What went wrong?' }],
    {
      result_view: 'minimal',
      result_enable_edit_transcript: true,
    },
  );
});

describe('the form of the review', () => {
  const answersOf = async (token: string) =>
    ((await calls.get(token)).attempt.transcript ?? []).map(({ answer }) => answer);
  const begun = async () => {
    const link = await calls.register(reviewed);
    await calls.takeAll(link.token);
    const { html } = await candidateForms(platform).open(link);
    const shown = [...html.matchAll(/name="(turn_id|shown)" value="([^"]+)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    /** Sends the fields of the page with these texts. */
    const send = (action: string, ...texts: string[]) =>
      candidateForms(platform).send(link, action, [
        ...shown,
        ...texts.map((text): [string, string] => ['text', text]),
      ]);
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

  it('stores and submits nothing while one of the answers is wrong, and keeps all of them', async () => {
    const { token, send, before } = await begun();
    const { status, html } = await send('submit', 'A <b>tower</b>.', ' ');
    expect(status).toBe(422);
    expect(html).toMatch(/A &lt;b>tower&lt;\/b>\.<\/textarea>.*Write an answer\./s);
    expect([(await calls.get(token)).attempt.state, await answersOf(token)]).toEqual(['collected', before]);
  });

  it('submits nothing if a change comes too late, and shows the change', async () => {
    const { token, link, send, before } = await begun();
    await platform.database.rows(
      `update interview_result set deadline_at = now() - interval '1 day', last_active_at = now() - interval '1 day'
       where id = $1`,
      [(await calls.get(token)).attempt.result_id],
    );
    const { status, html } = await send('submit', 'A tower.', String(before[1]));
    expect([status, html.includes('The time was over')]).toEqual([409, true]);
    expect(html).toMatch(/was not stored.*A tower\..*Submit the answers/s);
    expect([(await calls.get(token)).attempt.state, await answersOf(token)]).toEqual(['collected', before]);
    expect((await candidateForms(platform).send(link, 'submit', {})).status).toBe(303);
  });
});
