import type { Page } from 'puppeteer-core';
import { wavFile } from '../../../local/wav-file';

/* A microphone into which a test speaks: the browser's own one only beeps. */

/** Tones one after the other: their frequencies in Hz, and how long each lasts. A frequency of 0 is silence. */
export type Tones = [hz: number, ms: number][];

/**
 * Replaces the microphone of a page that is not open yet. Returns the function that speaks into it, to the end. The page's
 * `unplug()` takes it away.
 */
export async function openMicrophone(page: Page): Promise<(tones: Tones) => Promise<void>> {
  await page.evaluateOnNewDocument(`{
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      // After a reload, browsers let it run only after a click.
      void context.resume();
      const microphone = context.createMediaStreamDestination();
      // Without a sound, the stream would deliver nothing.
      const quiet = context.createGain();
      quiet.gain.value = 0;
      const source = context.createOscillator();
      source.connect(quiet).connect(microphone);
      source.start();
      globalThis.speak = async (tones) => {
        await context.resume();
        let at = context.currentTime + 0.05;
        for (const [hz, ms] of tones) {
          if (hz > 0) {
            const tone = context.createOscillator();
            const volume = context.createGain();
            tone.frequency.value = hz;
            volume.gain.value = 0.4;
            tone.connect(volume).connect(microphone);
            tone.start(at);
            tone.stop(at + ms / 1000);
          }
          at += ms / 1000;
        }
        return new Promise((resolve) => setTimeout(resolve, (at - context.currentTime) * 1000));
      };
      globalThis.unplug = () => {
        const [track] = microphone.stream.getAudioTracks();
        track.stop();
        track.dispatchEvent(new Event('ended'));
      };
      return microphone.stream;
    };
  }`);
  return (tones) => page.evaluate(`speak(${JSON.stringify(tones)})`) as Promise<void>;
}

/** Returns for how many milliseconds a recording contains a tone of this frequency. */
export const toneMs = (page: Page, recording: Buffer, hz: number): Promise<number> =>
  page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${recording.toString('base64')}'), (one) => one.charCodeAt(0));
    const sound = await new OfflineAudioContext(1, 1, 24000).decodeAudioData(bytes.buffer);
    const samples = sound.getChannelData(0);
    const length = 480;
    let found = 0;
    for (let start = 0; start + length <= samples.length; start += length) {
      let sine = 0, cosine = 0;
      for (let at = start; at < start + length; at += 1) {
        sine += samples[at] * Math.sin((2 * Math.PI * ${hz} * at) / 24000);
        cosine += samples[at] * Math.cos((2 * Math.PI * ${hz} * at) / 24000);
      }
      if ((2 * Math.hypot(sine, cosine)) / length > 0.15) found += 1;
    }
    return found * 20;
  })()`) as Promise<number>;

/** Returns a WAV file of a quiet tone, as the speech of a long question. */
export function longSpeech(seconds: number): Buffer {
  const rate = 8_000;
  const tone = (at: number) => Math.round(3_000 * Math.sin((2 * Math.PI * 220 * at) / rate));
  return wavFile(
    Int16Array.from({ length: seconds * rate }, (_, n) => tone(22 + n)),
    rate,
  );
}
