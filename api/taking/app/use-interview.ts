import { useEffect, useState } from 'preact/hooks';
import type { AppData } from '../pages/app-data';
import type { TakingTexts } from '../texts';
import type { Interview } from './interview';
import type { InterviewState } from './interview-state';

/** What most components of the app need. */
export type AppProps = { data: AppData; texts: TakingTexts; interview: Interview };

/** Returns the state of the attempt, and draws again after each change. */
export function useInterview(interview: Interview): InterviewState {
  const [, redraw] = useState({});
  useEffect(() => interview.subscribe(() => redraw({})), [interview]);
  return interview.state;
}
