import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '../../../local/demo/client';
import { demonstrateInterview } from '../../../local/demo/interview';
import { sharedBrowser } from '../../harness/platform/browser';
import { infrastructure } from '../../harness/platform/infrastructure';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import type { Platform } from '../../harness/platform/platform';

let platform: Platform;
let folder: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  folder = mkdtempSync(path.join(infrastructure().folder, 'demo-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run demo', () => {
  it('takes an interview from its creation to its webhooks, with pictures of each page', async () => {
    const { stack, database } = platform;
    const lines: string[] = [];
    const browser = await sharedBrowser();
    await demonstrateInterview({ stack, client: createClient(stack), browser, folder }, (line) =>
      lines.push(line),
    );
    const said = lines.join('\n');
    expect(said).toContain('attempt-submit returned the state submitted.');
    expect(said).toMatch(/The receiver got interview_collected/);
    const [, id] = /\/console\/results\/(\S+)/.exec(said) ?? [];
    const results = await database.rows('select status, is_test from interview_result where id = $1', [id]);
    expect(results).toEqual([{ status: 'active', is_test: false }]);
    for (const what of ['start', 'question', 'review', 'submitted', 'result'])
      expect([what, existsSync(path.join(folder, `demo/interview-${what}.png`))]).toEqual([what, true]);
  });
});
