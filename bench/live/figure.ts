import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'puppeteer-core';
import { startBrowser } from '../../local/browser';
import type { Bars } from '../bars';
import { registerLinks } from '../candidates';
import { scaled } from '../stack';
import type { BenchStack } from '../stack';
import { consent, press, speakQuestions } from './browser';
import { toWav, voice } from './sound';

const secondsOfCase = 8;

/**
 * Measures the picture of an interviewer on the page of a candidate who records answers, first ready and then speaking: the
 * processor time of all processes of the browser above a blank page, or one that plays the same sound, and the frames per
 * second with the processor throttled to a quarter. Throttling itself uses the processor, so both are measured one after the other.
 */
export async function measureFigure(
  bench: BenchStack,
  { interview, questions, bars }: { interview: string; questions: number; bars: Bars },
): Promise<void> {
  const sound = toWav(voice(4_000 * secondsOfCase));
  speakQuestions(bench, questions, sound);
  const [link = ''] = await registerLinks(bench, interview, 1);
  const browser = await startBrowser(path.join(bench.folder, 'browser'));
  try {
    const blank = await browser.open();
    await blank.setContent('<button>Play</button>');
    const blankCpu = await cpuPercent(blank);
    await play(blank, sound);
    const playingCpu = await cpuPercent(blank);
    await blank.close();

    const page = await browser.open();
    await consent(page, link);
    await press(page, 'Type instead');
    await (await page.waitForSelector('form button'))?.press('Enter');
    await page.waitForSelector('.stage[data-state=idle] svg');
    const ready = { cpu: (await cpuPercent(page)) - blankCpu, frames: await throttledFrames(page) };
    await press(page, 'Listen again');
    await page.waitForSelector('.stage[data-state=speaks]');
    const speaking = { cpu: (await cpuPercent(page)) - playingCpu, frames: await throttledFrames(page) };
    const isSpeaking = (await page.$('.stage[data-state=speaks]')) !== null;
    if (!isSpeaking) throw new Error('the question ended before the frames were counted');

    console.log(
      `\nthe picture of the interviewer (load ${loadavg()[0]?.toFixed(1)}; a blank page ${blankCpu.toFixed(1)} %, with sound ${playingCpu.toFixed(1)} % of a core)`,
    );
    bars.atMost('ready, all processes of the browser above a blank page', ready.cpu, 5, ' %');
    bars.atMost('speaking, above a page that plays the same sound', speaking.cpu, 10, ' %');
    bars.atMost('ready, missing of 60 frames a second at a quarter', 60 - ready.frames, 1, '');
    bars.atMost('speaking, missing of 60 frames a second at a quarter', 60 - speaking.frames, 1, '');
  } finally {
    await browser.close();
  }
}

/** Plays a sound on a page, as the page of a candidate does. A click allows it. */
async function play(page: Page, sound: Buffer): Promise<void> {
  await page.click('button');
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${sound.toString('base64')}'), (one) => one.charCodeAt(0));
    const context = new AudioContext();
    const source = context.createBufferSource();
    source.buffer = await context.decodeAudioData(bytes.buffer);
    source.connect(context.destination);
    source.start();
  })()`);
}

/** Counts the frames of a page, as an animation would see them. */
const countFrames = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    const startedAt = performance.now();
    let frames = 0;
    const count = () => {
      frames += 1;
      const ms = performance.now() - startedAt;
      if (ms < ${scaled(secondsOfCase * 1_000)}) requestAnimationFrame(count);
      else resolve((1000 * frames) / ms);
    };
    requestAnimationFrame(count);
  })`) as Promise<number>;

async function throttledFrames(page: Page): Promise<number> {
  await page.emulateCPUThrottling(4);
  const frames = await countFrames(page);
  await page.emulateCPUThrottling(null);
  return frames;
}

/** Returns the share of a core that all processes of the browser use. */
async function cpuPercent(page: Page): Promise<number> {
  const client = await page.browser().target().createCDPSession();
  // What loading the page has begun would count too.
  await sleep(scaled(1_000));
  const startedAt = performance.now();
  const before = await cpuTime(client);
  await countFrames(page);
  const used = (await cpuTime(client)) - before;
  await client.detach();
  return (100_000 * used) / (performance.now() - startedAt);
}

async function cpuTime(client: CDPSession): Promise<number> {
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}
