/** The number of samples that are measured together: 43 milliseconds at 48 kHz, which is shorter than a syllable. */
const blockLength = 2_048;

/**
 * Returns the level of the loudest part of a sound, 0 to 1. The level of the whole sound would hide a short one in it.
 */
export function loudestLevel(samples: Float32Array): number {
  let loudest = 0;
  for (let start = 0; start < samples.length; start += blockLength) {
    const block = samples.subarray(start, start + blockLength);
    const power = block.reduce((sum, sample) => sum + sample * sample, 0) / block.length;
    loudest = Math.max(loudest, Math.sqrt(power));
  }
  return loudest;
}
