import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Page } from 'puppeteer-core';
import { languageTexts } from '../api/platform/text/language-texts';
import { startBrowser } from '../local/browser';
import type { HeadlessBrowser } from '../local/browser';
import { interviewId } from '../local/seed/fixed-id';
import { platformTemplateIds } from '../local/seed/templates';
import { doing, press, until } from './live-talks-page';
import { talks, twoQuestions, wordsOf } from './live-talks-said';
import type { Talk } from './live-talks-said';
import { compareSound, openMicrophone, recordSentence, speakInto } from './live-voice';
import { startBenchStack } from './stack';
import type { BenchStack } from './stack';

/*
 * Holds five conversations in a real browser with a recorded voice, and compares what is stored with what was said: each word of
 * the drafts and transcripts, and the sound of the recordings. The fake provider is told the words of each piece of speech in
 * the order in which they are said, so a piece that is missing, repeated or given to another turn shows.
 */

type Row = {
  id: string;
  asked: string;
  draft: string | null;
  answer: string | null;
  file: string | null;
  status: string | null;
};

async function main(): Promise<void> {
  const bench = await startBenchStack();
  const admin = new Pool({ connectionString: bench.stack.database_url, max: 2 });
  const browser = await startBrowser(path.join(bench.folder, 'browser'));
  let failures = 0;
  const judge = (name: string, isRight: boolean, facts: string) => {
    if (!isRight) failures += 1;
    console.log(`  ${isRight ? 'ok   ' : 'WRONG'} ${name.padEnd(22)} ${facts}`);
  };
  const chosen = process.argv.slice(2);
  try {
    for (const talk of talks.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
      console.log(`\n${talk.name}`);
      const page = await browser.open();
      const rows = await hold({ bench, admin, browser }, talk, page).catch(async (error: Error) => {
        const shown = await page.$eval('main', ({ textContent }) => textContent).catch(() => null);
        judge('conversation', false, `${error.message}; the page shows: ${shown}`);
      });
      if (!rows) continue;
      for (const [index, answer] of talk.answers.entries()) {
        const row = rows[index];
        const said = wordsOf(answer);
        judge(
          `turn ${index + 1} words`,
          (row?.draft ?? row?.answer) === said && row?.answer === said,
          `${said.split(' ').length} of ${JSON.stringify(row?.asked)}${row?.answer === said ? '' : `, stored ${JSON.stringify([row?.draft, row?.answer])}`}`,
        );
        if (talk.interview['type'] === 'public_avatar')
          judge(`turn ${index + 1} recording`, row?.file === null, 'none, as promised');
        else {
          const file = readFileSync(path.join(bench.folder, 'objects', row?.file ?? 'no file'));
          const parts = answer.says.map((part) =>
            typeof part === 'number' ? part : recordSentence(part, talk.voice),
          );
          const { saidMs, recordedMs, lengthMs, likeness } = await compareSound(page, file, parts);
          judge(
            `turn ${index + 1} recording`,
            Math.abs(saidMs - recordedMs) <= 150 * answer.says.length && likeness > 0.9,
            `said ${saidMs} ms, recorded ${recordedMs} ms of ${lengthMs} ms, alike ${likeness.toFixed(3)}`,
          );
        }
      }
      await page.browserContext().close();
    }
    if (chosen.length === 0)
      for (const way of ['without a microphone', 'without scripts'] as const) {
        console.log(`\n${way}`);
        const rows = await typeAll({ bench, admin, browser }, way);
        for (const [index, text] of typedAnswers.entries())
          judge(`turn ${index + 1} words`, rows[index]?.answer === text, JSON.stringify(rows[index]?.answer));
      }
  } finally {
    await browser.close();
    await admin.end();
    await bench.stop();
  }
  console.log(failures === 0 ? '\nall is stored as it was said' : `\n${failures} differ`);
  if (failures > 0) process.exitCode = 1;
}

type Held = { bench: BenchStack; admin: Pool; browser: HeadlessBrowser };

/** Creates an active interview with these questions, and returns its id. */
async function create(
  { admin }: Held,
  { interview, questions, language }: Omit<Talk, 'answers' | 'voice' | 'name'>,
  slug: string | null,
): Promise<string> {
  const id = randomUUID();
  const row = {
    id,
    slug,
    environment: 'production',
    interview_template_id: platformTemplateIds.interactive_avatar_1,
    max_followups: 0,
    recording: 'audio_all',
    visibility: 'merchant_unlisted',
    recruiter_profile_id: null,
    candidate_expectations_json: null,
    ...interview,
  };
  await admin.query(
    'insert into interview select copy.* from interview i, jsonb_populate_record(i, $2) copy where i.id = $1',
    [interviewId('active'), JSON.stringify(row)],
  );
  for (const [place, [view, text]] of [
    ['welcome', 'Welcome'],
    ...questions.map((question) => ['question', question]),
    ['thank_you', 'Thanks'],
  ].entries())
    await admin.query(
      `with made as (
         insert into question (merchant_id, view, question, platform_language_code)
         select merchant_id, $2, $3, $4 from interview where id = $1 returning merchant_id, id
       )
       insert into interview_question (merchant_id, environment, interview_id, question_id, step_order)
       select merchant_id, 'production', $1, id, $5 from made`,
      [id, view, text, language, place + 1],
    );
  return id;
}

async function linkOf({ bench: { stack } }: Held, interview_id: string): Promise<string> {
  const response = await fetch(`${stack.base_url}/job-interview-register-users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      users: [{ email: `${randomUUID()}@candidates.example`, name: 'Ann Lee' }],
      interview_id,
    }),
  });
  const [row] = (await response.json()) as { interview_url: string }[];
  return row?.interview_url ?? '';
}

/** Holds a conversation to its end, and returns its turns when their transcripts and recordings are there. */
async function hold(held: Held, talk: Talk, page: Page): Promise<Row[]> {
  const { bench, admin } = held;
  const isVisit = talk.interview['type'] === 'public_avatar';
  const slug = isVisit ? `talk-${randomUUID().slice(0, 8)}` : null;
  const id = await create(held, talk, slug);
  await openMicrophone(page);
  await page.setRequestInterception(true);
  // The questions are spoken by espeak-ng too, so that they take as long as real ones.
  page.on(
    'request',
    (request) =>
      void replyWithVoice(held, talk, request.url()).then((file) =>
        file ? request.respond({ contentType: 'audio/wav', body: file }) : request.continue(),
      ),
  );
  const texts = languageTexts[talk.language].candidate_pages;
  if (isVisit) await page.goto(`${bench.stack.portal_url}/talk/${slug}/`);
  else {
    await page.goto(await linkOf(held, id));
    await page.click('[name=consent]');
    await (await page.waitForSelector('form[action*=begin] button'))?.press('Enter');
    // The button may be pressed before its script has begun.
    await until('the check of the devices', async () => {
      await press(page, texts.devices_start);
      return page.waitForSelector(`::-p-text(${texts.devices_say})`, { timeout: 3_000 }).then(
        () => true,
        () => false,
      );
    });
    await press(page, texts.devices_good);
  }
  await press(page, texts.live_start);
  // A talk before this one can have left words, because nothing of a visitor is transcribed.
  await fetch(`${bench.stack.fakes_url}/faults`, { method: 'DELETE' });
  const fault = (more: object) =>
    fetch(`${bench.stack.fakes_url}/faults`, {
      method: 'POST',
      body: JSON.stringify({ provider: 'openai', ...more }),
    });
  const turnsOf = async (): Promise<Row[]> =>
    (
      await admin.query<Row>(
        `select q.id, q.question_asked as asked, coalesce(c.draft, case when r.is_visit then q.answer end) as draft, q.answer,
           q.recording_local_path as file, q.transcript_status as status
         from result_question q join interview_result r on r.id = q.result_id left join recording c on c.id = q.recording_id
         where r.interview_id = $1 and q.mode = 'voice' order by q.step_order`,
        [id],
      )
    ).rows;
  for (const [index, answer] of talk.answers.entries()) {
    await fault({ call: 'transcription', transcript: wordsOf(answer) });
    await until(`turn ${index + 1}`, async () => (await turnsOf()).length > index);
    if (answer.interruptsAfterMs === undefined) await doing(page, 'listens');
    else {
      await doing(page, 'speaks');
      await sleep(answer.interruptsAfterMs);
    }
    for (const part of answer.says)
      if (typeof part === 'number') await sleep(part);
      else {
        await fault({ call: 'listening', transcript: part });
        await speakInto(page, recordSentence(part, talk.voice));
      }
    await until(`the answer to turn ${index + 1}`, async () => {
      const { rows } = await admin.query<{ n: number }>(
        `select count(*)::int as n from result_question q join interview_result r on r.id = q.result_id
         where r.interview_id = $1 and q.mode = 'voice' and q.answered_at is not null`,
        [id],
      );
      return (rows[0]?.n ?? 0) > index;
    });
  }
  return until('the transcripts and recordings', async () => {
    const found = (await turnsOf()).slice(0, talk.answers.length);
    return found.every(({ answer, file }) => answer !== null && (isVisit || file !== null)) && found;
  });
}

/** Returns the speech of a turn, if that is what the page asks for. */
async function replyWithVoice({ admin }: Held, talk: Talk, url: string): Promise<Buffer | undefined> {
  const { pathname, searchParams } = new URL(url);
  if (!/(turn-speech|\/speech)$/.test(pathname) || searchParams.has('sound')) return undefined;
  const { rows } = await admin.query<{ text: string }>(
    'select question_asked as text from result_question where id = $1',
    [searchParams.get('turn_id')],
  );
  return recordSentence(rows[0]?.text ?? '', talk.voice, 170);
}

const typedAnswers = ['I built a bridge in writing.', 'I would begin with the people, in writing.'];

/** Takes the same interview by typing, in a browser without a microphone or without scripts. */
async function typeAll(held: Held, way: 'without a microphone' | 'without scripts'): Promise<Row[]> {
  const { admin, browser } = held;
  const id = await create(
    held,
    { interview: { type: 'interview' }, questions: twoQuestions, language: 'en' },
    null,
  );
  const page = await browser.open();
  const texts = languageTexts.en.candidate_pages;
  if (way === 'without scripts') await page.setJavaScriptEnabled(false);
  else
    await page.evaluateOnNewDocument(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));`,
    );
  await page.goto(await linkOf(held, id));
  await page.click('[name=consent]');
  await (await page.waitForSelector('form[action*=begin] button'))?.press('Enter');
  if (way === 'without scripts') await press(page, texts.next);
  else {
    await press(page, texts.devices_start);
    await page.waitForSelector(`::-p-text(${texts.no_device})`);
    await press(page, texts.type_instead);
    await press(page, texts.next);
  }
  for (const [index, text] of typedAnswers.entries()) {
    await page.waitForSelector(`::-p-xpath(//h1[normalize-space()=${JSON.stringify(twoQuestions[index])}])`);
    await page.type('textarea', text);
    await press(page, texts.send);
  }
  await page.waitForSelector(`::-p-text(${texts.submit})`);
  const { rows } = await admin.query<Row>(
    `select q.id, q.question_asked as asked, null as draft, q.answer, null as file, null as status from result_question q
     join interview_result r on r.id = q.result_id where r.interview_id = $1 and q.mode = 'voice' order by q.step_order`,
    [id],
  );
  await page.browserContext().close();
  return rows;
}

if (!existsSync('dist/api/scripts/conversation.js')) throw new Error('Build first: npm run build');
main().catch((error: Error) => {
  console.error(error);
  process.exit(1);
});
