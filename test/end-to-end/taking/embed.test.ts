import { randomUUID } from 'node:crypto';
import { currentConsentVersion } from '../../../api/taking/consent-version';
import { enrolmentsOf, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { embedCalls, hiddenField, signToken } from '../../harness/taking/embed';
import type { EmbedKey } from '../../harness/taking/embed';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let candidates: ReturnType<typeof candidateCalls>;
let embeds: ReturnType<typeof embedCalls>;
let interviewId: string;
let key: EmbedKey;
const site = 'https://careers.example.com';
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  candidates = candidateCalls(platform);
  embeds = embedCalls(platform);
  interviewId = await candidates.makeInterview([{ question: 'One?' }]);
  key = await embeds.makeKey(interviewId, [site, 'http://localhost:3000']);
});

const rows = (text: string, ...values: unknown[]) => platform.database.rows(text, values);
const policyOf = (headers: Headers) => headers.get('content-security-policy')?.split('; ') ?? [];
const now = () => Math.floor(Date.now() / 1_000);
const consent = { consent: 'true', consent_version: currentConsentVersion };

describe('an embedded interview', () => {
  it('opens with a signed token, in a frame of its own sites only', async () => {
    const email = `${randomUUID()}@candidates.example`;
    const entered = await embeds.enter(
      key.embed_id,
      signToken(key, { email, name: 'Ann Lee', external_id: 'x-1' }),
    );
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `/embed/${key.embed_id}/`]);
    expect(entered.setCookie).toMatch(
      /^embed-[0-9a-f-]{36}=[\w.-]+; Max-Age=\d+; Path=\/; .*HttpOnly; Secure; Partitioned; SameSite=None$/,
    );
    const page = await embeds.show(key.embed_id, { cookie: entered.cookie });
    expect([page.status, policyOf(page.headers), page.headers.get('x-frame-options')]).toEqual([
      200,
      expect.arrayContaining([`frame-ancestors 'self' ${site} http://localhost:3000`]),
      null,
    ]);
    expect(page.html).toContain('name="consent"');
    const [enrolment] = await enrolmentsOf(platform.database, interviewId);
    expect(enrolment).toMatchObject({ email, name: 'Ann Lee', external_id: 'x-1' });
  });

  it('is taken with forms of the portal’s own pages, and no other site can send them', async () => {
    const { cookie } = await embeds.enter(key.embed_id, signToken(key));
    const start = await embeds.show(key.embed_id, { cookie });
    const fields = { ...consent, for: hiddenField(start.html, 'for') };
    for (const origin of [site, 'null', platform.stack.origin])
      expect((await embeds.post(key.embed_id, 'begin', fields, { cookie, origin })).status).toBe(403);
    const begun = await embeds.post(key.embed_id, 'begin', fields, { cookie });
    expect([begun.status, begun.headers.get('location')]).toEqual([303, `/embed/${key.embed_id}/`]);
    const turn = await embeds.show(key.embed_id, { cookie });
    const answered = { for: fields.for, turn_id: hiddenField(turn.html, 'turn_id'), seen: 'true' };
    expect((await embeds.post(key.embed_id, 'answer', answered, { cookie })).status).toBe(303);
    expect((await embeds.show(key.embed_id, { cookie })).html).toContain('One?');
    // A form of the candidate whose page was opened before does nothing.
    const [first, second] = [
      await embeds.enter(key.embed_id, signToken(key)),
      await embeds.enter(key.embed_id, signToken(key)),
    ];
    const page = await embeds.show(key.embed_id, { cookie: first.cookie });
    const earlier = { ...consent, for: hiddenField(page.html, 'for') };
    const { status } = await embeds.post(key.embed_id, 'begin', earlier, { cookie: second.cookie });
    expect(status).toBe(409);
    expect(await rows('select from interview_result where enrolment_id = $1', earlier.for)).toEqual([]);
  });

  it('identifies candidates as register-users does, and goes on with their attempt', async () => {
    const token = () => signToken(key, { email: 'Bo@candidates.example', external_id: 'bo' });
    const [registered] = await peopleCalls(platform).register(
      [{ email: 'bo@candidates.example', name: 'Bo' }],
      { interview_id: interviewId },
    );
    const link = new URL(registered?.interview_url ?? '').searchParams.get('interview_token') ?? '';
    await candidates.begin(link);
    const { cookie } = await embeds.enter(key.embed_id, token());
    expect((await embeds.show(key.embed_id, { cookie })).html).toContain('For Bo');
    const moved = signToken(key, { email: 'bo2@candidates.example', external_id: 'bo' });
    expect((await embeds.enter(key.embed_id, moved)).status).toBe(303);
    expect((await candidates.get(link)).status).toBe(410);
    const other = signToken(key, { email: 'cy@candidates.example', external_id: 'cy' });
    await embeds.enter(key.embed_id, other);
    const both = await embeds.enter(
      key.embed_id,
      signToken(key, { email: 'cy@candidates.example', external_id: 'bo' }),
    );
    expect([both.status, both.html]).toEqual([409, expect.stringContaining('external_id_taken')]);
    const found = await rows(
      `select email from enrolment where scope_id = $1 and external_id in ('bo', 'cy') order by email`,
      interviewId,
    );
    expect(found).toEqual([{ email: 'bo2@candidates.example' }, { email: 'cy@candidates.example' }]);
  });

  it('opens again for the browser that used the token, also after it has expired, and for no other, and HEAD uses up none', async () => {
    const claims = { email: 'dee@candidates.example', jti: randomUUID() };
    const token = signToken(key, claims);
    const address = `${platform.stack.portal_url}/embed/${key.embed_id}?token=${token}`;
    const head = await fetch(address, { method: 'HEAD', redirect: 'manual' });
    expect([head.status, head.headers.getSetCookie()]).toEqual([200, []]);
    const { cookie } = await embeds.enter(key.embed_id, token);
    const [again, other] = [
      await embeds.enter(key.embed_id, token, { cookie }),
      await embeds.enter(key.embed_id, token),
    ];
    expect([again.status, again.setCookie]).toEqual([303, '']);
    expect([other.status, other.html]).toEqual([401, expect.stringContaining('token_used')]);
    const expired = signToken(key, { ...claims, exp: now() - 7_200 });
    expect((await embeds.enter(key.embed_id, expired, { cookie })).status).toBe(303);
    const atOnce = signToken(key);
    const both = await Promise.all([1, 2, 3].map(() => embeds.enter(key.embed_id, atOnce)));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401]);
  });

  it('has a session for its own page and operations, and no other page or interview', async () => {
    const { cookie } = await embeds.enter(key.embed_id, signToken(key));
    const value = cookie.split('=')[1] ?? '';
    const elsewhere = await embeds.makeKey(await candidates.makeInterview([{ question: 'One?' }]));
    const portal = platform.stack.portal_url;
    const open = (url: string, sent: string) => fetch(url, { headers: { cookie: sent } });
    for (const [url, sent] of [
      [`${portal}/interview/take/${interviewId}/`, `${cookie}; interview-${interviewId}=${value}`],
      [`${portal}/interview/take/${interviewId}/?interview_token=${value}`, cookie],
    ] as const)
      expect((await open(url, sent)).status).toBe(404);
    const other = await embeds.show(elsewhere.embed_id, { cookie: `embed-${elsewhere.embed_id}=${value}` });
    expect([other.status, other.html]).toEqual([401, expect.stringContaining('cookie_missing')]);
    expect((await candidates.get(value)).status).toBe(401);
    // The script of its page calls the operations for candidates.
    const body = { consent: true, consent_version: currentConsentVersion };
    const call = (headers: Record<string, string>) => candidates.call('attempt-begin', { headers, body });
    expect((await call({ cookie })).status).toBe(401);
    expect((await call({ cookie, 'x-interview-id': interviewId })).status).toBe(401);
    expect((await call({ cookie, 'x-embed-id': key.embed_id })).attempt).toMatchObject({ state: 'running' });
  });
});

describe('an embedded interview is not shown', () => {
  const expectProblem = async (token: string, status: number, code: string, embedId = key.embed_id) => {
    const reply = await embeds.enter(embedId, token, { 'accept-language': 'nl' });
    expect([reply.status, reply.setCookie]).toEqual([status, '']);
    expect(reply.html).toContain(code);
    return reply;
  };

  it('for a token of another embed_id, without a signature, with wrong claims or of a revoked key', async () => {
    const another = await embeds.makeKey(await candidates.makeInterview([{ question: 'One?' }]));
    const before = await rows('select id from enrolment where scope_id = $1', interviewId);
    for (const token of [signToken(another), 'x', '', 'x'.repeat(5_000)])
      await expectProblem(token, 401, 'signature_invalid');
    await expectProblem(signToken(key, { email: 'nobody' }), 401, 'claims_invalid');
    await expectProblem(signToken(key, { exp: now() - 120 }), 401, 'token_expired');
    expect(await rows('select id from enrolment where scope_id = $1', interviewId)).toEqual(before);
    // With a revoked key, what was begun goes on.
    const own = await candidates.makeInterview([{ question: 'One?' }]);
    const old = await embeds.makeKey(own, [site]);
    const { cookie } = await embeds.enter(old.embed_id, signToken(old));
    await platform.call('job-interview-set-state', { body: { position_id: own, is_embedded: false } });
    await expectProblem(signToken(old), 401, 'key_revoked', old.embed_id);
    expect((await embeds.show(old.embed_id, { cookie })).status).toBe(200);
    const next = await embeds.makeKey(own);
    expect(next.embed_id).not.toBe(old.embed_id);
    expect((await embeds.enter(next.embed_id, signToken(next))).status).toBe(303);
    await expectProblem(signToken(next), 401, 'signature_invalid', old.embed_id);
  });

  it('if it is not open, and what was begun goes on', async () => {
    const own = await candidates.makeInterview([{ question: 'One?' }]);
    const closing = await embeds.makeKey(own);
    const ann = { email: 'ann@candidates.example' };
    const { cookie } = await embeds.enter(closing.embed_id, signToken(closing, ann));
    const shown = await embeds.show(closing.embed_id, { cookie });
    const fields = { ...consent, for: hiddenField(shown.html, 'for') };
    await embeds.post(closing.embed_id, 'begin', fields, { cookie });
    for (const [status, code, state, till] of [
      [404, 'not_open', 'draft', null],
      [410, 'closed', 'archived', null],
      [410, 'closed', 'completed', null],
      [410, 'over', 'active', '2020-01-01'],
    ] as const) {
      await rows(
        'update interview set status = $2, interview_available_till = $3 where id = $1',
        own,
        state,
        till,
      );
      await expectProblem(signToken(closing), status, code, closing.embed_id);
      const again = await embeds.enter(closing.embed_id, signToken(closing, ann));
      expect((await embeds.show(closing.embed_id, { cookie: again.cookie })).html).toContain('turn_id');
    }
    for (const [type, notice] of [
      ['interview', 'This interview is closed.'],
      ['coaching', 'This session is closed.'],
    ]) {
      await rows(`update interview set status = 'archived', type = $2 where id = $1`, own, type);
      expect((await embeds.enter(closing.embed_id, signToken(closing))).html).toContain(notice);
    }
  });

  it('and the page of an unknown, malformed or deleted embed_id is the same', async () => {
    const own = await candidates.makeInterview([{ question: 'One?' }]);
    const deleted = await embeds.makeKey(own);
    await rows(`update interview set status = 'deleted' where id = $1`, own);
    const at = async (host: string, path: string) => {
      const { status, body } = await sendRaw(
        platform.stack.origin,
        `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept-language: nl\r\nconnection: close\r\n\r\n`,
      );
      return { status, body };
    };
    const portal = new URL(platform.stack.portal_url).host;
    const unknown = await at(portal, `/embed/${randomUUID()}?token=${signToken(key)}`);
    expect(unknown).toMatchObject({
      status: 404,
      body: expect.stringMatching(/lang="nl"[^]*Deze link werkt niet/),
    });
    expect(await at(portal, `/embed/${deleted.embed_id}?token=${signToken(deleted)}`)).toEqual(unknown);
    expect(await at(portal, '/embed/x?token=y')).toEqual(unknown);
  });
});

it('writes no token of an embedded interview to the log', async () => {
  const token = signToken(key);
  const { cookie } = await embeds.enter(key.embed_id, token);
  await embeds.enter(key.embed_id, token);
  await embeds.show(key.embed_id, { cookie, 'x-request-id': 'last-embed' });
  const log = () => platform.readLog();
  await waitFor('the last line', async () => log().includes('last-embed'));
  expect(log()).toContain('"operation":"embed-enter"');
  for (const part of [...token.split('.').slice(1), cookie.split('.').at(-1) ?? '', key.embed_signing_key])
    expect(log()).not.toContain(part);
});
