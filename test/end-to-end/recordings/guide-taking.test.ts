import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { guideCode, runGuideProgram } from '../../harness/platform/guide-code';
import { infrastructure } from '../../harness/platform/infrastructure';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { waitFor } from '../../harness/wait-for';

const run = promisify(execFile);
const headings = [
  '1. Take the link apart',
  '2. Begin',
  '3. Answer',
  '4. Poll while the next turn is decided',
  '5. Record an answer',
  '6. Submit',
];

let platform: Platform;
let folder: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  folder = mkdtempSync(path.join(infrastructure().folder, 'guide-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each runs the script of the page for the candidate of a link. */
const scripts: [string, (url: string) => Promise<unknown>][] = [
  [
    'a script',
    (url) => {
      const script = headings.map((heading) => guideCode('taking-interviews', heading)).join('\n');
      const own = script.replace(/^LINK=.*$/m, `LINK='${url}'`);
      return run('bash', ['-euo', 'pipefail', '-c', own], { cwd: folder });
    },
  ],
  [
    'a program in TypeScript',
    (url) =>
      runGuideProgram(folder, ['taking-interviews'], (code) =>
        code.replace(/^const link = .*$/m, `const link = new URL('${url}');`),
      ),
  ],
];

describe('docs/guide/taking-interviews.md', () => {
  it.each(scripts)(
    'has %s that takes an interview with a typed and a recorded answer',
    async (_kind, take) => {
      const calls = candidateCalls(platform);
      const interviewId = await calls.makeInterview([{ question: 'One?' }, { question: 'Two?' }], {
        recording: 'audio_all',
        result_view: 'minimal',
      });
      const { url, token } = await calls.register(interviewId);
      // The file is so large that it is uploaded in several parts.
      const head = Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1');
      writeFileSync(path.join(folder, 'answer.wav'), Buffer.concat([head, Buffer.alloc(1_200_000, 1)]));
      await take(url);
      const { attempt } = await calls.get(token);
      expect(attempt.state).toBe('submitted');
      const turns = await waitFor('the transcript of the recorded answer', async () => {
        const rows = await platform.database.rows(
          `select answer_kind, answer, recording_id is not null as has_recording from result_question
         where result_id = $1 and is_answer order by step_order`,
          [attempt.result_id],
        );
        return rows.every((row) => row['answer'] !== null) && rows;
      });
      expect(turns).toEqual([
        {
          answer_kind: 'text',
          answer: 'We measured both ways and kept the better one.',
          has_recording: false,
        },
        { answer_kind: 'recording', answer: expect.any(String), has_recording: true },
      ]);
    },
  );
});
