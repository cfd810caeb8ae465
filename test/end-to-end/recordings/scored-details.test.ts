import type { transcriptPart } from '../../../api/results/interaction';
import type { resultDetails as detailsSchema } from '../../../api/results/result-details';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { mediaFile } from '../../harness/taking/media-file';
import { waitFor } from '../../harness/wait-for';

/* Tests the value of every field of job-interview-details after an interview was taken, scored and decided on. */

const persona = {
  name: 'Grace Okafor',
  role: 'Buyer',
  situation: 'A hotel chain may buy.',
  goal: 'a discount',
  mood: 'stubborn',
  opening_line: 'Good morning.',
};
const kinds = ['interview', 'persona_interview', 'coaching'] as const;
type Kind = (typeof kinds)[number];
type Details = Record<string, unknown> & { transcript: Record<string, unknown>[] };

/**
 * A field has the value `value` for the types of interviews in `of`, and null for all others. `why` is the reason for
 * the null.
 */
type Field = { value: unknown; of: readonly Kind[]; why: string };
const always = (value: unknown): Field => ({ value, of: kinds, why: '' });
const never = (why: string): Field => ({ value: null, of: [], why });
const only = (of: readonly Kind[], value: unknown, why: string): Field => ({ value, of, why });
const expectedOf = (fields: Record<string, Field>, kind: Kind) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { value, of }]) => [name, of.includes(kind) ? value : null]),
  );

const text = expect.stringMatching(/\S/) as unknown;
const number = expect.any(Number) as unknown;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
const url = expect.stringMatching(/^http/) as unknown;
const path = expect.stringMatching(/\/1\/\S+$/) as unknown;
/** A list of at least one text. */
const texts = expect.arrayContaining([text]) as unknown;
const rubric = {
  weak: ['Names a project from the past'],
  moderate: ['Explains the own part in the project'],
  strong: ['Backs the result of the project with numbers or feedback'],
};
/**
 * An answer that meets some criteria of the rubric and not others, so that the result has strengths and concerns. It has
 * the 60 words that a score of the pronunciation needs.
 */
const answer = `I led a project at a bakery last year. My own part in the project was the new oven plan.${' We baked every day.'.repeat(12)}`;
const question = 'Which project are you proudest of?';

const resultFields: Record<keyof typeof detailsSchema.shape, Field> = {
  interview_result_id: always(text),
  interview_id: always(text),
  attempt: always(1),
  latest_attempt: always(1),
  attempt_count: always(1),
  is_test: always(false),
  result_status: always('active'),
  processing_status: always('completed'),
  is_successful: always(true),
  submitted_at: always(time),
  recruiter_go_next_round: always(true),
  recruiter_shortlist: always(false),
  stage: only(['interview', 'persona_interview'], 'Interview 2nd planned', 'learners have no stage'),
  ai_analysis_recruiter_score: always(number),
  pdf_export_url: always(url),
  candidate: always(expect.objectContaining({ name: 'Ann Lee', email: text, profile_interview_id: text })),
  score: always(number),
  max_score: always(number),
  score_simulation: only(['persona_interview'], number, 'only persona sessions are role-plays'),
  score_text: always(text),
  score_sentiment: always(0),
  score_words_per_minute: always(number),
  score_pronunciation: always(90),
  score_answer: always(number),
  score_resume: always(6.9),
  status: always('completed'),
  start: always(time),
  end: always(time),
  duration: always(number),
  ai_interview_coverage_percentage: always(100),
  ai_completion_reason: always('all_questions_answered'),
  stopped_because: always(null),
  ai_analysis: always(text),
  ai_analysis_recruiter: always(text),
  user_feedback_recruiter: always('Invite for Tuesday.'),
  recruiter_risks: never('nothing was found that a person should look at'),
  ai_analysis_recruiter_why_hire: always(texts),
  ai_analysis_recruiter_why_not_hire: always(texts),
  ai_analysis_other: always(expect.any(Object)),
  scoring: always(
    expect.objectContaining({ run: 1, state: 'scored', model: text, verified_share: 1, score_ai: number }),
  ),
  recording_local_path: always(path),
  video_introduction_local_path: always(path),
  resume_local_path: always(path),
  recording_is_video: always(true),
  updated_at: always(time),
  revision: always(number),
  credits_charged: always(number),
  transcript: always(expect.any(Array)),
  recording_url: always(url),
  video_introduction_url: always(url),
  resume_url: always(url),
};

const answerFields: Record<keyof typeof transcriptPart.shape, Field> = {
  id: always(text),
  is_answer: always(true),
  view: always('with listening'),
  question_original_id: always(text),
  question_original: always(question),
  question_asked: always(text),
  answer: always(answer),
  answer_mode: always('video'),
  ai_generated: always(expect.any(Boolean)),
  answer_is_draft: always(false),
  ai_analysis: always(text),
  ai_analysis_recruiter: always(text),
  score: always(number),
  score_simulation: only(['persona_interview'], number, 'only persona sessions are role-plays'),
  score_answer_ai: always(number),
  score_answer_ai_simulation: only(['persona_interview'], number, 'only persona sessions are role-plays'),
  duration: always(number),
  platform_language_code: always('en'),
  answer_assessment_raw_data: always(expect.objectContaining({ status: 'scored', bracket: text })),
  recording_local_path: always(path),
  recording_is_video: always(true),
  external_data: always({ topic: 7 }),
  external_id: always('proudest'),
  speaker: only(['persona_interview'], 'Grace Okafor', 'only persona sessions are role-plays'),
  recording_url: always(url),
};

const departments = [
  { name: 'Bakery', description: 'Runs every project of the ovens.' },
  { name: 'Legal', description: 'Checks contracts.' },
];

/** The keys of `ai_analysis_other`. */
const analyses: Record<string, Field> = {
  strengths_concerns: always({ strengths: texts, concerns: texts }),
  evidence: always(expect.objectContaining({ strengths: expect.any(Array), concerns: expect.any(Array) })),
  score_rationale: always({ bracket: text, strong: '0 of 1', moderate: text, weak: text }),
  score_parts: always(
    ['answers', 'session', 'resume', 'pronunciation', 'sentiment'].map((part, index) =>
      expect.objectContaining({ part, weight: index < 2 ? 0.313 : 0.125 }),
    ),
  ),
  resume_rationale: always(expect.objectContaining({ score: 6.9, bracket: 'moderate', moderate: '1 of 1' })),
  resume_criteria: always(
    expect.arrayContaining([expect.objectContaining({ met: 'yes', quote: text, turn_id: null })]),
  ),
  session_criteria: always(expect.arrayContaining([expect.objectContaining({ met: 'yes', quote: text })])),
  key_statement: only(
    ['interview', 'persona_interview'],
    { quote: expect.stringContaining('project'), result_question_id: text },
    'interviews only',
  ),
  multi_department: only(
    ['interview'],
    [
      { department: 'Bakery', fit: text, text, evidence: [expect.objectContaining({ quote: text })] },
      { department: 'Legal', fit: 'none', text: null, evidence: [] },
    ],
    'the others have no departments',
  ),
  takeaways: only(
    ['coaching'],
    {
      what_went_well: texts,
      next_steps: expect.arrayContaining([
        {
          text,
          priority: 'impact',
          guidance: { kind: 'structure', text },
          proof: [{ kind: 'quote', text, ref: { result_question_id: text } }],
        },
      ]),
    },
    'learners only',
  ),
};

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = candidateCalls(platform);
});

/** Uploads a recording of a turn or of the session. Returns its id. */
async function record(token: string, subject: Record<string, unknown>, spoken: string): Promise<string> {
  const file = await mediaFile('webm', 3_000, { text: spoken, hasPicture: true, packetBytes: 400 });
  const body = { media_type: 'video/webm', ...subject };
  const created = await calls.call('recording-create', { token, body });
  const recording_id = String(created.body['recording_id']);
  const query = `?recording_id=${recording_id}&part=1`;
  await calls.call('recording-part', { token, method: 'PUT', rawBody: file, query });
  const completed = await calls.call('recording-complete', {
    token,
    body: { recording_id, parts: 1, duration_ms: 3_000 },
  });
  if (completed.status !== 200) throw new Error(completed.text);
  return recording_id;
}

/** Takes an interview with a recorded introduction, session and answer. Returns the id of the result. */
async function take(kind: Kind): Promise<string> {
  const interviewId = await calls.makeInterview(
    [
      { question, candidate_expectations_json: rubric, external_id: 'proudest', external_data: { topic: 7 } },
      { question: 'When could you begin?', is_without_scoring: true },
    ],
    {
      type: kind,
      persona: kind === 'persona_interview' ? persona : null,
      recording: 'video_first_5_answers',
      recording_full_session: 'video_all',
      candidate_video_introduction: 'required',
      candidate_expectations_json: rubric,
      required_pronunciation: true,
      result_scoring: { ai_pronunciation: 0.2, sentiment_analysis: 0.2, ai_assessment_resume: 0.2 },
      pdf_export_auto_config: { transcript: true },
      ...(kind === 'interview' && { creation_parameters: { additional_context: { departments } } }),
    },
  );
  const { token } = await calls.register(interviewId);
  let { attempt } = await calls.begin(token);
  await record(token, { kind: 'session' }, 'The session.');
  const resume = Buffer.from('Baker. My own part in the project was the new oven plan.');
  await calls.call('resume-add', { token, method: 'PUT', rawBody: resume, query: '?name=ann.txt' });
  while (attempt.state === 'running') {
    const turn = turnOf(attempt);
    const { turn_id } = turn;
    const isSpoken = turn.kind === 'introduction' || turn.text.includes(question);
    const given = isSpoken
      ? { recording_id: await record(token, { turn_id }, answer), duration_ms: 3_000 }
      : turn.answer.mode === 'none'
        ? { seen: true }
        : { text: 'Next month.' };
    const reply = await calls.answer(token, turn_id, given);
    if (reply.status !== 200) throw new Error(reply.text);
    ({ attempt } = reply);
  }
  expect((await calls.call('attempt-submit', { token, body: {} })).status).toBe(200);
  return attempt.result_id;
}

/** Waits until the scores, the recordings and the PDF of a result are available, and returns its details. */
const readWhenDone = (interview_result_id: string): Promise<Details> =>
  waitFor('the scores, recordings and PDF of the result', async () => {
    const { body } = await platform.call('job-interview-details', {
      query: { interview_result_id, get_signed_recordings: 'true' },
    });
    const details = body as Details;
    const isDone =
      details['processing_status'] === 'completed' &&
      ['pdf_export_url', 'recording_local_path', 'video_introduction_local_path'].every(
        (name) => details[name] !== null,
      );
    return isDone ? details : undefined;
  });

describe('job-interview-details of a scored result', () => {
  const expectAll = async (kind: Kind) => {
    const interview_result_id = await take(kind);
    await readWhenDone(interview_result_id);
    const updated = await platform.call('job-interview-result-update', {
      body: {
        interview_result_id,
        recruiter_go_next_round: true,
        user_feedback_recruiter: 'Invite for Tuesday.',
      },
    });
    expect(updated.status).toBe(200);
    const details = await readWhenDone(interview_result_id);
    expect(details).toEqual(expectedOf(resultFields, kind));

    const scored = details.transcript.find(({ external_id: id }) => id === 'proudest');
    expect(scored).toEqual(expectedOf(answerFields, kind));
    const unscored = [
      'ai_analysis',
      'score',
      'score_simulation',
      'score_answer_ai',
      'answer_assessment_raw_data',
    ];
    for (const part of details.transcript.filter((each) => each !== scored))
      expect(unscored.map((name) => part[name])).toEqual(unscored.map(() => null));

    const others = details['ai_analysis_other'] as Record<string, unknown>;
    const written = Object.entries(expectedOf(analyses, kind)).filter(([, value]) => value !== null);
    expect(others).toEqual(Object.fromEntries(written));
    expect({
      strengths: details['ai_analysis_recruiter_why_hire'],
      concerns: details['ai_analysis_recruiter_why_not_hire'],
    }).toEqual(others['strengths_concerns']);
  };

  it('fills every field for each type of interview, except those that it says are null', async () => {
    await Promise.all(kinds.map(expectAll));
  });
});
