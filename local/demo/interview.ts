import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { webhookEvents } from '../../db/webhooks/vocabulary';
import type { HeadlessBrowser } from '../browser';
import { templateIds } from '../seed/templates';
import type { StackDescription } from '../stack-file';
import type { Client } from './client';
import { createPortalClient } from './portal-client';

type Created = { interview_def_set_id: string; questions_generated: number };
type Registered = { interview_url: string };
type Details = {
  processing_status: string | null;
  interview_status: string | null;
  score: number | null;
  score_text: string | null;
  transcript: { question_asked: string; answer: string | null }[];
};
type Hook = { body: string };

const answers = [
  'We split the import in two, measured both halves for a week, and kept the one that halved the errors.',
  // The fake model asks a follow-up after an answer of fewer than ten words.
  'I would ask who is affected.',
  'The whole night shift. I write down what we know, tell the shift lead, and only then change anything.',
  'I had not told the night shift. Since then I end every change with a short note to all shifts.',
];
const candidateQuestion = 'What does this role lead and develop at Northwind Talent?';
/** How long the demo waits for the score. Scoring with the fake model takes a few seconds. */
const scoringMs = 20_000;

/**
 * Demonstrates an interview from its creation to its result: a candidate takes it as a client of `/portal/v1`, and
 * pictures show what the same candidate sees in a browser. `say` gets a line for each step. Throws when a step fails
 * or does not happen in time.
 */
export async function demonstrateInterview(
  {
    stack,
    client,
    browser,
    folder,
  }: { stack: StackDescription; client: Client; browser: HeadlessBrowser; folder: string },
  say: (line: string) => void,
): Promise<void> {
  const name = `interview-${Date.now()}`;
  const sink = `${stack.fakes_url}/sink/${name}`;
  await client.post('webhook-endpoint-create', {
    url: sink,
    events: [...webhookEvents],
    description: `The demo's, ${name}`,
  });
  const interview = await client.post<Created>('job-interview-create', {
    name: 'Team lead, logistics',
    location: 'Rotterdam',
    status: 'active',
    type: 'interview',
    interview_template_id: templateIds.interactive_voice,
    interview_length: 3,
    result_view: 'full',
    platform_language_code: 'en',
    visibility: 'merchant_public',
  });
  say(`job-interview-create drafted an interview with ${interview.questions_generated} questions.`);
  const [registered] = await client.post<Registered[]>('job-interview-register-users', {
    interview_id: interview.interview_def_set_id,
    users: [{ name: 'Dana Demo', email: `${name}@candidates.example` }],
  });
  const link = registered?.interview_url ?? '';
  say(`job-interview-register-users returned the candidate's link: ${link}`);

  const pictures = path.join(folder, 'demo');
  mkdirSync(pictures, { recursive: true });
  const page = await browser.open();
  const show = async (what: string) => {
    await page.goto(link);
    await page.screenshot({ path: `${pictures}/interview-${what}.png` });
  };
  await show('start');
  const resultId = await takeInterview(link, show, say);
  await show('submitted');
  const details = await waitForScore(client, resultId);
  await show('result');
  await page.close();
  const answered = details.transcript.filter(({ answer }) => answer !== null).length;
  say(`job-interview-details has ${answered} answers and ${describeScore(details)}.`);
  say(
    `The candidate sees the result at the same link. In the console: ${stack.console_url}/results/${resultId}`,
  );
  const events = await waitForEvents(client, `${sink}/requests`, details.score !== null);
  say(`The receiver got ${events.join(' and ')}: ${sink}/requests`);
  say(`Pictures of the candidate's pages: ${pictures}/interview-*.png`);
}

/** Takes the interview as its candidate, shows the review and submits. Returns the id of the result. */
async function takeInterview(
  link: string,
  show: (what: string) => Promise<void>,
  say: (line: string) => void,
): Promise<string> {
  const candidate = createPortalClient(link);
  let attempt = await candidate.begin();
  say('The candidate gave consent and began with attempt-begin.');
  const left = { answers: [...answers], questions: [candidateQuestion] };
  while (attempt.turn && attempt.state === 'running') {
    const { turn } = attempt;
    if (turn.answer.mode === 'none') {
      attempt = await candidate.skip(turn);
      continue;
    }
    if (left.answers.length === answers.length) await show('question');
    say(`  ${turn.text}`);
    const text = (turn.kind === 'candidate_asks' ? left.questions : left.answers).shift();
    say(`    ${text ?? '(skipped)'}`);
    attempt = await (text === undefined ? candidate.skip(turn) : candidate.answer(turn, text));
  }
  await show('review');
  attempt = await candidate.submit();
  say(`The candidate reviewed the answers. attempt-submit returned the state ${attempt.state}.`);
  return attempt.result_id;
}

/** Returns the result once it is scored. Returns it without a score if the scoring takes too long or fails. */
async function waitForScore(client: Client, resultId: string): Promise<Details> {
  const giveUpAt = Date.now() + scoringMs;
  for (;;) {
    const details = await client.get<Details>('job-interview-details', { interview_result_id: resultId });
    const isPending = details.processing_status === 'queued' || details.processing_status === 'processing';
    if (!isPending || Date.now() > giveUpAt) return details;
    await sleep(500);
  }
}

const describeScore = ({ score, score_text, processing_status }: Details): string => {
  if (score !== null) return `the score ${score} (${score_text ?? ''})`;
  return processing_status === 'completed'
    ? 'no score, because the answers had too little evidence'
    : `no score yet: processing_status is ${processing_status}`;
};

/** Waits for the events of the result, and returns their names. Throws after a minute. */
async function waitForEvents(client: Client, url: string, isScored: boolean): Promise<string[]> {
  for (let tries = 0; tries < 120; tries++) {
    const hooks = await client.list<Hook>(url);
    const events = new Set(hooks.map(({ body }) => (JSON.parse(body) as { type: string }).type));
    if (events.has('interview_collected') && (!isScored || events.has('interview_result')))
      return [...events].toSorted();
    await sleep(500);
  }
  throw new Error('The receiver did not get the events of the result within a minute.');
}
