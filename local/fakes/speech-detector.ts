/** A frame is 20 ms of PCM16 with 24,000 samples a second. */
export const frameMs = 20;
export const frameBytes = 960;

type Change = { type: 'started' | 'stopped'; ms: number };

/** Two frames louder than this begin speech. It ends after frames that are quieter than the second level. */
const loud = 0.02;
const quiet = 0.01;

/**
 * Detects speech by its volume, on the clock of the frames. The `ms` of an end includes the silence, as the provider
 * documents it.
 */
export function createSpeechDetector(silenceMs: number) {
  let atMs = 0;
  let loudFrames = 0;
  let quietMs = 0;
  let isSpeech = false;
  return {
    hear(frame: Buffer): Change | undefined {
      atMs += frameMs;
      const isLoud = levelOf(frame) > (isSpeech ? quiet : loud);
      loudFrames = isLoud ? loudFrames + 1 : 0;
      quietMs = isLoud ? 0 : quietMs + frameMs;
      if (!isSpeech && loudFrames >= 2) {
        isSpeech = true;
        return { type: 'started', ms: atMs - 2 * frameMs };
      }
      if (!isSpeech || quietMs < silenceMs) return undefined;
      isSpeech = false;
      return { type: 'stopped', ms: atMs };
    },
    /** Forgets a speech that has not ended. The clock goes on. */
    reset(): void {
      loudFrames = 0;
      quietMs = 0;
      isSpeech = false;
    },
  };
}

function levelOf(frame: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 1 < frame.length; at += 2) sum += frame.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (frame.length / 2)) / 32_768;
}
