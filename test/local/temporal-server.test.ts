import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { findTemporalServer } from '../../local/temporal-binary';
import {
  registerSearchAttributes,
  startTemporalServer,
  type RunningTemporalServer,
  type SearchAttributes,
} from '../../local/temporal-server';
import { takePort } from '../harness/platform/ports';

const folder = mkdtempSync(path.join(tmpdir(), 'temporal-server-'));
const started: RunningTemporalServer[] = [];

async function start(
  searchAttributes: SearchAttributes,
  port: number,
  dbFile = path.join(folder, 'temporal.db'),
): Promise<RunningTemporalServer> {
  const running = await startTemporalServer({
    binary: await findTemporalServer({ onProgress: () => undefined }),
    port,
    dbFile,
    searchAttributes,
    logFile: path.join(folder, 'log'),
  });
  started.push(running);
  return running;
}

async function registered(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    return Object.keys(customAttributes ?? {}).toSorted();
  } finally {
    await connection.close();
  }
}

afterEach(async () => {
  await Promise.all(started.splice(0).map(async (running) => running.stop()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('startTemporalServer', () => {
  it('responds with its search attributes, also with those added since the last start', async () => {
    const port = await takePort();
    const first = await start({ MerchantId: 'Keyword' }, port);
    expect(first.address).toBe(`127.0.0.1:${port}`);
    expect(await registered(first.address)).toEqual(['MerchantId']);
    // A second server does not mistake the first one for itself.
    await expect(start({}, port)).rejects.toThrow(`Port ${port} is taken: set TEMPORAL_PORT to another port`);
    await first.stop();
    const second = await start({ MerchantId: 'Keyword', FlowStatus: 'Keyword' }, port);
    expect(await registered(second.address)).toEqual(['FlowStatus', 'MerchantId']);
  });

  it('reports the log when the server cannot run', async () => {
    const dbFile = path.join(folder, 'missing/temporal.db');
    await expect(start({}, await takePort(), dbFile)).rejects.toThrow(
      /^temporal ended by itself .*missing: no such file/s,
    );
  });
});

describe('registerSearchAttributes', () => {
  it('names the variable when no server responds', async () => {
    const address = `127.0.0.1:${await takePort()}`;
    await expect(registerSearchAttributes({ address }, 'default', {})).rejects.toThrow(
      'correct TEMPORAL_ADDRESS',
    );
  });
});
