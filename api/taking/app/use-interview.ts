import { useEffect, useState } from 'preact/hooks';
import type { AppData } from '../pages/app-data';
import type { TakingTexts } from '../texts';
import type { Devices } from './devices';
import type { Interview } from './interview';
import type { InterviewState } from './interview-state';
import type { Portal } from './portal';
import type { Session } from './session';

/** What most components of the app need. */
export type AppProps = {
  data: AppData;
  texts: TakingTexts;
  portal: Portal;
  interview: Interview;
  devices: Devices;
  session: Session;
};

/** Returns the state of the attempt, and draws again after each change. */
export function useInterview(interview: Interview): InterviewState {
  const [, redraw] = useState({});
  useEffect(() => interview.subscribe(() => redraw({})), [interview]);
  return interview.state;
}
