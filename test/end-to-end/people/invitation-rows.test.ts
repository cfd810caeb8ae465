import { randomUUID } from 'node:crypto';
import { cloneInterview, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
let interview: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
});
beforeEach(async () => {
  interview = await cloneInterview(platform.database);
  await platform.database.rows('delete from invitation');
});

const recorded = () =>
  platform.database.rows(
    `select type, result, channel, interview_id, enrolment_id is not null as is_enrolled, is_test,
       expires_at > now() as expires, language
     from invitation order by id`,
  );

describe('the rows that reports count', () => {
  it('have the outcome of each registered candidate, and no address', async () => {
    await calls.register([{ email: 'one@example.com' }, { email: 'no address' }], {
      interview_id: interview,
      is_test: true,
    });
    const row = {
      type: 'candidate',
      channel: 'link',
      interview_id: interview,
      is_test: true,
      language: 'en',
    };
    expect(await recorded()).toEqual([
      { ...row, result: 'invited', is_enrolled: true, expires: true },
      { ...row, result: 'error', is_enrolled: false, expires: null },
    ]);
    const [all] = await platform.database.rows<{ text: string }>(
      'select string_agg(v::text, $$ $$) as text from invitation v',
    );
    expect(all?.text).not.toContain('example.com');
    const [enrolled] = await platform.database.rows('select source from enrolment where interview_id = $1', [
      interview,
    ]);
    expect(enrolled).toEqual({ source: 'registered' });
  });

  it('have the outcome of each invited person', async () => {
    await calls.invite([
      { email: 'two@example.com', type: 'candidate', interview_id: interview },
      { email: 'two@example.com', type: 'candidate', interview_id: interview },
      { email: `${randomUUID()}@example.com`, type: 'merchant' },
      { email: 'three@example.com', type: 'candidate', interview_id: randomUUID() },
      { email: 'four@example.com', type: 'nobody' },
      'no row',
      null,
    ]);
    const rows = await recorded();
    expect(rows.map(({ type, result }) => [type, result])).toEqual([
      ['candidate', 'invited'],
      ['candidate', 'skipped'],
      ['merchant', 'invited'],
      ['candidate', 'error'],
    ]);
    expect(rows[0]).toMatchObject({
      channel: 'email',
      interview_id: interview,
      is_enrolled: true,
      expires: true,
    });
    const [enrolled] = await platform.database.rows('select source from enrolment where interview_id = $1', [
      interview,
    ]);
    expect(enrolled).toEqual({ source: 'invited' });
  });
});
