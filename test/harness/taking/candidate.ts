import { randomUUID } from 'node:crypto';
import type { Attempt } from '../../../api/taking/attempt-fields';
import { currentConsentVersion } from '../../../api/taking/consent-version';
import { cloneInterview, openUrl, peopleCalls } from '../people/people';
import type { Platform } from '../platform/platform';

/** A question or another step of an interview. Further keys set columns of the table `question`. */
type Step = { question: string } & Record<string, unknown>;
export type CandidateLink = {
  token: string;
  url: string;
  interviewId: string;
  enrolmentId: string;
  email: string;
};
export type PortalReply = {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
  /** The attempt in the reply: the body of a 200, or the first entry of `details` in an error. */
  attempt: Attempt;
};
type PortalCall = {
  token?: string;
  method?: string;
  body?: unknown;
  /** The bytes of the request. If set, they are sent instead of `body`. */
  rawBody?: string | Buffer;
  query?: string;
  headers?: Record<string, string>;
  /** The origin to call. By default, the origin of the portal. */
  origin?: string;
};

/** Returns functions that do what a candidate does: open a link and call the operations of the portal. */
export function candidateCalls(platform: Platform) {
  const { database, stack } = platform;

  /** Calls `/portal/v1/<operation>`, with POST if there is a body. */
  async function call(operation: string, options: PortalCall = {}): Promise<PortalReply> {
    const { token, body, rawBody, query = '', headers = {}, origin = stack.portal_url } = options;
    const hasBody = body !== undefined || rawBody !== undefined;
    const sent = rawBody ?? JSON.stringify(body);
    const response = await fetch(`${origin}/portal/v1/${operation}${query}`, {
      method: options.method ?? (hasBody ? 'POST' : 'GET'),
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(hasBody ? { body: typeof sent === 'string' ? sent : new Uint8Array(sent) } : {}),
    });
    const text = await response.text();
    const reply = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    const [detail] = (reply['details'] as unknown[] | undefined) ?? [];
    const attempt = (response.ok ? reply : detail) as Attempt;
    return { status: response.status, headers: response.headers, text, body: reply, attempt };
  }
  const consent = { consent: true, consent_version: currentConsentVersion };
  const begin = (token: string, more: Record<string, unknown> = {}) =>
    call('attempt-begin', { token, body: { ...consent, ...more } });
  const get = (token: string) => call('attempt-get', { token });
  const answer = (token: string, turn_id: string, given: Record<string, unknown>) =>
    call('turn-answer', { token, body: { turn_id, ...given } });

  /** Creates an active interview with typed answers, whose steps are a welcome, these questions and a thank-you. */
  async function makeInterview(questions: Step[], changes: Record<string, unknown> = {}): Promise<string> {
    const interviewId = await cloneInterview(database, { max_followups: 0, max_duration: 1_200, ...changes });
    const steps = [
      { view: 'welcome', question: 'Welcome' },
      ...questions.map((step) => ({ view: 'question', ...step })),
      { view: 'thank_you', question: 'Thanks' },
    ];
    for (const [index, step] of steps.entries()) {
      const row = { is_candidate_asking_recruiter: false, is_conditional: false, ...step, id: randomUUID() };
      await database.rows(
        `insert into question select copy.* from interview_question l join question q on q.id = l.question_id,
           jsonb_populate_record(q, $2) copy where l.interview_id = $1 and q.view = $3 limit 1`,
        [stack.ids.active_interview, JSON.stringify(row), step.view],
      );
      await database.rows(
        `insert into interview_question (merchant_id, environment, interview_id, question_id, step_order)
         select merchant_id, environment, id, $2, $3 from interview where id = $1`,
        [interviewId, row.id, index + 1],
      );
    }
    return interviewId;
  }

  /** Registers a candidate and returns the link. */
  async function register(interviewId: string, more: Record<string, unknown> = {}): Promise<CandidateLink> {
    const email = `${randomUUID()}@candidates.example`;
    const [row] = await peopleCalls(platform).register([{ email, name: 'Ann Lee' }], {
      interview_id: interviewId,
      ...more,
    });
    const url = row?.interview_url ?? '';
    const { claims } = openUrl(url);
    const token = new URL(url).searchParams.get('interview_token') ?? '';
    return {
      token,
      url,
      email,
      interviewId: String(claims['interview_id']),
      enrolmentId: String(claims['sub']),
    };
  }

  /**
   * Begins an attempt of a new candidate and answers the welcome. Returns the link and the id of the turn of the
   * first question.
   */
  async function beginAt(interviewId: string): Promise<CandidateLink & { turnId: string }> {
    const link = await register(interviewId);
    const { attempt } = await begin(link.token);
    const first = await answer(link.token, turnOf(attempt).turn_id, { seen: true });
    return { ...link, turnId: turnOf(first.attempt).turn_id };
  }

  /** Answers turn after turn, with `text` if it is set, until the attempt has ended. Returns the texts of the turns. */
  async function takeAll(token: string, text?: string): Promise<string[]> {
    const texts: string[] = [];
    for (let { attempt } = await begin(token); attempt.state === 'running';) {
      const turn = turnOf(attempt);
      texts.push(turn.text);
      const given =
        turn.answer.mode === 'none' ? { seen: true } : { text: text ?? `My answer to ${turn.text}` };
      ({ attempt } = await answer(token, turn.turn_id, given));
    }
    return texts;
  }
  return { call, begin, get, answer, makeInterview, register, beginAt, takeAll };
}

/** Returns the turn that waits for an answer. Throws if there is none. */
export function turnOf(attempt: Attempt) {
  if (!attempt?.turn) throw new Error(`no turn is open: ${JSON.stringify(attempt)}`);
  return attempt.turn;
}
