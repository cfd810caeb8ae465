import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'puppeteer-core';

/* A voice for `bench:live-talks`: sentences that espeak-ng speaks, and a microphone that plays them to the page. */

/** Something that is said, or a pause in milliseconds. */
export type Spoken = string | number;

/** Returns a WAV file in which a sentence is spoken. `voice` is a language of espeak-ng. */
export function recordSentence(text: string, voice: string, speed = 150): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'live-voice-'));
  const file = path.join(folder, 'said.wav');
  try {
    execFileSync('espeak-ng', ['-v', voice, '-s', String(speed), '-w', file, text]);
    return readFileSync(file);
  } catch (error) {
    throw new Error('espeak-ng is needed: apt-get install espeak-ng', { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Replaces the microphone of a page that is not open yet. */
export const openMicrophone = (page: Page): Promise<unknown> =>
  page.evaluateOnNewDocument(`{
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      void context.resume();
      const microphone = context.createMediaStreamDestination();
      const quiet = context.createGain();
      quiet.gain.value = 0;
      const source = context.createOscillator();
      source.connect(quiet).connect(microphone);
      source.start();
      globalThis.speak = async (file) => {
        const bytes = Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
        const said = context.createBufferSource();
        said.buffer = await context.decodeAudioData(bytes.buffer);
        said.connect(microphone);
        const end = new Promise((resolve) => said.addEventListener('ended', resolve));
        said.start();
        await end;
      };
      return microphone.stream;
    };
  }`);

/** Speaks into the microphone of a page, to the end. */
export const speakInto = (page: Page, file: Buffer): Promise<unknown> =>
  page.evaluate(`speak('${file.toString('base64')}')`);

/** How a recording compares with what was said: both lengths without the silence around them, and how alike their loudness is. */
export type Likeness = { saidMs: number; recordedMs: number; lengthMs: number; likeness: number };

/**
 * Compares a recording with what was said into the microphone. `likeness` is the correlation of the loudness
 * at its best place, of the piece that is least alike: pauses between pieces are not exact.
 */
export const compareSound = (page: Page, recording: Buffer, said: (Buffer | number)[]): Promise<Likeness> =>
  page.evaluate(`(async () => {
    const rate = 16000, frame = 320;
    const loudness = (samples) => {
      const levels = [];
      for (let at = 0; at + frame <= samples.length; at += frame) {
        let sum = 0;
        for (let one = at; one < at + frame; one += 1) sum += samples[one] ** 2;
        levels.push(Math.sqrt(sum / frame));
      }
      return levels;
    };
    const decode = async (file) => {
      const bytes = Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
      const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes.buffer);
      return loudness(sound.getChannelData(0));
    };
    const loud = (levels) => {
      const least = 0.1 * Math.max(...levels);
      const first = levels.findIndex((level) => level > least);
      const last = levels.findLastIndex((level) => level > least);
      return [first, last + 1];
    };
    const parts = [], spoken = [];
    for (const part of ${JSON.stringify(said.map((part) => (typeof part === 'number' ? part : part.toString('base64'))))})
      if (typeof part === 'number') parts.push(...Array(Math.round(part / 20)).fill(0));
      else parts.push(...spoken[spoken.push(await decode(part)) - 1]);
    const all = await decode('${recording.toString('base64')}');
    const [from, to] = loud(parts);
    const [begins, ends] = loud(all);
    const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
    const alike = (wanted, other) => {
      const one = mean(wanted), two = mean(other);
      let both = 0, first = 0, second = 0;
      for (let at = 0; at < wanted.length; at += 1) {
        both += (wanted[at] - one) * ((other[at] ?? 0) - two);
        first += (wanted[at] - one) ** 2;
        second += ((other[at] ?? 0) - two) ** 2;
      }
      return both / Math.sqrt(first * second || 1);
    };
    let likeness = 1;
    for (const part of spoken) {
      const wanted = part.slice(...loud(part));
      let best = 0;
      for (let shift = 0; shift + wanted.length <= all.length + 10; shift += 1)
        best = Math.max(best, alike(wanted, all.slice(shift, shift + wanted.length)));
      likeness = Math.min(likeness, best);
    }
    return { saidMs: 20 * (to - from), recordedMs: 20 * (ends - begins), lengthMs: 20 * all.length, likeness };
  })()`) as Promise<Likeness>;
