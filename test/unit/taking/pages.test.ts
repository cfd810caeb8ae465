import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { Router } from 'express';
import type { Express, RequestHandler, Response } from 'express';
import { ApiError } from '../../../api/platform/operation/api-error';
import { portalPages } from '../../../api/portal-router';
import { candidateErrorPages } from '../../../api/taking/candidate-pages';
import { showVisit } from '../../../api/taking/pages/show-visit';
import { sendTurnPage } from '../../../api/taking/pages/turn-page';
import type { InterviewVisit } from '../../../api/taking/pages/visit';
import { takingTexts } from '../../../api/taking/texts';

let server: Server;
const open = async (app: Express): Promise<string> => {
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
afterEach(() => new Promise((resolve) => server.close(resolve)));

const interview = {
  can_edit: true,
  interview_name: 'Engineer',
  session_recording: null,
  merchant_name: 'Acme',
  candidate_name: 'Ann',
  status: 'active',
  accent_color: null,
  logo_path: null,
};
const attempt = {
  state: 'running',
  steps: { done: 1, total: 3 },
  turn: null,
  transcript: [],
  remaining_ms: 0,
};
const visitOf = (changes: object): InterviewVisit =>
  ({
    link: { isExpired: false, isTest: false, generation: 0 },
    caller: { enrolmentId: 'a' },
    interview: { ...interview, interview_available_till: null, link_generation: 0 },
    attempt: { ...attempt, ...changes },
    language: 'en',
    texts: takingTexts('en'),
    view: { hasMenu: true, hasHeader: true },
    address: (action = '') => `/${action}`,
    surroundings: { trouble_reports: 0 },
  }) as unknown as InterviewVisit;
const show = async (
  changes: object,
  send = (response: Response) => showVisit(response, visitOf(changes)),
) => {
  const origin = await open(express().get('/', (_request, response) => send(response)));
  const response = await fetch(origin, { headers: { connection: 'close' } });
  return { refresh: response.headers.get('refresh'), html: await response.text() };
};

describe('the page after the deadline', () => {
  const lateBy = (seconds: number) =>
    show({ deadline_at: new Date(Date.now() - seconds * 1_000).toISOString() });

  it('reloads once while the worker closes the attempt', async () => {
    const { refresh, html } = await lateBy(40);
    expect([refresh, html.includes('Longest wait')]).toEqual(['15', false]);
  });

  it('says how long a recording can delay the end, and reloads every minute', async () => {
    const { refresh, html } = await lateBy(150);
    expect([refresh, html.match(/Longest wait: ([^<]*)/)?.[1]]).toEqual(['60', '8 minutes']);
  });
});

describe('the page of a question', () => {
  const turn = { turn_id: 'b', kind: 'question', text: 'Which one?', number: 1, of: 2, choices: ['One'] };
  /** Shows the page without the app, whose data contain all texts. */
  const shown = (mode: string, remaining_ms: number, may_type = true) => {
    const changes = { turn: { ...turn, answer: { mode, required: true, may_type } }, remaining_ms };
    return show(changes, (response) => sendTurnPage(response, visitOf(changes), { refused: { sent: '' } }));
  };

  it.each([
    ['text', 'You can still change your answers'],
    ['choice', 'An answer cannot be changed'],
  ])('says whether an answer can still be changed: %s', async (mode, expected) => {
    expect((await shown(mode, 60_000)).html).toContain(expected);
  });

  it.each([
    [true, false],
    [false, true],
  ])(
    'takes and offers text for a video only if the candidate may type: %s',
    async (mayType, isVideoNeeded) => {
      const { html } = await shown('video', 60_000, mayType);
      const isShown = ['id="answer"', 'You can also type', 'This answer has to be a video.'].map((part) =>
        html.includes(part),
      );
      expect(isShown).toEqual([mayType, mayType, isVideoNeeded]);
    },
  );

  it.each([
    [130_000, 'Time left: 3 minutes'],
    [119_000, 'Time left: 1 minute 59 seconds'],
    [1, 'Time left: 1 second'],
    [0, 'The time is over.'],
  ])('counts seconds at the end: %d ms', async (remainingMs, expected) => {
    expect((await shown('text', remainingMs)).html).toContain(expected);
  });
});

describe('the pages of a role-play', () => {
  const persona = { name: 'Grace Okafor', role: 'Buyer', situation: 'She has a second offer.' };

  it('name the speaker of a line instead of the number of a question, and say whom one talks to', async () => {
    const line = { turn_id: 'b', kind: 'follow_up', speaker: persona.name, text: 'No.', number: 1, of: 2 };
    const changes = { persona, turn: { ...line, answer: { mode: 'text', required: true } } };
    const { html } = await show(changes, (response) =>
      sendTurnPage(response, visitOf(changes), { refused: { sent: '' } }),
    );
    expect(html).toContain('<p class="eyebrow soft" dir="auto">Grace Okafor</p>');
    for (const shown of ['Buyer', 'She has a second offer.']) expect(html).toContain(shown);
    expect(html).not.toMatch(/Follow-up question|Question 1 of 2/);
  });

  it('name the speaker in the review', async () => {
    const entry = {
      turn_id: 'b',
      question: 'No.',
      answer: 'Yes.',
      answer_original: null,
      is_recorded: false,
      editable: false,
    };
    const transcript = [{ ...entry, speaker: persona.name }];
    const { html } = await show({ state: 'collected', persona, transcript });
    expect(html).toMatch(/Grace Okafor<\/p><h2 dir="auto">No\.<\/h2>/);
  });
});

describe('the review page', () => {
  it('says that nothing is submitted yet, and does not thank before the submit', async () => {
    const turn = { turn_id: 'c', kind: 'thank_you', text: 'Bye!' };
    const { html } = await show({ state: 'collected', turn });
    expect([html.includes('have not been submitted yet'), html.includes('Bye!')]).toEqual([true, false]);
  });

  it('has a heading for the introduction, whose text is empty', async () => {
    const entry = {
      turn_id: 'b',
      question: '',
      answer: 'I am Ann.',
      answer_original: null,
      is_recorded: false,
      editable: false,
    };
    const { html } = await show({ state: 'collected', transcript: [entry] });
    expect(html).toContain('<h2 dir="auto">Introduce yourself</h2>');
  });

  it('calls an answer that is not transcribed yet a recording, and not missing', async () => {
    const entry = { turn_id: 'b', question: 'What?', answer: null, answer_original: null, editable: false };
    const recorded = { ...entry, is_recorded: true };
    const { html } = await show({
      state: 'collected',
      transcript: [recorded, { ...entry, is_recorded: false }],
    });
    expect(html.match(/Recording of the answer|No answer/g)).toEqual([
      'Recording of the answer',
      'No answer',
    ]);
  });
});

describe('the portal', () => {
  const limit: RequestHandler = (_request, _response, next) =>
    next(new ApiError('rate_limited', 'Too many requests.'));
  const portal = async () => {
    const app = express();
    const origin = await open(app);
    const pages = { catalogue: Router(), candidatePages: Router(), errorPages: candidateErrorPages(origin) };
    const routers = { operations: Router(), visitorLimits: [limit], ...pages };
    app.use(
      portalPages({ ...routers, portalOrigin: origin, portalMerchantId: null } as unknown as Parameters<
        typeof portalPages
      >[0]),
    );
    return origin;
  };
  const send = async (origin: string, headers: Record<string, string>) => {
    const response = await fetch(`${origin}/interview/take/01a1fcf7-b13e-74de-bd85-c2fc187618e9/answer`, {
      method: 'POST',
      headers: { connection: 'close', 'accept-language': 'de', ...headers },
      body: new URLSearchParams({ turn_id: 'a', text: 'Eine <Brücke>.' }),
    });
    return [response.status, await response.text()];
  };

  it('shows an answer again that it did not accept because of too many requests', async () => {
    const origin = await portal();
    const [status, html] = await send(origin, { origin });
    expect(status).toBe(429);
    expect(html).toMatch(/Der folgende Text wurde nicht gespeichert.*Eine &lt;Brücke>\./s);
  });

  it('shows no text of a form that another site has sent', async () => {
    const [status, html] = await send(await portal(), { origin: 'https://other.example' });
    expect([status, String(html).includes('Brücke')]).toEqual([429, false]);
  });
});
