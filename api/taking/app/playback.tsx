import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TakingTexts } from '../texts';

/** Plays a recording from the memory of this page. */
export function Playback({ texts, recording }: { texts: TakingTexts; recording: Blob }): VNode | null {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(recording);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [recording]);
  if (address === undefined) return null;
  const shared = { src: address, controls: true, 'aria-label': texts('own_recording') };
  return (
    <div class="playback">
      <p>{texts('own_recording')}</p>
      {recording.type.startsWith('video') ? (
        <video class="picture" playsInline {...shared} />
      ) : (
        <audio {...shared} />
      )}
    </div>
  );
}
