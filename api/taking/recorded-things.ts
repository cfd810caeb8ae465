import type { TakingText } from './texts';

/** Returns the texts that say what an interview stores of the answers. */
export function recordedThings({
  recording,
  is_spoken,
}: {
  recording: 'audio' | 'video' | null;
  is_spoken: boolean;
}): TakingText[] {
  if (recording === 'video') return ['recorded_video', 'recorded_typed'];
  return recording === 'audio' || is_spoken ? ['recorded_audio', 'recorded_typed'] : ['recorded_typed'];
}
