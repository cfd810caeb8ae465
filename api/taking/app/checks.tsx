import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { TakingText, TakingTexts } from '../texts';
import type { Portal } from './portal-client';

/* The checks that a candidate can run under "Having trouble?". */

type Outcome = Extract<TakingText, 'check_works' | 'check_slow' | 'check_fails' | 'check_running'>;
type Check = { label: TakingText; run: () => Promise<Outcome> };

const slowMs = 2_000;

async function openDevice(constraints: MediaStreamConstraints): Promise<Outcome> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia(constraints);
    for (const track of stream.getTracks()) track.stop();
    return 'check_works';
  } catch {
    return 'check_fails';
  }
}

/**
 * Returns the outcome of three calls. The slowest one decides, because most trouble comes from an unsteady
 * connection.
 */
async function callServer(portal: Portal): Promise<Outcome> {
  let slowest = 0;
  for (let count = 0; count < 3; count += 1) {
    const startedAt = performance.now();
    const reply = await portal.call('attempt-get');
    if (reply.kind === 'away') return 'check_fails';
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  return slowest > slowMs ? 'check_slow' : 'check_works';
}

type Props = { texts: TakingTexts; portal: Portal; recording: 'audio' | 'video' | null };

/** Checks the microphone, the camera and the connection, one after the other, when the candidate presses a button. */
export function PracticeChecks({ texts, portal, recording }: Props): VNode {
  const [outcomes, setOutcomes] = useState<Partial<Record<TakingText, Outcome>>>({});
  const checks: Check[] = [
    ...(recording ? [{ label: 'microphone' as const, run: () => openDevice({ audio: true }) }] : []),
    ...(recording === 'video' ? [{ label: 'camera' as const, run: () => openDevice({ video: true }) }] : []),
    { label: 'connection', run: () => callServer(portal) },
  ];
  const isRunning = Object.values(outcomes).includes('check_running');
  const runAll = async () => {
    for (const { label, run } of checks) {
      setOutcomes((before) => ({ ...before, [label]: 'check_running' as const }));
      const outcome = await run();
      setOutcomes((before) => ({ ...before, [label]: outcome }));
    }
  };
  const failed = checks.find(({ label }) => outcomes[label] === 'check_fails')?.label;
  return (
    <>
      <button type="button" class="plain" disabled={isRunning} onClick={() => void runAll()}>
        {texts('devices_start')}
      </button>
      <ul class="checks" role="status">
        {checks.map(({ label }) => {
          const outcome = outcomes[label];
          return (
            outcome && (
              <li class={outcome}>
                {texts(label)}: <strong>{texts(outcome)}</strong>
              </li>
            )
          );
        })}
      </ul>
      {failed && <p class="note">{texts(failed === 'connection' ? 'check_connection' : 'denied')}</p>}
    </>
  );
}
