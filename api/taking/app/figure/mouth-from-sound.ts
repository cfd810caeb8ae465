import type { MouthShape, MouthWeights } from './mouth-shapes';

/*
 * The shape of the mouth, from a sound. Vowels are found by two rough formants, hissing sounds by their energy above 3 kHz, and closed
 * lips by a level that falls quickly.
 */

/** Centers of energy of each vowel in Hz. They are nearer to the middle than its true formants. */
const vowels = {
  aa: [690, 1_290],
  E: [500, 1_920],
  ih: [340, 2_230],
  oh: [560, 1_120],
  ou: [400, 1_450],
} as const;

const clamp = (value: number, low = 0, high = 1): number => Math.min(high, Math.max(low, value));

/** Part of a spectrum, in bins, and how each bin of it is amplified. */
type Band = { from: number; gains: Float64Array };

/** Returns the function that reads one frame after the other of a sound. It remembers how loud the voice is. */
export function createMouthReader(sampleRate: number, fftSize: number) {
  const bin = sampleRate / fftSize;
  /** The band between two frequencies. Bins above 500 Hz are amplified by `tilt` dB per octave. */
  const band = (low: number, high: number, tilt = 0): Band => {
    const from = Math.max(1, Math.round(low / bin));
    const to = Math.min(fftSize / 2 - 1, Math.round(high / bin));
    return {
      from,
      gains: Float64Array.from(
        { length: to - from + 1 },
        (_, i) => (((from + i) * bin) / 500) ** (tilt / 3.01),
      ),
    };
  };
  const bands = {
    hum: band(90, 320),
    body: band(90, 3_000),
    upper: band(780, 3_000),
    hiss: band(3_000, 7_800),
    first: band(220, 1_000, 4),
    second: band(780, 2_600, 2),
  };
  const power = new Float64Array(fftSize / 2);
  let peak = -30;
  let floor = -70;
  let before = 0;
  let silentMs = 1_000;
  let shown: MouthWeights = {};

  const energy = ({ from, gains }: Band): number =>
    gains.reduce((sum, gain, i) => sum + gain * (power[from + i] ?? 0), 1e-12);
  /** The mean frequency of a band. Loud bins count more, the more the larger `exponent` is. */
  const center = ({ from, gains }: Band, exponent: number): number => {
    let weights = 0;
    let sum = 0;
    gains.forEach((gain, i) => {
      const weight = (gain * (power[from + i] ?? 0)) ** exponent;
      weights += weight;
      sum += weight * (from + i) * bin;
    });
    return weights === 0 ? 0 : sum / weights;
  };

  function hissing(share: number, db: number): MouthWeights {
    const sibilant = clamp((share - 0.25) / 0.3);
    if (sibilant === 0) return {};
    const sharp = clamp((center(bands.hiss, 1) - 4_100) / 900);
    const loud = clamp((db - peak + 27) / 8);
    return { SS: sibilant * sharp * loud, CH: sibilant * (1 - sharp) * loud, FF: sibilant * (1 - loud) };
  }

  function voiced(share: number, level: number): MouthWeights {
    const body = energy(bands.body);
    const isLow = clamp((energy(bands.hum) / body - 0.72) / 0.2);
    const hum = isLow * clamp((0.03 - energy(bands.upper) / body) / 0.025);
    const [first, second] = [center(bands.first, 0.6), center(bands.second, 1)];
    const near = Object.entries(vowels).map(([name, [f1, f2]]) => {
      const distance = ((first - f1) / 95) ** 2 + ((second - f2) / 290) ** 2;
      return [name, Math.exp(-distance / 2) + 1e-6] as const;
    });
    const total = near.reduce((sum, [, weight]) => sum + weight, 0);
    const open = clamp(level * 1.25) * share * (1 - hum);
    return {
      ...Object.fromEntries(near.map(([name, weight]) => [name, (weight / total) * open])),
      nn: hum * share * 0.9,
    };
  }

  function wanted(level: number, db: number): MouthWeights {
    if (level === 0) return {};
    const hiss = energy(bands.hiss);
    const found = hissing(hiss / (hiss + energy(bands.body)), db);
    const rest = 1 - (found.SS ?? 0) - (found.CH ?? 0) - (found.FF ?? 0);
    return rest > 0 ? { ...found, ...voiced(rest, level) } : found;
  }

  /**
   * Returns the shape of the mouth and the level of the voice, 0 to 1, at a frame: its spectrum in dB, its samples, and the
   * milliseconds since the last one.
   */
  return function step(
    spectrum: Float32Array,
    samples: Float32Array,
    ms: number,
  ): { weights: MouthWeights; level: number } {
    const square = samples.reduce((sum, sample) => sum + sample * sample, 0);
    const db = 10 * Math.log10(square / samples.length + 1e-10);
    // The peak follows loud parts at once and falls by 3 dB a second. The floor rises by 6 dB a second.
    peak = Math.max(db, peak - ms * 0.003, -50);
    floor = clamp(db < floor ? db : floor + ms * 0.006, -90, peak - 30);
    const level = clamp((db - Math.max(floor + 8, peak - 34)) / 26);
    if (level > 0) for (let i = 0; i < power.length; i += 1) power[i] = 10 ** ((spectrum[i] ?? -120) / 10);
    const weights = wanted(level, db);
    silentMs = level > 0 ? 0 : silentMs + ms;
    // A fall by more than 10 dB within speech is most often a closure, so the lips meet.
    const fall = silentMs < 140 ? clamp((before - db - 6) / 10) : 0;
    if (fall > 0.2) weights.PP = fall * 0.9;
    before = Math.max(db, before - ms * 0.12);
    shown = approach(shown, weights, ms);
    return { weights: shown, level };
  };
}

/** Moves each weight toward the wanted one: up within about 34 ms, lips together within 22 ms, down within 58 ms. */
function approach(now: MouthWeights, wanted: MouthWeights, ms: number): MouthWeights {
  const names = Object.keys({ ...now, ...wanted }) as MouthShape[];
  const next = names.map((name) => {
    const [from, to] = [now[name] ?? 0, wanted[name] ?? 0];
    const tau = to < from ? 58 : name === 'PP' ? 22 : 34;
    return [name, from + (to - from) * (1 - Math.exp(-ms / tau))] as const;
  });
  return Object.fromEntries(next.filter(([, weight]) => weight > 0.01));
}
