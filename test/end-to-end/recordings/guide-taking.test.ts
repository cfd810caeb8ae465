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

/** Each runs the code of the page for the candidate of a link. */
const takes: ((url: string) => Promise<unknown>)[] = [
  (url) => {
    const script = headings.map((heading) => guideCode('taking-interviews', heading)).join('\n');
    const own = script.replace(/^LINK=.*$/m, `LINK='${url}'`);
    return run('bash', ['-euo', 'pipefail', '-c', own], { cwd: folder });
  },
  (url) =>
    runGuideProgram(folder, ['taking-interviews'], (code) =>
      code.replace(/^const link = .*$/m, `const link = new URL('${url}');`),
    ),
];

it('docs/guide/taking-interviews.md has a script and a program in TypeScript that take an interview with a typed and a recorded answer', async () => {
  const calls = candidateCalls(platform);
  // The file is so large that it is uploaded in several parts.
  const head = Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  writeFileSync(path.join(folder, 'answer.wav'), Buffer.concat([head, Buffer.alloc(1_200_000, 1)]));
  const interviewId = await calls.makeInterview([{ question: 'One?' }, { question: 'Two?' }], {
    recording: 'audio_all',
    result_view: 'minimal',
  });
  await Promise.all(
    takes.map(async (take) => {
      const { url, token } = await calls.register(interviewId);
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
    }),
  );
});
