import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TakingTexts } from '../texts';
import type { Portal } from './portal-client';

/**
 * The speech of a follow-up is usually ready within three seconds, so the app tries again after this many
 * milliseconds.
 */
const tryAgainMs = 2_000;
const maxTries = 8;

/**
 * False after the candidate has stopped the speech of a question. The speech of later questions then plays only when
 * the button is pressed.
 */
let isPlayedAtOnce = true;

/** Plays the question when it opens and whenever the button is pressed. Shows nothing while there is no speech. */
export function SpokenQuestion({
  texts,
  portal,
  turnId,
}: {
  texts: TakingTexts;
  portal: Portal;
  turnId: string;
}): VNode | null {
  const [address, setAddress] = useState<string>();
  const [isPlaying, setPlaying] = useState(false);
  const [wasPlayed, setPlayed] = useState(false);
  const audio = useRef<HTMLAudioElement>(null);

  useEffect(() => {
    let made: string | undefined;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const load = async () => {
      const file = await portal.file('turn-speech', { query: { turn_id: turnId } });
      if (isLeft) return;
      tries += 1;
      if (file) setAddress((made = URL.createObjectURL(file)));
      else if (tries < maxTries) timer = setTimeout(() => void load(), tryAgainMs);
    };
    void load();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [turnId]);

  // Browsers reject `play` before the first click on a page. The candidate can then use the button.
  const play = () => void audio.current?.play().catch(() => undefined);
  useEffect(() => {
    if (address !== undefined && isPlayedAtOnce) play();
  }, [address]);

  if (address === undefined) return null;
  const stop = () => {
    isPlayedAtOnce = false;
    audio.current?.pause();
    if (audio.current) audio.current.currentTime = 0;
  };
  return (
    <p class="speech">
      <audio
        ref={audio}
        src={address}
        onPlay={() => {
          setPlaying(true);
          setPlayed(true);
        }}
        onPause={() => setPlaying(false)}
      />
      <button type="button" class="plain" onClick={isPlaying ? stop : play}>
        {texts(isPlaying ? 'listen_stop' : wasPlayed ? 'listen_again' : 'listen')}
      </button>
    </p>
  );
}
