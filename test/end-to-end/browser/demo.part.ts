import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  it('plays an interview from its creation to a second attempt, with pictures of each page', async () => {
    const { stack, database } = platform;
    const lines: string[] = [];
    const browser = await sharedBrowser();
    await demonstrateInterview({ stack, client: createClient(stack), browser, folder }, (line) =>
      lines.push(line),
    );
    const said = lines.join('\n');
    expect(said).toContain('attempt-submit returned the state submitted.');
    expect(said).toContain('The receiver of webhooks got interview_collected and interview_result');
    expect(said).toMatch(/Attempt 1 had .*score.*, and attempt 2 has .*score/);
    const [, id] = /\/console\/results\/(\S+)/.exec(said) ?? [];
    const results = await database.rows(
      `select r.status, r.attempt, r.processing_status, a.fields -> 'recruiter_go_next_round' as first_decision
       from interview_result r join interview_result_attempt a on a.result_id = r.id where r.id = $1`,
      [id],
    );
    expect(results).toEqual([
      { status: 'active', attempt: 2, processing_status: 'completed', first_decision: true },
    ]);
    expect(readFileSync(path.join(folder, 'demo/report.pdf'), 'latin1')).toMatch(/^%PDF/);
    for (const what of ['start', 'question', 'review', 'submitted', 'result'])
      expect([what, existsSync(path.join(folder, `demo/interview-${what}.png`))]).toEqual([what, true]);
  });
});
