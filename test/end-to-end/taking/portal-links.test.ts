import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { portalOperationList } from '../../../api/taking/operations';
import { createLinks } from '../../../db/platform/link-tokens';
import { merchants } from '../../../local/seed/accounts';
import { peopleCalls } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import { inputSchema } from '../../harness/platform/operation-inputs';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
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

  it('can be in the cookie of the interview that a script names', async () => {
    const { token, ...link } = await calls.register(interviewId);
    const cookie = `interview-${link.interviewId}=${token}`;
    const headers = { cookie, 'x-interview-id': link.interviewId };
    const body = { consent: true, consent_version: '2026-11-23' };
    expect((await calls.call('attempt-begin', { headers: { cookie }, body })).status).toBe(401);
    expect((await calls.call('attempt-begin', { headers, body })).status).toBe(200);
    const asked = await calls.call('attempt-begin', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-interview-id' },
    });
    expect([...asked.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
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

  it('the interview can be archived and its questions changed, and the attempt goes on as it was planned', async () => {
    const own = await calls.makeInterview([{ question: 'One?' }, { question: 'Two?' }]);
    const { token, turnId } = await calls.beginAt(own);
    await change(`update interview set status = 'archived' where id = $1`, own);
    await change('delete from interview_question where interview_id = $1', own);
    const { attempt } = await calls.answer(token, turnId, { text: 'a' });
    expect(attempt).toMatchObject({ state: 'running', turn: { text: 'Two?' } });
    expect((await calls.begin(token)).attempt.turn).toEqual(attempt.turn);
    expect((await calls.answer(token, turnOf(attempt).turn_id, { text: 'b' })).attempt.state).toBe(
      'collected',
    );
  });
});

describe('the hosts', () => {
  it('of portals serve the operations, and the API’s host does not', async () => {
    const { token } = await calls.beginAt(interviewId);
    const elsewhere = await calls.call('attempt-get', { token, origin: platform.stack.origin });
    expect([elsewhere.status, elsewhere.body['code']]).toEqual([404, 'not_found']);
    const domain = 'jobs.northwind.example';
    await change('update merchant set portal_domain = $1 where id = $2', domain, merchants.main.id);
    const at = (host: string, path: string) =>
      waitFor(`an answer of ${host}`, async () => {
        const { status, body } = await sendRaw(
          platform.stack.origin,
          `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
        );
        return { status, body };
      });
    // The API looks for new portal domains every 10 seconds.
    await waitFor(
      'the portal domain',
      async () => (await at(domain, '/portal/v1/attempt-get')).status === 200,
    );
    expect((await at(domain, '/v1/interview-template-list')).status).toBe(404);
    expect(JSON.parse((await at(domain, '/portal/v1/nothing')).body)).toMatchObject({ code: 'not_found' });
    expect((await at('other.example', '/portal/v1/attempt-get')).status).toBe(404);
  });

  it('of portals describe the operations without a token', async () => {
    const response = await fetch(`${platform.stack.portal_url}/portal/openapi`);
    const document = (await response.json()) as { servers: unknown; paths: object };
    expect(document.servers).toEqual([{ url: `${platform.stack.portal_url}/portal/v1` }]);
    expect(Object.keys(document.paths)).toEqual(portalOperationList.map(({ name }) => `/${name}`));
    expect(await (await fetch(`${platform.stack.origin}/portal/openapi`)).json()).toEqual(document);
    expect((await fetch(`${platform.stack.origin}/docs/reference/portal`)).status).toBe(200);
  });
});

describe('every operation for candidates', () => {
  const fields = portalOperationList.flatMap((operation) =>
    Object.keys(inputSchema(operation).properties ?? {}).map((field) => ({
      name: operation.name,
      method: operation.method,
      field,
      example: operation.example as Record<string, string>,
    })),
  );
  it.each(fields)(
    'returns a complete 422 for NUL in $field of $name',
    async ({ name, method, field, example }) => {
      const { token } = await calls.register(interviewId);
      const input = { ...example, [field]: 'a\0b' };
      const reply = await calls.call(
        name,
        method === 'POST'
          ? { token, body: input }
          : { token, method, query: `?${new URLSearchParams(input).toString()}` },
      );
      expect([reply.status, reply.body]).toEqual([422, errorBody('invalid_value', field)]);
    },
  );

  it.each(portalOperationList.map(({ name, method }) => ({ name, method })))(
    '$name accepts only $method, and only with a token',
    async ({ name, method }) => {
      const { status, headers } = await calls.call(name, { method: 'DELETE' });
      expect([status, headers.get('allow')?.includes(method)]).toEqual([405, true]);
      expect((await calls.call(name, { method, ...(method === 'GET' ? {} : { rawBody: '{' }) })).status).toBe(
        401,
      );
    },
  );

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
