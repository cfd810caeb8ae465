import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { hostileAnswers } from '../../harness/taking/hostile-answers';
import { scoredAttempts } from '../../harness/taking/scored-attempts';
import { waitFor } from '../../harness/wait-for';

/** Each of these once killed or filled the process that made the PDF. */
const deadly = ['\u2067a\u2066b'.repeat(100), 'क्ष्'.repeat(100), `a${'\u0301'.repeat(19_990)}`].map((text) =>
  `I led it. ${text}`.slice(0, 20_000),
);
/** One of the slowest of the other texts. All of them are tried one by one in test/unit/scoring. */
const slow = hostileAnswers(20_000).flatMap(([name, text]) => (name === 'whole instructions' ? [text] : []));
const answers = [...deadly, ...slow];

it('a candidate who sends the worst of everything gets a result and a PDF, and so does another one meanwhile', async () => {
  const platform = await sharedPlatform({ worker: true });
  const attempts = scoredAttempts(platform);
  const calls = candidateCalls(platform);
  const [interview, worst] = [
    await attempts.makeInterview(2),
    await attempts.makeInterview(answers.length, {
      pdf_export_auto_config: { transcript: true, ai_scoring_rubric: true },
    }),
  ];
  /** Answers every question with one of the worst texts, and sends what is no answer at all in between. */
  const sendTheWorst = async () => {
    const { token, enrolmentId } = await calls.register(worst);
    let { attempt } = await calls.begin(token);
    for (let at = 0; attempt.state === 'running';) {
      const { turn_id, answer } = turnOf(attempt);
      const garbage = [
        calls.call('turn-answer', { token, body: { turn_id, text: '\u0301'.repeat(200_000) } }),
        calls.call('recording-create', { token, body: { turn_id, media_type: 'audio/webm' } }),
        calls.call('recording-part', { token, method: 'PUT', rawBody: Buffer.alloc(1_000_000) }),
      ];
      const given = answer.mode === 'none' ? { seen: true } : { text: answers[at++] };
      const reply = await calls.answer(token, turn_id, given);
      await Promise.all(garbage);
      if (reply.status !== 200) throw new Error(reply.text);
      ({ attempt } = reply);
    }
    await attempts.submit(token);
    return enrolmentId;
  };
  const takeAnother = async () => {
    const { token, enrolmentId } = await calls.register(interview);
    await calls.takeAll(token);
    await attempts.submit(token);
    return enrolmentId;
  };
  const enrolments = await Promise.all([sendTheWorst(), takeAnother()]);
  // The harness starts no process again, so none has ended if both are scored and the PDF is there.
  await waitFor(
    'the scores of both, and the PDF',
    async () => {
      const missing = await platform.database.rows(
        `select from interview_result where enrolment_id = any ($1)
           and (processing_status is distinct from 'completed' or interview_id = $2 and pdf_export_url is null)`,
        [enrolments, worst],
      );
      return missing.length === 0;
    },
    100_000,
  );
});
