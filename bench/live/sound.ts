import { wavFile } from '../../local/wav-file';

/* The sound of candidates and interviewers: PCM16 mono. */

export const rate = 24_000;
const frameSamples = 480;

/**
 * Returns a voice: harmonics of 120 Hz in four syllables a second, as in slow speech. With less difference between them,
 * Chromium takes it for noise.
 */
export const voice = (ms: number): Int16Array =>
  compose(ms, (t) => {
    const syllable = 0.2 + 0.8 * Math.abs(Math.sin(Math.PI * 4 * t + 0.8));
    const waves = [1, 0.5, 0.25].map((level, n) => level * Math.sin(2 * Math.PI * 120 * (n + 1) * t));
    return 0.3 * syllable * waves.reduce((sum, wave) => sum + wave, 0);
  });

/** Returns a tone whose level does not change, so that a change of the volume can be measured. */
export const tone = (ms: number): Int16Array => compose(ms, (t) => 0.2 * Math.sin(2 * Math.PI * 440 * t));

export const silence = (ms: number): Int16Array => compose(ms, () => 0);

function compose(ms: number, at: (seconds: number) => number): Int16Array {
  return Int16Array.from({ length: (ms * rate) / 1_000 }, (_, i) => at(i / rate) * 32_767);
}

/** Returns a WAV file. */
export const toWav = (...parts: Int16Array[]): Buffer =>
  wavFile(Int16Array.from(parts.flatMap((part) => [...part])), rate);

const silentFrame = Buffer.alloc(2 * frameSamples);
const loudFrame = Buffer.alloc(2 * frameSamples, 0x20);

/** Returns the frames of an answer in which the fake of the provider hears `text`. */
export function framesOf(text: string, ms: number): Buffer[] {
  const first = Buffer.from(loudFrame);
  Buffer.from(`fake-transcript:${text}\0`).copy(first);
  return [first, ...Array.from({ length: ms / 20 - 1 }, () => loudFrame)];
}
export { silentFrame };

/** Returns the value below which this share of the values is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
/** Returns p50, p95 and p99 as a text. */
export const spread = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => percentile(values, share).toFixed(0)).join(' / ');
