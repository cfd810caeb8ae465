import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { interviewId } from '../local/seed/fixed-id';
import { platformTemplateIds } from '../local/seed/templates';
import type { BenchStack } from './stack';

type Attempt = {
  state: string;
  turn?: { turn_id: string; answer: { mode: string } } | null;
};
/** The reply to a call of the portal. */
export type Reply = { ms: number; status: number; attempt: Attempt };
/** What a call of the portal sends: JSON, the bytes of a recording, or nothing. */
type Sent = { json?: object; bytes?: Uint8Array };

/**
 * Copies the active interview of the demo data, but with typed or spoken answers, no follow-ups, and `rubric` for the
 * session and every question, and `changes`. Returns the id of the copy.
 */
export async function createInterview(
  admin: Pool,
  {
    questions,
    rubric = null,
    isSpoken = false,
    changes = {},
  }: { questions: number; rubric?: object | null; isSpoken?: boolean; changes?: object },
): Promise<string> {
  const id = randomUUID();
  await admin.query(
    `insert into interview select copy.* from interview i, jsonb_populate_record(i, $2) copy where i.id = $1`,
    [
      interviewId('active'),
      JSON.stringify({
        id,
        slug: null,
        interview_template_id: isSpoken
          ? platformTemplateIds.interactive_voice
          : platformTemplateIds.offline_avatar_3,
        max_followups: 0,
        candidate_expectations_json: rubric,
        ...changes,
      }),
    ],
  );
  await admin.query(
    `with step as (
       insert into question (merchant_id, view, question, platform_language_code, candidate_expectations_json)
       select i.merchant_id, case when n = 0 then 'welcome' when n > $2 then 'thank_you' else 'question' end,
         'Question ' || n, 'en', $3::jsonb
       from interview i, generate_series(0, $2 + 1) as n where i.id = $1
       returning merchant_id, id, question
     )
     insert into interview_question (merchant_id, environment, interview_id, question_id, step_order)
     select merchant_id, 'production', $1, id, 1 + substring(question from '\\d+')::int from step`,
    [id, questions, rubric && JSON.stringify(rubric)],
  );
  return id;
}

/** Registers candidates and returns the tokens of their links. */
export async function registerCandidates(bench: BenchStack, interview_id: string, count: number) {
  const links = await registerLinks(bench, interview_id, count);
  return links.map((link) => new URL(link).searchParams.get('interview_token') ?? '');
}

/** Registers candidates and returns their links. */
export async function registerLinks({ stack }: BenchStack, interview_id: string, count: number) {
  const users = Array.from({ length: count }, () => ({
    email: `${randomUUID()}@${interview_id}.example`,
  }));
  const response = await fetch(`${stack.base_url}/job-interview-register-users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ users, interview_id }),
  });
  const rows = (await response.json()) as { interview_url: string }[];
  return rows.map((row) => row.interview_url);
}

/** Consents and begins the interview of a link. */
export async function beginAttempt(bench: BenchStack, token: string): Promise<Reply> {
  const consent = { consent: true, consent_version: 'any' };
  const begun = await callPortal(bench, token, 'attempt-begin', { json: consent });
  if (begun.status !== 409) return begun;
  // If the text of the consent has a newer version, the reply is a 409 that contains this version. The call is then
  // repeated with it.
  const [{ consent_version } = { consent_version: '' }] = (
    begun.attempt as unknown as { details: { consent_version: string }[] }
  ).details;
  return callPortal(bench, token, 'attempt-begin', { json: { ...consent, consent_version } });
}

/**
 * Takes the interview of a link. Returns the replies to those calls that answered a question. If there is a
 * `recording`, it is the answer to every question that can be spoken; `ms` then counts from its last part.
 */
export async function takeInterview(
  bench: BenchStack,
  token: string,
  {
    thinking = 0,
    text = 'We measured both ways and kept one.',
    recording,
  }: { thinking?: number; text?: string; recording?: Buffer } = {},
): Promise<Reply[]> {
  const replies: Reply[] = [];
  let { attempt } = await beginAttempt(bench, token);
  while (attempt.state === 'running' && attempt.turn) {
    const { turn_id, answer } = attempt.turn;
    if (thinking > 0) await new Promise((resolve) => setTimeout(resolve, thinking * (0.5 + Math.random())));
    const given = answer.mode === 'none' ? { seen: true } : { text };
    const reply =
      recording && answer.mode === 'voice'
        ? await answerSpoken(bench, token, turn_id, recording)
        : await callPortal(bench, token, 'turn-answer', { json: { turn_id, ...given } });
    if (answer.mode !== 'none') replies.push(reply);
    if (reply.status !== 200) break;
    ({ attempt } = reply);
  }
  return replies;
}

/** Uploads a recording of one part and answers with it, as the page does when the candidate has finished speaking. */
async function answerSpoken(bench: BenchStack, token: string, turn_id: string, recording: Buffer) {
  const created = await callPortal(bench, token, 'recording-create', {
    json: { turn_id, media_type: 'audio/webm' },
  });
  const { recording_id } = created.attempt as unknown as { recording_id: string };
  const startedAt = performance.now();
  const part = await callPortal(bench, token, `recording-part?recording_id=${recording_id}&part=1`, {
    bytes: recording,
  });
  const completed = await callPortal(bench, token, 'recording-complete', {
    json: { recording_id, parts: 1, duration_ms: 3_000 },
  });
  if (part.status !== 200 || completed.status !== 200) return part.status === 200 ? completed : part;
  const json = { turn_id, recording_id, duration_ms: 3_000 };
  const reply = await callPortal(bench, token, 'turn-answer', { json });
  return { ...reply, ms: performance.now() - startedAt };
}

/** Calls an operation of the portal whose reply is an attempt. */
export async function callPortal(...call: Parameters<typeof sendToPortal>): Promise<Reply> {
  const startedAt = performance.now();
  const response = await sendToPortal(...call);
  const attempt = (await response.json()) as Attempt;
  return { ms: performance.now() - startedAt, status: response.status, attempt };
}

/** Calls an operation of the portal with the token of a link. */
export const sendToPortal = (
  { stack }: BenchStack,
  token: string,
  operation: string,
  { json, bytes }: Sent = {},
): Promise<Response> =>
  fetch(`${stack.portal_url}/portal/v1/${operation}`, {
    method: bytes ? 'PUT' : json ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': bytes ? 'application/octet-stream' : 'application/json',
    },
    body: bytes ?? (json ? JSON.stringify(json) : null),
  });
