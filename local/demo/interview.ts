import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resultEvents } from '../../db/webhooks/vocabulary';
import type { HeadlessBrowser } from '../browser';
import { platformTemplateIds } from '../seed/templates';
import type { StackDescription } from '../stack-file';
import type { Client } from './client';
import { createPortalClient } from './portal-client';

type Created = { interview_def_set_id: string; questions_generated: number };
type Registered = { interview_url: string };
type Details = {
  processing_status: string | null;
  score: number | null;
  score_text: string | null;
  attempt: number;
  transcript: { answer: string | null; answer_assessment_raw_data: { criteria: Criterion[] } | null }[];
};
type Criterion = { text: string; met: string; quote: string | null };
type Hook = { body: string };
type Event = { type: string; attempt: number; recruiter_go_next_round: boolean | null };

// The fake model judges by words that an answer shares with a criterion, so these answers use words of its rubric.
const answers = [
  'My own tasks were related to the schedule of the night shift. One concrete example: we explained each part of the import twice, halved the errors by the numbers of one week, and I drew the lesson to weigh alternatives early.',
  // The fake model asks a follow-up after an answer of fewer than ten words.
  'I would ask who is affected.',
  'For example, when a scanner failed, I stated my reasons, named the risk to the shift lead, and the result was a shared checklist.',
  'I coach others: the feedback of both shifts was a lesson that I transfer to this role with all my experience.',
];
const candidateQuestion = 'What does this role lead and develop at Northwind Talent?';

/**
 * Demonstrates an interview from its creation to a second attempt: a candidate takes it as a client of `/portal/v1`, it is
 * scored, and a recruiter reads, decides and reopens. Pictures show what the candidate sees in a browser. `say` gets a
 * line for each step. Throws when a step fails or does not happen in time.
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
    events: [...resultEvents],
    description: `The demo's, ${name}`,
  });
  const interview = await client.post<Created>('job-interview-create', {
    name: 'Team lead, logistics',
    location: 'Rotterdam',
    status: 'active',
    type: 'interview',
    interview_template_id: platformTemplateIds.interactive_voice,
    interview_length: 3,
    result_view: 'full',
    platform_language_code: 'en',
    visibility: 'merchant_public',
  });
  say(`job-interview-create drafted an interview with ${interview.questions_generated} questions.`);
  /** Registers the candidate and returns the link of the attempt to take. */
  const register = async (): Promise<string> => {
    const [registered] = await client.post<Registered[]>('job-interview-register-users', {
      interview_id: interview.interview_def_set_id,
      users: [{ name: 'Dana Demo', email: `${name}@candidates.example` }],
    });
    return registered?.interview_url ?? '';
  };
  const link = await register();
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
  const details = await waitForScore(client, resultId, 1);
  await show('result');
  await page.close();
  sayDetails(details, say);
  say(
    `The candidate sees the result at the same link. In the console: ${stack.console_url}/results/${resultId}`,
  );
  say(`Pictures of the candidate's pages: ${pictures}/interview-*.png`);

  await savePdf(client, resultId, `${pictures}/report.pdf`);
  say(`job-interview-pdf made a PDF: ${pictures}/report.pdf`);
  await client.post('job-interview-result-update', {
    interview_result_id: resultId,
    recruiter_go_next_round: true,
  });
  say('job-interview-result-update stored the decision: the candidate advances.');
  const events = await waitForEvent(
    client,
    sink,
    ({ recruiter_go_next_round: decision }) => decision === true,
  );
  say(`The receiver of webhooks got ${events.join(' and ')}: ${sink}/requests`);

  await client.post('job-interview-result-request-another-attempt', { interview_result_id: resultId });
  say('job-interview-result-request-another-attempt reopened the result. Its link has ended.');
  const silently = () => undefined;
  await takeInterview(await register(), async () => undefined, silently);
  const second = await waitForScore(client, resultId, 2);
  await waitForEvent(client, sink, ({ type, attempt }) => type === 'interview_result' && attempt === 2);
  const first = await client.get<Details>('job-interview-details', {
    interview_result_id: resultId,
    attempt: '1',
  });
  say(
    `The candidate took it again with a new link. Attempt 1 had ${describeScore(first)}, and attempt ${second.attempt} has ${describeScore(second)}.`,
  );
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

/** Returns the result once this attempt is scored. Throws after a minute, or if the scoring fails. */
async function waitForScore(client: Client, resultId: string, attempt: number): Promise<Details> {
  for (let tries = 0; tries < 120; tries++) {
    const details = await client.get<Details>('job-interview-details', { interview_result_id: resultId });
    if (details.attempt === attempt && details.processing_status === 'completed') return details;
    if (details.processing_status === 'failed') break;
    await sleep(500);
  }
  throw new Error(`Attempt ${attempt} of the result was not scored.`);
}

/** Prints the score, and the evidence of the first criterion that has any. */
function sayDetails(details: Details, say: (line: string) => void): void {
  const answered = details.transcript.filter(({ answer }) => answer !== null).length;
  say(`job-interview-details has ${answered} answers and ${describeScore(details)}.`);
  const proven = details.transcript
    .flatMap(({ answer_assessment_raw_data: assessment }) => assessment?.criteria ?? [])
    .find(({ met }) => met === 'yes');
  if (proven) say(`  For example, "${proven.text}" is met, because of the words "${proven.quote}".`);
}

const describeScore = ({ score, score_text }: Details): string =>
  score === null ? 'no score, because too little was said' : `the score ${score} (${score_text ?? ''})`;

async function savePdf(client: Client, resultId: string, file: string): Promise<void> {
  const { pdf_url } = await client.post<{ pdf_url: string }>('job-interview-pdf', {
    interview_result_id: resultId,
  });
  const response = await fetch(pdf_url);
  if (!response.ok) throw new Error(`${pdf_url} returned ${response.status}`);
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
}

/**
 * Waits until the receiver has got an event for which `isExpected` is true. Returns the names of all its events. Throws
 * after a minute.
 */
async function waitForEvent(
  client: Client,
  sink: string,
  isExpected: (event: Event) => boolean,
): Promise<string[]> {
  for (let tries = 0; tries < 120; tries++) {
    const hooks = await client.list<Hook>(`${sink}/requests`);
    const events = hooks.map(({ body }) => JSON.parse(body) as Event);
    if (events.some(isExpected)) return [...new Set(events.map(({ type }) => type))].toSorted();
    await sleep(500);
  }
  throw new Error('The receiver did not get the event of the result within a minute.');
}
