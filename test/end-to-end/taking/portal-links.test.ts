import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { portalOperationList } from '../../../api/taking/operations';
import { createLinks } from '../../../db/platform/link-tokens';
import { merchants } from '../../../local/seed/accounts';
import { peopleCalls } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import { inputSchema } from '../../harness/platform/operation-inputs';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import type { CandidateLink } from '../../harness/taking/candidate';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let interviewId: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  interviewId = await calls.makeInterview([{ question: 'One?' }, { question: 'Two?' }]);
});

const change = (text: string, ...values: unknown[]) => platform.database.rows(text, values);

/** Signs another token for the candidate's interview. By default, it has generation 1 and expires in a minute. */
async function signAgain(
  { enrolmentId, interviewId }: CandidateLink,
  { generation = 1, expiresAt = new Date(Date.now() + 60_000), ...more } = {},
): Promise<string> {
  const keys = JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
  const links = await createLinks(keys, platform.stack.portal_url);
  const url = await links.interviewUrl(
    { enrolmentId, interviewId, generation, isTest: false, ...more },
    { availableTill: expiresAt, hideMenu: false, hideIframe: false },
  );
  return new URL(url).searchParams.get('interview_token') ?? '';
}
const expiresAt = new Date(Date.now() - 60_000);

describe('an expired token', () => {
  it('finishes the attempt that is running, and begins no other', async () => {
    const own = await calls.makeInterview([{ question: 'One?' }]);
    const link = await calls.beginAt(own);
    const expired = await signAgain(link, { expiresAt });
    expect((await calls.begin(expired)).attempt).toMatchObject({ state: 'running' });
    expect((await calls.answer(expired, link.turnId, { text: 'a' })).attempt.state).toBe('collected');
    const submitted = await calls.call('attempt-submit', { token: expired, body: {} });
    expect([submitted.status, submitted.attempt.state]).toEqual([200, 'submitted']);
    expect(await calls.get(expired)).toMatchObject({ status: 401, body: { code: 'token_expired' } });
    expect((await calls.get(link.token)).status).toBe(200);
  });

  it('is a 401 before the attempt begins and after its deadline', async () => {
    const fresh = await calls.register(interviewId);
    const early = await calls.begin(await signAgain(fresh, { expiresAt }));
    expect([early.status, early.body['code'], early.headers.get('www-authenticate')]).toEqual([
      401,
      'token_expired',
      'Bearer',
    ]);
    const link = await calls.beginAt(interviewId);
    await change(
      `update interview_result set deadline_at = now() - interval '1 minute' where enrolment_id = $1`,
      link.enrolmentId,
    );
    const expired = await signAgain(link, { expiresAt });
    expect(await calls.answer(expired, link.turnId, { text: 'a' })).toMatchObject({ status: 401 });
  });
});

describe('a token', () => {
  it('of an unknown candidate, another interview or a later generation is a 401', async () => {
    const link = await calls.register(interviewId);
    const wrong = [
      await signAgain({ ...link, enrolmentId: merchants.main.id }),
      await signAgain({ ...link, interviewId: merchants.main.id }),
      await signAgain(link, { generation: 7 }),
    ];
    for (const token of wrong)
      expect(await calls.get(token)).toMatchObject({ status: 401, body: { code: 'token_revoked' } });
    expect((await calls.begin(await signAgain(link))).status).toBe(200);
  });

  it('is a 401 if it is missing, changed or of a session', async () => {
    const { token } = await calls.register(interviewId);
    expect(await calls.call('attempt-get')).toMatchObject({ status: 401, body: { code: 'token_missing' } });
    for (const other of [`${token.slice(0, -4)}AAAA`, 'x', platform.stack.tokens.merchant_owner])
      expect(await calls.get(other)).toMatchObject({ status: 401, body: { code: 'token_malformed' } });
    expect(await platform.call('interview-template-list', { token })).toMatchObject({ status: 401 });
  });
});

describe('while an attempt is running', () => {
  it('the change of the email address ends its link', async () => {
    const [row] = await peopleCalls(platform).register(
      [{ email: 'before@candidates.example', external_id: 'moves' }],
      { interview_id: interviewId },
    );
    const token = new URL(row?.interview_url ?? '').searchParams.get('interview_token') ?? '';
    const { attempt } = await calls.begin(token);
    await peopleCalls(platform).register([{ email: 'after@candidates.example', external_id: 'moves' }], {
      interview_id: interviewId,
    });
    for (const reply of [
      await calls.get(token),
      await calls.begin(token),
      await calls.answer(token, turnOf(attempt).turn_id, { seen: true }),
      await calls.call('attempt-finish', { token, body: {} }),
      await calls.call('attempt-submit', { token, body: {} }),
    ])
      expect([reply.status, reply.body['code'], reply.attempt]).toEqual([410, 'link_closed', undefined]);
  });
});

describe('the hosts', () => {
  it('of portals describe the operations without a token, and the API’s host serves none', async () => {
    const { token } = await calls.beginAt(interviewId);
    const elsewhere = await calls.call('attempt-get', { token, origin: platform.stack.origin });
    expect([elsewhere.status, elsewhere.body['code']]).toEqual([404, 'not_found']);
    const response = await fetch(`${platform.stack.portal_url}/portal/openapi`);
    const document = (await response.json()) as { servers: unknown; paths: object };
    expect(document.servers).toEqual([{ url: `${platform.stack.portal_url}/portal/v1` }]);
    expect(Object.keys(document.paths)).toEqual(portalOperationList.map(({ name }) => `/${name}`));
    expect(await (await fetch(`${platform.stack.origin}/portal/openapi`)).json()).toEqual(document);
    expect((await fetch(`${platform.stack.origin}/docs/reference/portal`)).status).toBe(200);
  });
});

describe('every operation for candidates', () => {
  it('returns a complete 422 for NUL in any field', async () => {
    const { token } = await calls.register(interviewId);
    for (const operation of portalOperationList)
      for (const field of Object.keys(inputSchema(operation).properties ?? {})) {
        const { name, method } = operation;
        const input = { ...(operation.example as Record<string, string>), [field]: 'a\0b' };
        const query = `?${new URLSearchParams(input).toString()}`;
        const reply = await calls.call(
          name,
          method === 'POST' ? { token, body: input } : { token, method, query },
        );
        expect([name, reply.status, reply.body]).toEqual([name, 422, errorBody('invalid_value', field)]);
      }
  });

  it('accepts only its method, and only with a token', async () => {
    for (const { name, method } of portalOperationList) {
      const { status, headers } = await calls.call(name, { method: 'DELETE' });
      expect([name, status, headers.get('allow')?.includes(method)]).toEqual([name, 405, true]);
      const bare = { method, ...(method === 'GET' ? {} : { rawBody: '{' }) };
      expect([name, (await calls.call(name, bare)).status]).toEqual([name, 401]);
    }
  });

  it('returns a 422 for a body that is no JSON object, and a 413 for one of more than 256 KiB', async () => {
    const { token } = await calls.register(interviewId);
    for (const rawBody of ['', '{', '[]', 'null', '"a"', '['.repeat(2_000), Buffer.from([0xff, 0xfe])])
      expect((await calls.call('turn-answer', { token, rawBody })).status).toBe(422);
    expect((await calls.call('turn-answer', { token, rawBody: ' '.repeat(262_145) })).status).toBe(413);
  });
});

it('writes the operation to the log, and never a token or an answer', async () => {
  const { token, turnId } = await calls.beginAt(interviewId);
  await calls.answer(token, turnId, { text: 'A very private answer.' });
  await calls.call('turn-answer', { token, body: { turn_id: turnId, text: 5 } });
  await calls.call('attempt-get', {
    query: `?interview_token=${token}`,
    headers: { 'x-request-id': 'last-call' },
  });
  const log = () => platform.readLog();
  await waitFor('the last line', async () => log().includes('last-call'));
  const lines = log()
    .split('\n')
    .filter((line) => line.includes('"operation":"turn-answer"'));
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    status: 422,
    database_ms: expect.any(Number),
    merchant_id: platform.stack.merchant_id,
    profile_id: null,
  });
  expect(log()).not.toContain(token);
  expect(log()).not.toContain(token.split('.')[1]);
  expect(log()).not.toContain('private answer');
});
