import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pino from 'pino';
import { errorReply } from '../../../../api/platform/http/error-reply';
import { createApiMetrics } from '../../../../api/platform/http/metrics';
import { requestLog } from '../../../../api/platform/http/request-log';
import { ApiError } from '../../../../api/platform/operation/api-error';
import { waitFor } from '../../../harness/wait-for';

type Line = { level: number; msg: string; err?: unknown };

/** Returns the lines that are logged for a request whose handler throws this error. */
async function linesOf(error: Error): Promise<Line[]> {
  const lines: Line[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  const app = express();
  app.use(requestLog(log, createApiMetrics()));
  app.use(() => {
    throw error;
  });
  app.use(errorReply);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await waitFor('the line of the request', async () => lines.some(({ msg }) => msg === 'request'));
  await new Promise((resolve) => server.close(resolve));
  return lines;
}

describe('the request log', () => {
  it('has one warning without a stack for an overload', async () => {
    const lines = await linesOf(new ApiError('overloaded', 'Too many calls are waiting'));
    expect(lines).toMatchObject([{ level: 40, msg: 'request' }]);
    expect(JSON.stringify(lines)).not.toContain('stack');
  });

  it('has an error line with the cause of any other 5xx', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    expect((await linesOf(away)).map(({ level, msg }) => [level, msg])).toEqual([
      [50, 'request failed'],
      [40, 'request'],
    ]);
    expect((await linesOf(new Error('a bug'))).map(({ level }) => level)).toEqual([50, 50]);
  });
});
