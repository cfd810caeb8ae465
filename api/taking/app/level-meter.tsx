import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TakingTexts } from '../texts';
import { loudestLevel } from './level';

/**
 * A sound level below this is silence, on a scale of 0 to 1. A quiet voice at a laptop reaches five times this level.
 */
const silentLevel = 0.01;
/** After this many milliseconds of silence, the candidate sees a message. Silence never ends an answer. */
const silenceMs = 6_000;

type MeterProps = { texts: TakingTexts; stream: MediaStream; isSilenceShown?: boolean };

/** Shows how loud the microphone is and, with `isSilenceShown`, says when nothing is heard. */
export function LevelMeter({ texts, stream, isSilenceShown = false }: MeterProps): VNode {
  const meter = useRef<HTMLMeterElement>(null);
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    let heardAt = performance.now();
    return watchLevel(stream, (level) => {
      if (level > silentLevel) heardAt = performance.now();
      setSilent(performance.now() - heardAt > silenceMs);
      // The square root makes quiet voices visible, because loudness is not linear in the level.
      if (meter.current) meter.current.value = Math.min(1, Math.sqrt(level) * 1.6);
    });
  }, [stream]);
  return (
    <>
      <meter ref={meter} class="level" min={0} max={1} value={0} aria-label={texts('microphone')} />
      <p class="silence" role="status">
        {isSilent && isSilenceShown && texts('cannot_hear')}
      </p>
    </>
  );
}

/**
 * Calls `onLevel` ten times a second with the level of the sound, 0 to 1, until the returned function is called. The
 * analyser holds the last third of a second, so that no short sound is missed between two calls, even if one is late.
 */
function watchLevel(stream: MediaStream, onLevel: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 16_384;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    // Safari suspends an audio context that was not created by a click.
    if (context.state === 'suspended') void context.resume();
    analyser.getFloatTimeDomainData(samples);
    onLevel(loudestLevel(samples));
  }, 100);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}
