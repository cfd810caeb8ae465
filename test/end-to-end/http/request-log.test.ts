import { once } from 'node:events';
import { connect } from 'node:net';
import { eachRow } from '../../harness/each-row';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

type Line = Record<string, unknown> & { req?: { id?: string } };

/** Waits until the API has logged something about a request, and returns the logged lines. */
const linesOf = (requestId: string): Promise<Line[]> =>
  waitFor('its line', async () => {
    const lines = platform
      .readLog()
      .split('\n')
      // The text after the last line break is not a complete line yet.
      .slice(0, -1)
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line) as Line);
    return lines.length > 0 && lines;
  });

describe('the log', () => {
  it('has one line for each request with operation, merchant, profile, status and time', async () => {
    const { status } = await platform.call('job-interview-get', {
      query: { position_id: platform.stack.ids.active_interview },
      headers: { 'x-request-id': 'log-read' },
    });
    expect(status).toBe(200);
    const lines = await linesOf('log-read');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      operation: 'job-interview-get',
      method: 'GET',
      status: 200,
      ms: expect.any(Number),
      database_ms: expect.any(Number),
      merchant_id: platform.stack.merchant_id,
      profile_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('has one line for a rejected request, too', () =>
    eachRow(
      [
        ['no credential', 'interview-template-list', { token: 'secret-token' }, 401, 'other'],
        ['an unknown address', 'secret-address', {}, 404, 'other'],
        [
          'a refused field',
          'job-interview-update',
          { body: { name: 'secret-body' } },
          422,
          'job-interview-update',
        ],
        [
          'a malformed body',
          'job-interview-update',
          { rawBody: '{secret-body' },
          422,
          'job-interview-update',
        ],
        [
          'an unknown id',
          'job-interview-get',
          { query: { position_id: crypto.randomUUID() } },
          404,
          'job-interview-get',
        ],
      ],
      async (what, name, options, status, operation) => {
        const id = `log-${what.replaceAll(' ', '-')}`;
        const reply = await platform.call(name, { ...options, headers: { 'x-request-id': id } });
        expect(reply.status).toBe(status);
        const lines = await linesOf(id);
        expect(lines).toHaveLength(1);
        expect(lines[0]).toMatchObject({ operation, status });
      },
    ));

  it('reports that the caller disconnected within its body, and no server error', () =>
    eachRow(
      [
        ['its body', 'Content-Length: 100\r\n\r\n{"position_id":'],
        ['its compressed body', 'Content-Encoding: gzip\r\nContent-Length: 100\r\n\r\n'],
        ['its chunked body', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"pos\r\n'],
      ],
      async (what, rest) => {
        const id = `log-hung-up-${what.replaceAll(' ', '-')}`;
        const { hostname, port } = new URL(platform.stack.origin);
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        const authorization = `Authorization: Bearer ${platform.stack.tokens.merchant_owner}`;
        const head = `POST /v1/job-interview-update HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${authorization}\r\n`;
        // The API replies to `Expect` when it has received the head of the request, so the test can wait for this reply.
        socket.write(`${head}X-Request-Id: ${id}\r\nExpect: 100-continue\r\n${rest}`);
        await once(socket, 'data');
        socket.resetAndDestroy();
        expect(await linesOf(id)).toEqual([
          expect.objectContaining({
            operation: 'job-interview-update',
            status: 499,
            aborted: true,
            level: 30,
          }),
        ]);
        const metrics = await (await fetch(`${platform.metricsUrl}/metrics`)).text();
        expect(metrics).toContain('http_requests_total{operation="job-interview-update",status="499"}');
        expect(
          platform
            .readLog()
            .split('\n')
            .filter((line) => line.includes('"level":50')),
        ).toEqual([]);
      },
    ));

  it('contains no query, token, body, header or personal data', async () => {
    await platform.call('interview-template-list?limit=77&secret-query=1', {
      headers: { cookie: 'secret-cookie' },
    });
    await platform.call('job-interview-get', {
      query: { position_id: platform.stack.ids.active_interview, merchant_id: platform.stack.merchant_id },
      token: platform.stack.service_key,
    });
    await platform.call('job-interview-update', {
      body: { position_id: platform.stack.ids.active_interview, description: 'secret-description' },
      headers: { 'x-request-id': 'log-hidden', 'idempotency-key': 'secret-key' },
    });
    await platform.call('job-interview-update', { token: 'sk_production_secret', body: {} });
    await fetch(`${platform.stack.origin}/auth/token?secret-query`, {
      method: 'POST',
      body: 'refresh_token=secret-rt',
    });
    expect(await linesOf('log-hidden')).toHaveLength(1);
    const log = platform.readLog();
    const hidden = [
      'secret',
      'eyJ',
      'sk_production',
      'Bearer',
      'limit=77',
      platform.stack.ids.active_interview,
    ];
    expect(hidden.filter((word) => log.includes(word))).toEqual([]);
  });
});
