import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AvatarData } from '../../avatar/avatar-data';
import { AvatarTurns } from '../../avatar/avatar-turns';
import type { TakingTexts } from '../../texts';
import type { Devices } from '../devices';
import { Interviewer } from '../figure/interviewer';
import { readFlag, writeFlag } from '../flags';
import type * as liveScript from '../live/main';
import type { LiveConversation } from '../live/main';
import type { ConversationOverReason } from '../live/socket';
import { TalkControls } from '../live/talk-controls';
import type { TalkState } from '../live/talk-controls';
import { useStore } from '../use-store';
import { createVisit, visitPortal } from './visit';

/** The reasons of which the page speaks after the conversation. */
const shownReasons = ['trouble', 'elsewhere', 'limited'] as const;

type Props = {
  data: AvatarData;
  texts: TakingTexts;
  devices: Devices;
  /** The server's part of the page, which is hidden during the conversation. */
  typed: HTMLElement;
};

/** Offers the live conversation, and holds it until it ends. The server's page then shows what was said. */
export function AvatarTalk({ data, texts, devices, typed }: Props): VNode {
  const keyOf = (why: ConversationOverReason) => `talk-${why} ${data.path}`;
  const [whyLeft] = useState(() => shownReasons.find((why) => readFlag(keyOf(why))));
  const isElsewhere = whyLeft === 'elsewhere';
  const [visit] = useState(() => createVisit(data.turns));
  const { turns, attempt } = useStore(visit);
  const { stream, problem } = useStore(devices);
  const [live, setLive] = useState<LiveConversation>();
  const [isStarting, setStarting] = useState(false);
  const [talk, setTalk] = useState<TalkState>();

  const setWhyLeft = (why: ConversationOverReason | undefined) => {
    for (const reason of shownReasons) writeFlag(keyOf(reason), why === reason);
  };
  const leave = (why?: ConversationOverReason) => {
    setWhyLeft(why);
    devices.close();
    location.replace(data.path);
  };
  // Without the microphone, the visit goes on in writing.
  useEffect(() => {
    if (live && problem) void live.end().then(() => leave('trouble'));
  }, [problem]);
  const start = async () => {
    setStarting(true);
    setWhyLeft(undefined);
    // Browsers let no context play that was created without a click.
    const context = new AudioContext({ latencyHint: 'interactive' });
    try {
      await devices.open();
      const { stream: opened } = devices.state;
      if (opened) {
        const loaded = (await import(data.live.script)) as typeof liveScript;
        const started = await loaded.startLiveConversation({
          ear: data.live.ear,
          portal: visitPortal(data.path),
          kept: null,
          interview: visit,
          stream: opened,
          context,
          onOver: leave,
        });
        visit.follow(started);
        typed.hidden = true;
        setLive(started);
        return;
      }
      await context.close();
    } catch {
      await context.close().catch(() => undefined);
      devices.close();
    }
    setStarting(false);
  };
  return (
    <>
      {data.interviewer && (
        <Interviewer
          texts={texts}
          {...data.interviewer}
          state={talk?.does ?? 'idle'}
          analyser={talk?.analyser}
          nods={talk?.nods}
          name={data.name}
        />
      )}
      <section class="live">
        {live && stream ? (
          <>
            <AvatarTurns turns={turns} name={data.name} texts={texts} />
            <TalkControls texts={texts} talk={live} stream={stream} turn={attempt.turn} onTalk={setTalk} />
            <div class="buttons quiet">
              <button type="button" class="plain" onClick={() => void live.lower('type').then(() => leave())}>
                {texts('type_instead')}
              </button>
            </div>
          </>
        ) : (
          <>
            {(whyLeft === 'trouble' || whyLeft === 'limited') && (
              <p class="note" role="status">
                {texts(whyLeft === 'trouble' ? 'avatar_silent' : 'avatar_unavailable')}
              </p>
            )}
            {problem && (
              <p class="error" role="alert">
                {texts(problem)}
              </p>
            )}
            <p class={isElsewhere ? 'note' : ''} role="status">
              {texts(isElsewhere ? 'live_elsewhere' : 'avatar_talk')}
            </p>
            <div class="buttons">
              <button type="button" class="plain" disabled={isStarting} onClick={() => void start()}>
                {texts(isElsewhere ? 'live_here' : 'live_start')}
              </button>
            </div>
          </>
        )}
      </section>
    </>
  );
}
