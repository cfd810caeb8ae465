import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { merchants } from '../../../local/seed/accounts';
import { makeKey } from '../../harness/identity/accounts';
import { guideCode, runGuideProgram } from '../../harness/platform/guide-code';
import { infrastructure } from '../../harness/platform/infrastructure';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { waitFor } from '../../harness/wait-for';

const run = promisify(execFile);
const headings = [
  '1. Find results',
  '2. Read scores and evidence',
  '3. Decide',
  '4. Set a score yourself',
  '5. Score again',
  '6. Get a PDF',
  '7. Let a candidate try again',
  'Rates for bias audits',
];

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});
const makeFolder = () => mkdtempSync(path.join(infrastructure().folder, 'guide-'));

/** Creates a result that is scored, because the pages' own examples find those of the seed too. */
async function makeResult(): Promise<string> {
  const calls = candidateCalls(platform);
  const { token } = await calls.register(await calls.makeInterview([{ question: 'One?' }]));
  await calls.takeAll(token);
  const { attempt } = await calls.call('attempt-submit', { token, body: {} });
  await waitFor('the scoring', async () => {
    const { body } = await platform.call('job-interview-details', {
      query: { interview_result_id: attempt.result_id },
    });
    return body['processing_status'] === 'completed' ? true : undefined;
  });
  return attempt.result_id;
}

async function expectReopened(interview_result_id: string, folder: string): Promise<void> {
  expect(readFileSync(path.join(folder, 'report.pdf'), 'latin1')).toMatch(/^%PDF/);
  expect(readFileSync(path.join(folder, 'rates.csv'), 'utf8')).toContain('interview_id,interview_name');
  const first = await platform.call('job-interview-details', {
    query: { interview_result_id, attempt: '1' },
  });
  expect(first.body).toMatchObject({
    latest_attempt: 2,
    score: 8,
    recruiter_go_next_round: true,
    user_feedback_recruiter: 'Invite for Tuesday.',
    scoring: { run: 2, state: 'scored' },
  });
}

describe('docs/guide/results.md', () => {
  const runScript = async (key: string) => {
    const [result, folder] = [await makeResult(), makeFolder()];
    const variables = guideCode('results', 'Results')
      .replace(/^BASE_URL=.*$/m, `BASE_URL='${platform.stack.base_url}'`)
      .replace(/^KEY=.*$/m, `KEY='${key}'`)
      .replace(/^MERCHANT=.*$/m, `MERCHANT='${merchants.main.id}'`);
    const find = guideCode('results', headings[0] ?? '');
    expect(find).toContain('tab=undecided');
    const script = [
      variables,
      find,
      'echo "found $RESULT"',
      `RESULT='${result}'`,
      ...headings.slice(1).map((heading) => guideCode('results', heading)),
    ].join('\n');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
    expect(stdout).toMatch(/^found [0-9a-f-]{36}$/m);
    await expectReopened(result, folder);
  };
  const runProgram = async (key: string) => {
    const [result, folder] = [await makeResult(), makeFolder()];
    const settings = { baseUrl: platform.stack.base_url, serviceKey: key, merchantId: merchants.main.id };
    const stdout = await runGuideProgram(folder, ['results'], (code) =>
      [
        "import { InterviewPlatform } from '@interview-platform/client';",
        `const client = new InterviewPlatform(${JSON.stringify(settings)});`,
        code.replace(
          /^const interview_result_id = (.*)$/m,
          `console.log('found', data.length);\nconst interview_result_id = '${result}';`,
        ),
      ].join('\n'),
    );
    expect(stdout).toMatch(/^found /m);
    await expectReopened(result, folder);
  };

  it('has a script and a program in TypeScript that read, decide, override, score again, print and reopen a result', async () => {
    const key = await makeKey(platform, merchants.main.id);
    await Promise.all([runScript(key), runProgram(key)]);
  });
});
