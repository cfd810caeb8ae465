import { createResampler } from '../../../../api/taking/app/live/resampler';

/** Resamples a second of a sine in blocks of 128 samples, as a browser delivers them. */
function resampled(from: number, frequency: number): number[] {
  const samples: number[] = [];
  const resample = createResampler(from, 24_000, (sample) => void samples.push(sample));
  const sine = Float32Array.from({ length: from }, (_, at) =>
    Math.sin((2 * Math.PI * frequency * at) / from),
  );
  for (let start = 0; start < from; start += 128) resample(sine.subarray(start, start + 128));
  return samples;
}
const levelOf = (samples: number[]) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
/** The level of the part of the sound that is a sine of this frequency. */
function levelAt(samples: number[], frequency: number): number {
  let sine = 0;
  let cosine = 0;
  for (const [at, sample] of samples.entries()) {
    sine += sample * Math.sin((2 * Math.PI * frequency * at) / 24_000);
    cosine += sample * Math.cos((2 * Math.PI * frequency * at) / 24_000);
  }
  return (Math.SQRT2 * Math.hypot(sine, cosine)) / samples.length;
}

describe('createResampler', () => {
  it.each([48_000, 44_100, 16_000, 96_000, 22_050, 24_000])(
    'keeps length and sound of speech at %i Hz, and adds none',
    (from) => {
      const samples = resampled(from, 1_000);
      expect(Math.abs(samples.length - 24_000)).toBeLessThan(40);
      const settled = samples.slice(240, -240);
      expect(levelAt(settled, 1_000)).toBeCloseTo(Math.SQRT1_2, 2);
      expect(levelOf(settled)).toBeCloseTo(levelAt(settled, 1_000), 2);
    },
  );

  it.each([
    [48_000, 15_000],
    [44_100, 14_000],
    [96_000, 30_000],
  ])('removes from %i Hz what 24 kHz cannot hold: %i Hz', (from, frequency) => {
    expect(levelOf(resampled(from, frequency).slice(240, -240))).toBeLessThan(0.005);
  });
});
