/** How many zero crossings of the filter lie on each side of a sample. More make the filter steeper and slower. */
const crossings = 16;
/** Where the filter cuts off, as a share of the highest frequency that the lower rate can hold. */
const cutoff = 0.92;

/**
 * Returns a function that changes the rate of a sound, block by block, and calls `emit` with each new sample. Sound above
 * the highest frequency of the new rate is removed first, because it would otherwise be heard as noise at a wrong pitch.
 */
export function createResampler(from: number, to: number, emit: (sample: number) => void) {
  const lower = Math.min(from, to);
  const reach = Math.ceil((crossings * from) / lower);
  const taps = 2 * reach;
  // The places of the new samples between two old ones repeat after this many, so each filter is computed once.
  const phases = to / greatestDivisor(from, to);
  const filters = Array.from({ length: phases }, (_, phase) => {
    const offset = (phase * from) / to;
    return filterAt(offset - Math.floor(offset), { reach, width: (cutoff * lower) / from });
  });
  /** The last samples, with the oldest one first. The last new sample lies between the two in the middle. */
  let held = new Float32Array(taps);
  /** The position of the next new sample: whole old samples after `held`, and its phase. */
  let ahead = 0;
  let phase = 0;

  return (block: Float32Array): void => {
    const all = new Float32Array(held.length + block.length);
    all.set(held);
    all.set(block, held.length);
    let start = ahead;
    while (start + taps < all.length) {
      const filter = filters[phase] as Float32Array;
      let sum = 0;
      for (let tap = 0; tap < taps; tap += 1)
        sum += (all[start + 1 + tap] as number) * (filter[tap] as number);
      emit(sum);
      const before = Math.floor((phase * from) / to);
      phase += 1;
      start += Math.floor((phase * from) / to) - before;
      phase %= phases;
    }
    const kept = Math.min(start, all.length - taps);
    held = all.slice(kept);
    ahead = start - kept;
  };
}

/** Returns the weights of the samples around a place, which lies `fraction` of a sample after the one in the middle. */
function filterAt(fraction: number, { reach, width }: { reach: number; width: number }): Float32Array {
  const weights = Float32Array.from({ length: 2 * reach }, (_, tap) => {
    const distance = tap - (reach - 1) - fraction;
    const angle = Math.PI * distance * width;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (reach + 1));
    return window * (angle === 0 ? 1 : Math.sin(angle) / angle);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);
