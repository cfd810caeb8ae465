import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { sharedSpeechPath } from '../../db/taking/speech';
import { startBrowser } from '../../local/browser';
import type { Bars } from '../bars';
import { registerLinks } from '../candidates';
import type { BenchStack } from '../stack';
import { scaled } from '../stack';
import { patienceMs } from './overhead';
import { percentile, silence, spread, tone, toWav, voice } from './sound';
import { readSpans, tap } from './tap';
import type { Row } from './tap';

/** A candidate who answers for 2.5 seconds, and talks over the next question about 2.5 seconds after its beginning. */
const candidate = { speechMs: 2_500, silenceMs: 4_600 };
const cycleMs = candidate.speechMs + candidate.silenceMs;

/** Replaces the speech of the questions, of which the fake makes a beep of 0.4 seconds each. */
export function speakQuestions({ folder }: BenchStack, questions: number, sound: Buffer): void {
  for (let number = 0; number <= questions + 1; number += 1) {
    const spoken = { text: `Question ${number}`, template_type: 'interactive_avatar_1' };
    const shared = sharedSpeechPath({ ...spoken, conversation_speed: null, language: 'en' });
    const file = path.join(folder, 'objects', shared);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, sound);
  }
}

/** Presses a button as soon as the page has it. */
export async function press(page: Page, text: string): Promise<void> {
  const button = await page.waitForSelector(
    `::-p-xpath(//button[normalize-space()=${JSON.stringify(text)}])`,
  );
  await button?.press('Enter');
}

/** Opens a link and begins the interview. */
export async function consent(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.click('[name=consent]');
  await Promise.all([page.waitForNavigation(), page.click('form[action*=begin] button')]);
}

/**
 * Measures a conversation in the browser. Its microphone plays a known file, and what the page plays is captured on the clock of
 * the same audio context, after the jitter buffer. Devices add their own latency.
 */
export async function measureBrowser(
  bench: BenchStack,
  { interview, questions, bars }: { interview: string; questions: number; bars: Bars },
): Promise<void> {
  const microphone = path.join(bench.folder, 'microphone.wav');
  writeFileSync(microphone, toWav(silence(candidate.silenceMs), voice(candidate.speechMs)));
  speakQuestions(bench, questions, toWav(tone(6_000)));
  const [link = ''] = await registerLinks(bench, interview, 1);
  const browser = await startBrowser(path.join(bench.folder, 'browser'), microphone);
  try {
    const page = await browser.open();
    await page.setBypassCSP(true);
    await page.evaluateOnNewDocument(tap);
    await consent(page, link);
    await press(page, 'Start the check');
    await press(page, 'Everything works');
    await press(page, 'Start the conversation');
    await sleep((scaled(questions) + 1) * cycleMs);
    const contexts = (await page.evaluate('tapped')) as Row[][];
    const rows = contexts.find((each) => each.some(({ output }) => output > 0)) ?? [];
    show(rows, bars);
  } finally {
    await browser.close();
  }
}

function show(rows: readonly Row[], bars: Bars): void {
  const spoken = readSpans(rows, 'microphone', { level: 0.02, pauseMs: 300 });
  const played = readSpans(rows, 'output', { level: 0.001, pauseMs: 30 });
  const gaps = spoken.flatMap(({ to }) => {
    const next = played.find(({ from }) => from > to);
    return next && next.from - to < cycleMs ? [next.from - to - patienceMs] : [];
  });
  console.log(`\na conversation in Chromium (load ${loadavg()[0]?.toFixed(1)})`);
  console.log(
    `  from the last to the first sample: overhead p50 / p95 / p99 ${spread(gaps)} ms (${gaps.length} waits)`,
  );
  const lowered: number[] = [];
  const silent: number[] = [];
  for (const { from } of spoken) {
    const over = played.find((span) => span.from < from && span.to > from);
    if (!over) continue;
    const before = rows.findLast(({ ms }) => ms < from)?.output ?? 0;
    const low = rows.find(({ ms, output }) => ms >= from && output < before / 2);
    lowered.push((low?.ms ?? Number.NaN) - from);
    silent.push(over.to - from);
  }
  console.log(
    `  ${lowered.length} interruptions: lowered after ${spread(lowered)} ms, silent after ${spread(silent)} ms`,
  );
  bars.atMost('interruption: voice lowered, p50', percentile(lowered, 0.5), 100, ' ms');
  bars.atMost('interruption: voice silent, p50', percentile(silent, 0.5), 450, ' ms');
}
