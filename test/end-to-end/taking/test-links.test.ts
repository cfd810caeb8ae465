import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
});

const change = (text: string, ...values: unknown[]) => platform.database.rows(text, values);

describe('a test link', () => {
  it('takes a draft, which other links do not', async () => {
    const draft = await calls.makeInterview([{ question: 'One?' }], { status: 'draft' });
    const link = await calls.register(draft);
    expect(await calls.begin(link.token)).toMatchObject({ status: 410, body: { code: 'link_closed' } });
    const test = await calls.register(draft, { is_test: true });
    expect(await calls.takeAll(test.token)).toEqual(['Welcome', 'One?']);
    const { attempt } = await calls.get(test.token);
    const results = await change(
      'select is_test, charge from interview_result where id = $1',
      attempt.result_id,
    );
    expect(results).toEqual([{ is_test: true, charge: 'free' }]);
  });

  it('begins again after its submit, and leaves the candidate’s own attempt alone', async () => {
    const interviewId = await calls.makeInterview([{ question: 'One?' }], { result_view: 'none' });
    const test = await calls.register(interviewId, { is_test: true });
    await calls.takeAll(test.token);
    expect((await calls.get(test.token)).attempt.state).toBe('submitted');
    const again = await calls.begin(test.token);
    expect([again.status, again.attempt]).toMatchObject([200, { attempt: 2, turn: { kind: 'welcome' } }]);
    const results = await change(
      'select is_test from interview_result where enrolment_id = $1',
      test.enrolmentId,
    );
    expect(results).toEqual([{ is_test: true }]);
  });
});
