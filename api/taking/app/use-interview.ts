import type { AppData } from '../pages/app-data';
import type { TakingTexts } from '../texts';
import type { Devices } from './devices';
import type { Interview } from './interview';
import type { KeptRecordings } from './kept-recording';
import type { LiveStep } from './live/live-step';
import type { Portal } from './portal-client';
import type { SessionRecording } from './session';

/** The props that most components of the app need. */
export type AppProps = {
  data: AppData;
  texts: TakingTexts;
  portal: Portal;
  kept: KeptRecordings;
  interview: Interview;
  devices: Devices;
  session: SessionRecording;
  live: LiveStep;
};
