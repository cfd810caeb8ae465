import { useEffect, useRef } from 'preact/hooks';
import type { AppData } from '../pages/app-data';
import type { TakingTexts } from '../texts';
import type { Devices } from './devices';
import type { Interview } from './interview';
import type { KeptRecordings } from './kept-recording';
import type { Portal } from './portal';
import type { Session } from './session';

/** The props that most components of the app need. */
export type AppProps = {
  data: AppData;
  texts: TakingTexts;
  portal: Portal;
  kept: KeptRecordings;
  interview: Interview;
  devices: Devices;
  session: Session;
};

/** Calls `onOver` once when the time of the attempt is over and no answer is being sent, while `isActive` is true. */
export function useDeadline(interview: Interview, isActive: boolean, onOver: () => void): void {
  const latest = useRef(onOver);
  latest.current = onOver;
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setInterval(() => {
      if (interview.remainingMs() > 0 || interview.state.sending) return;
      clearInterval(timer);
      latest.current();
    }, 500);
    return () => clearInterval(timer);
  }, [interview, isActive]);
}
