import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TakingTexts } from '../texts';
import type { Portal } from './portal-client';
import { analyserOf } from './speech-sound';

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

/** A question that is being spoken, and its sound if the browser can analyze it. */
export type PlayingSpeech = { analyser: AnalyserNode | undefined };

/** Plays the question when it opens and whenever the button is pressed. Shows nothing while there is no speech. */
export function QuestionSpeechPlayer({
  texts,
  portal,
  turnId,
  onSpeech,
}: {
  texts: TakingTexts;
  portal: Portal;
  turnId: string;
  /** Called with undefined when the speech ends. */
  onSpeech: (speech: PlayingSpeech | undefined) => void;
}): VNode | null {
  const [address, setAddress] = useState<string>();
  const [isPlaying, setPlaying] = useState(false);
  const [wasPlayed, setPlayed] = useState(false);
  const audio = useRef<HTMLAudioElement>(null);
  const analyser = useRef<Promise<AnalyserNode | undefined>>();

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
      onSpeech(undefined);
      clearTimeout(timer);
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [turnId]);

  // Browsers reject `play` before the first click on a page. The candidate can then use the button.
  const play = () => void audio.current?.play().catch(() => undefined);
  useEffect(() => {
    if (address !== undefined && isPlayedAtOnce) play();
  }, [address]);

  const begin = async (player: HTMLAudioElement) => {
    setPlaying(true);
    setPlayed(true);
    onSpeech({ analyser: undefined });
    const found = await (analyser.current ??= analyserOf(player));
    if (!player.paused) onSpeech({ analyser: found });
  };
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
        onPlay={(event) => void begin(event.currentTarget)}
        onPause={() => {
          setPlaying(false);
          onSpeech(undefined);
        }}
      />
      <button type="button" class="plain" onClick={isPlaying ? stop : play}>
        {texts(isPlaying ? 'listen_stop' : wasPlayed ? 'listen_again' : 'listen')}
      </button>
    </p>
  );
}
