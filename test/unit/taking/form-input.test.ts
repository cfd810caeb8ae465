import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import {
  readChangedAnswers,
  readForm,
  readShortForm,
  validateText,
  readSentFields,
  textHash,
  readSentTexts,
} from '../../../api/taking/pages/form-input';

const [one, two] = ['01a1fcf7-b13e-74de-bd85-c2fc187618e9', '01a1fcf7-b13e-74de-bd85-c2fc187618ea'];

describe('a form', () => {
  const app = express();
  app.post('/short', readShortForm, (request, response) => void response.json(readSentFields(request.body)));
  app.post('/', readForm, (request, response) => void response.json(readSentFields(request.body)));
  const server = createServer(app);
  let origin = '';
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const post = (body: string, path = '/') =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', connection: 'close' },
      body,
    });

  it('is read as browsers encode it', async () => {
    const text = 'a+b & c = 100 % of\r\n“ü” \u{1f600}';
    const reply = await post(new URLSearchParams({ text, twice: '1' }).toString() + '&twice=2&bad=%zz%ff');
    expect(await reply.json()).toEqual({ text: text.replace('\r\n', '\n'), bad: '%zz\ufffd' });
  });

  it('has at most 20 KB if it is short, which a message of 2,000 characters needs', async () => {
    const message = new URLSearchParams({ text: 'क'.repeat(2_000) }).toString();
    expect((await post(message, '/short')).status).toBe(200);
    expect((await post(`text=${'a'.repeat(20_480)}`, '/short')).status).toBe(413);
  });

  it('is read up to a little more than the longest text', async () => {
    const reply = await post(`text=${'%0D%0A'.repeat(25_000)}`);
    expect(((await reply.json()) as { text: string }).text).toHaveLength(20_001);
  });
});

describe('the form of a review', () => {
  const shown = [textHash('A bridge.'), textHash('A road.')];

  it('contains the answers that were changed', () => {
    expect(
      readChangedAnswers({ turn_id: [one, two], text: ['A bridge.\r\n', 'A railroad.'], shown }),
    ).toEqual([{ turnId: two, text: 'A railroad.' }]);
  });

  it('contains a single answer without the text that was shown', () => {
    expect(readChangedAnswers({ turn_id: one, text: 'A bridge.' })).toEqual([
      { turnId: one, text: 'A bridge.' },
    ]);
  });

  it('is malformed if the id of a turn is', () => {
    expect(readChangedAnswers({ turn_id: [one, 'x'], text: ['a', 'b'] })).toBeUndefined();
  });

  it('contains texts to show again only if they were changed', () => {
    expect(readSentTexts({ turn_id: [one, 'x'], text: ['A bridge.', 'B'], shown })).toEqual(['B']);
    expect(readSentTexts({ turn_id: one, text: 'A bridge.', shown: shown[0] })).toEqual([]);
    expect(readSentTexts({ text: 'A message.' })).toEqual(['A message.']);
  });
});

describe('the text of an answer', () => {
  it.each([
    ['a'.repeat(20_000), { text: 'a'.repeat(20_000) }],
    [' a\n', { text: 'a' }],
    [' \n', { problem: 'error_empty' }],
    ['a\0', { problem: 'message_characters' }],
    [`a\0${' '.repeat(20_000)}`, { problem: 'message_characters' }],
    ['a\ud800', { problem: 'message_characters' }],
    ['a'.repeat(20_001), { problem: 'message_long' }],
    [`${'a'.repeat(20_001)}\ud800`, { problem: 'message_long' }],
  ])('is stored, or has a problem: %#', (sent, expected) => {
    expect(validateText(sent)).toEqual(expected);
  });
});
