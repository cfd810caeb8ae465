import { randomUUID } from 'node:crypto';
import { platformTemplateIds } from '../../../local/seed/templates';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import { held } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof definitionCalls>;
let owner: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = definitionCalls(platform);
  owner = await openConsole(platform, 'merchant_owner');
});

const newInterview = () => ({
  form_id: randomUUID(),
  name: 'Night baker',
  location: 'Ghent',
  type: 'interview',
  interview_template_id: platformTemplateIds.interactive_voice,
  platform_language_code: 'en',
  visibility: 'merchant_invite',
  status: 'active',
});
const drafted = () => ({
  ...newInterview(),
  interview_type: 'pre-screening',
  max_duration: '1200',
  interview_tone: 'simple',
  notes: 'Bread & rolls',
});
const isRedirected = { status: 303 };
const makePosition = async (...steps: string[]) => {
  const fields = { name: 'Baker', location: 'Ghent', status: 'active', visibility: 'merchant_invite' };
  const { body } = await platform.call('position-create', { body: { ...fields, steps } });
  return String(body['position_id']);
};

describe('the form for a new interview', () => {
  it('shows at once that the AI writes, and leads to the interview in the same reply', async () => {
    await platform.fault({ provider: 'openai', ...held });
    const csrf = /name="csrf" value="([^"]+)"/.exec((await owner.get('/console/interviews/new')).html)?.[1];
    const fields = drafted();
    const response = await fetch(`${platform.stack.origin}/console/interviews/new`, {
      method: 'POST',
      headers: {
        origin: platform.stack.origin,
        cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: new URLSearchParams({ csrf: csrf ?? '', ...fields }),
    });
    let html = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      if (html === '') await platform.clearFaults();
      html += part;
      if (!html.includes('</html>')) expect(html).toContain('class="panel meanwhile" role="status"');
    }
    const [, to = '', id = ''] = /content="0; url=(\/console\/interviews\/([\w-]+))"/.exec(html) ?? [];
    expect((await owner.get(to)).html).toContain('<h1>Night baker</h1>');
    expect((await calls.read(id))['creation_parameters']).toMatchObject({
      additional_context: { notes: 'Bread & rolls' },
      interview_tone: 'simple',
    });
    // A form that is sent again leads to the same interview.
    const again = await owner.post('/console/interviews/new', fields);
    expect([again.status, again.headers.get('location')]).toEqual([303, to]);
  });

  it('keeps what was entered when a field is wrong and when the AI is away', async () => {
    const wrong = await owner.post('/console/interviews/new', { ...drafted(), interview_length: '41' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('id="interview_length-error">Number of questions must be');
    await platform.fault({ provider: 'openai', refuse: true });
    const away = await owner.post('/console/interviews/new', drafted());
    expect(away.html).toContain('Question generation is unavailable. Try again later.');
    for (const { html } of [wrong, away]) {
      expect(html).toContain('name="name" value="Night baker"');
      expect(html).toContain('Bread &amp; rolls</textarea>');
    }
  });

  it('takes the recruiter’s own questions, one per line', async () => {
    const { html, headers } = await owner.post('/console/interviews/new/questions', {
      ...newInterview(),
      description: 'About bread.',
      questions: 'Which bread do you bake best?\r\n\r\n Why <that> one? ',
    });
    const id = /interviews\/([\w-]{36})/.exec(headers.get('location') ?? html.split('url=')[1] ?? '')?.[1];
    expect((await calls.read(id ?? '')).questions.map(({ question }) => question)).toEqual([
      'Which bread do you bake best?',
      'Why <that> one?',
    ]);
  });
});

describe('the person whom the AI plays', () => {
  it('is entered in the form for a new interview, and changed in the settings', async () => {
    const form = { ...newInterview(), type: 'persona_interview', 'persona.name': 'Grace Okafor' };
    const { html, headers } = await owner.post('/console/interviews/new/questions', {
      ...form,
      description: 'A price.',
      questions: 'It is too expensive.',
    });
    const id =
      /interviews\/([\w-]{36})/.exec(headers.get('location') ?? html.split('url=')[1] ?? '')?.[1] ?? '';
    const drafted = expect.stringMatching(/\S/) as string;
    expect((await calls.read(id))['persona']).toMatchObject({ name: 'Grace Okafor', mood: drafted });
    const settings = `/console/interviews/${id}/settings`;
    expect((await owner.get(settings)).html).toContain('name="persona.name" value="Grace Okafor"');
    const saved = await owner.post(settings, {
      ...form,
      'persona.mood': 'in a hurry',
      candidate_notification_channel: 'reminders',
      interview_tone: 'simple',
      result_view: 'minimal',
      candidate_video_introduction: 'hidden',
    });
    expect(saved.status).toBe(303);
    expect(await calls.read(id)).toMatchObject({
      persona: { name: 'Grace Okafor', mood: 'in a hurry', goal: drafted },
      candidate_notification_channel: 'reminders',
    });
  });
});

describe('the list of interviews', () => {
  it('shows those that match, and keeps the filters of the other tabs', async () => {
    const { id } = await calls.build([given('One?'), given('Two?')], {
      name: 'Tram <driver>',
      tags: ['rail'],
      visibility: 'merchant_public',
    });
    const found = await owner.get('/console/interviews?tag=rail&type=interview&filter_text=TRAM');
    expect(found.html).toMatch(new RegExp(`/console/interviews/${id}"[^>]*>Tram &lt;driver>`));
    expect(found.html).toContain('type=interview&amp;tag=rail');
    await platform.database.rows('update interview set slug = $1 where id = $2', [`tram-${id}`, id]);
    const page = await owner.get(`/console/interviews/${id}`);
    expect(page.html).toContain(`value="${platform.stack.portal_url}/jobs/tram-${id}"`);
    const none = await owner.get('/console/interviews?tag=rail&status=draft');
    expect(none.html).toContain('No interviews match these filters.');
    expect((await owner.get('/console/interviews?status=sold')).status).toBe(422);
  });
});

describe('the page of an interview', () => {
  const build = async () => {
    const { id, definition } = await calls.build([given('First?'), given('Second?'), given('Third?')], {
      interview_template_id: platformTemplateIds.interactive_voice,
    });
    const ids = definition.questions.map((question) => question.id);
    const texts = async () => (await calls.read(id)).questions.map(({ question }) => question);
    return { id, path: `/console/interviews/${id}`, ids, texts };
  };
  const order = (shown: readonly string[], wanted: readonly string[], more: Record<string, string> = {}) =>
    new URLSearchParams([
      ['shown', shown.join(' ')],
      ...wanted.map((id): [string, string] => ['question', id]),
      ...Object.entries(more),
    ]);

  it('saves an order and leaves out what was removed, but not if the questions have changed meanwhile', async () => {
    const { path, ids, texts } = await build();
    const [first = '', second = '', third = ''] = ids;
    const moved = await owner.post(`${path}/questions`, order(ids, ids, { change: 'up 2' }));
    expect(moved.html).toMatch(/First\?.*Third\?.*Second\?.*The new order is not saved yet/s);
    expect(await texts()).toEqual(['First?', 'Second?', 'Third?']);
    expect(await owner.post(`${path}/questions`, order(ids, [third, first]))).toMatchObject(isRedirected);
    expect(await texts()).toEqual(['Third?', 'First?']);
    const late = await owner.post(`${path}/questions`, order(ids, [first, second, third]));
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('Nothing was saved')]);
    expect(await texts()).toEqual(['Third?', 'First?']);
  });

  it('changes and adds a question with its rubric, and keeps a text that somebody else has overtaken', async () => {
    const { id, path, ids, texts } = await build();
    const change = `${path}/questions/${ids[1]}`;
    const sent = {
      question: 'Second, better?',
      duration: '90',
      strong: 'shows one\r\nshows two',
      label: 'Depth',
    };
    expect(await owner.post(change, { ...sent, label: 'x'.repeat(201) })).toMatchObject({
      status: 422,
      html: expect.stringMatching(/id="label-error">Label must have at most 200/),
    });
    expect(await owner.post(change, sent)).toMatchObject(isRedirected);
    expect((await calls.read(id)).questions[1]).toMatchObject({
      question: 'Second, better?',
      duration: 90,
      label: 'Depth',
      candidate_expectations_json: { strong: ['shows one', 'shows two'], moderate: [], weak: [] },
    });
    const late = await owner.post(change, { ...sent, question: 'My text?' });
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('My text?</textarea>')]);
    await owner.post(`${path}/questions/new`, { question: 'Fourth?', duration: '' });
    expect(await texts()).toEqual(['First?', 'Second, better?', 'Third?', 'Fourth?']);
  });

  it('edits the options of a multiple choice and marks the right ones', async () => {
    const { id, path } = await build();
    const form = (options: [text: string, worth: string][], more: Record<string, string> = {}) =>
      new URLSearchParams([
        ['kind', 'choice'],
        ['question', 'Which one?'],
        ...options.flatMap(([text, worth]) => [
          ['option', text] as [string, string],
          ['worth', worth] as [string, string],
        ]),
        ...Object.entries(more),
      ]);
    const blank = await owner.get(`${path}/questions/new?kind=choice`);
    expect(blank.html.match(/name="option"/g)).toHaveLength(4);
    const given: [string, string][] = [
      ['Bread', ''],
      ['Cake', 'strong'],
      ['', ''],
      ['Pie', 'moderate'],
    ];
    const moved = await owner.post(`${path}/questions/new`, form(given, { change: 'down 0' }));
    expect(moved.html).toMatch(/Cake<.*value="strong" selected.*Bread<.*Pie<.*value="moderate" selected/s);
    const added = await owner.post(`${path}/questions/new`, form(given, { change: 'add' }));
    expect(added.html.match(/name="option"/g)).toHaveLength(5);
    const one = await owner.post(`${path}/questions/new`, form([['Bread', 'strong']]));
    expect(one).toMatchObject({
      status: 422,
      html: expect.stringContaining('id="question_alternatives-error">Options must have 2 to 10'),
    });
    expect(await owner.post(`${path}/questions/new`, form(given))).toMatchObject(isRedirected);
    const last = (await calls.read(id)).questions.at(-1);
    expect(last).toMatchObject({
      is_multiple_choice: true,
      question_alternatives: ['Bread', 'Cake', 'Pie'],
      candidate_expectations_json: { strong: ['Cake'], moderate: ['Pie'], weak: [] },
    });
    const shown = await owner.get(`${path}/questions/${last?.id}`);
    expect(shown.html).toMatch(/Bread<.*Cake<.*value="strong" selected.*Pie<.*value="moderate" selected/s);
    expect((await owner.get(`${path}/questions/${last?.id}?kind=open`)).html).toContain('name="strong"');
  });

  it('makes the link of a candidate and of a preview, and says what is wrong with an address', async () => {
    const { id, path } = await build();
    const made = await owner.post(`${path}/link`, { name: 'Ann', email: 'ann@example.com' });
    const link = / value="([^"]+interview_token=[^"]+)"/.exec(made.html)?.[1] ?? '';
    // The portal moves the token of a valid link into a cookie.
    expect((await fetch(link, { redirect: 'manual' })).headers.getSetCookie()).toHaveLength(1);
    expect(await owner.post(`${path}/link`, { name: 'Ann', email: 'ann' })).toMatchObject({
      status: 422,
      html: expect.stringMatching(/id="email-error">Candidate’s email must be an email address/),
    });
    const { html } = await owner.post(`${path}/preview`);
    expect(html).toMatch(new RegExp(`content="0; url=${platform.stack.portal_url}/interview/take/${id}/`));
  });

  it('leads to the position instead, if candidates reach the interview only through it', async () => {
    const { id, path } = await build();
    await calls.update(id, { visibility: 'sub_item' });
    expect((await owner.get(path)).html).toContain('Create a position');
    const position = await makePosition(id);
    const { html } = await owner.get(path);
    expect(html).toContain(`/console/positions/${position}`);
    expect(html).not.toContain(`${path}/preview`);
  });

  it('creates, shows and revokes the embed key, and names its sites', async () => {
    const { path } = await build();
    const created = await owner.submit(`${path}/embed`, { is_embedded: 'true' });
    expect(created.html).toMatch(/id="embed-signing-key"[^>]* value="esk_/);
    expect(created.html).toContain(`${platform.stack.portal_url}/embed/`);
    const origins = { embed_origins: 'https://careers.example.com\r\nnot an origin' };
    const wrong = await owner.post(`${path}/embed/origins`, origins);
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('not an origin</textarea>')]);
    const saved = await owner.submit(`${path}/embed/origins`, {
      embed_origins: 'https://careers.example.com',
    });
    expect(saved.html).toContain('https://careers.example.com</textarea>');
    expect((await owner.submit(`${path}/embed`, { is_embedded: 'false' })).html).toContain(
      'Create embed key',
    );
  });

  it('shows a hiring manager the questions, and nothing that changes them', async () => {
    const { path } = await build();
    const { html } = await (await openConsole(platform, 'merchant_selection')).get(path);
    expect(html).toContain('Second?');
    expect(html.match(/<form[^>]* method="post"/g)).toHaveLength(1); // The form that signs out.
  });
});

describe('the steps on the page of a position', () => {
  it('are saved, but not if somebody else has changed them since the page was opened', async () => {
    const [one, two] = [await calls.build([given('One?')]), await calls.build([given('Two?')])];
    const position = await makePosition(one.id, two.id);
    const path = `/console/positions/${position}`;
    const [, shown = ''] = /name="shown" value="([^"]+)"/.exec((await owner.get(path)).html) ?? [];
    const save = (...steps: string[]) =>
      owner.post(
        `${path}/steps`,
        new URLSearchParams([['shown', shown], ...steps.map((step): [string, string] => ['steps', step])]),
      );
    expect(await save(two.id)).toMatchObject(isRedirected);
    const late = await save(one.id, two.id);
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('Nothing was saved')]);
    expect((await calls.read(position))['steps']).toMatchObject([{ interview_id: two.id }]);
  });
});
