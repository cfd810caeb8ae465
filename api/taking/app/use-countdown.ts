import { useEffect, useState } from 'preact/hooks';

/**
 * Counts down from `seconds` while `isRunning`, and calls `onEnd` at 0. Returns the seconds left. Starts again when
 * `isRunning` becomes true.
 */
export function useCountdown(seconds: number | null, isRunning: boolean, onEnd: () => void): number | null {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    if (!isRunning || seconds === null) return undefined;
    const endsAt = performance.now() + seconds * 1_000;
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000));
      setLeft(now);
      if (now > 0) return;
      clearInterval(timer);
      onEnd();
    }, 250);
    return () => clearInterval(timer);
  }, [isRunning, seconds]);
  return left;
}
