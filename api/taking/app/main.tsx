import { render } from 'preact';
import type { VNode } from 'preact';
import { textReader } from '../../platform/text/text-reader';
import type { AppData } from '../pages/app-data';
import type { TakingTexts } from '../texts';
import { App } from './app';
import { PracticeChecks } from './checks';
import { createDevices } from './devices';
import { createInterview } from './interview';
import type { Interview, UnsentAnswer } from './interview';
import type { ShownAttempt } from './interview-state';
import { createKeptRecordings } from './kept-recording';
import { createLiveStep } from './live/live-step';
import { createPortal, pauseBeforeRetry } from './portal-client';
import { Practice } from './practice';
import { createSessionRecording } from './session';

/* Takes over the server's page: reads its data and renders the same elements, which the app then keeps up to date. */

const data = JSON.parse(document.querySelector('#data')?.textContent ?? 'null') as AppData | null;
if (data) {
  const texts = textReader(data.texts, data.language);
  if (data.attempt) startApp(data, data.attempt, texts);
  else startPractice(data, texts);
}

function startApp(data: AppData, attempt: ShownAttempt, texts: TakingTexts): void {
  const portal = createPortal(data);
  const session = createSessionRecording(data, portal);
  const devices = createDevices(data.recording ?? 'audio', {
    storageKey: `devices ${data.enrolmentId}`,
    onReady: (stream) => void session.start(stream),
  });
  const live = createLiveStep(data.live, `no-live ${data.enrolmentId} ${attempt.attempt}`);
  const leave = async (unsent: UnsentAnswer | undefined) => {
    await Promise.all([session.end(), Promise.race([live.settled(), pauseBeforeRetry(5)])]);
    if (unsent) sendForm(data, unsent);
    else location.replace(data.address);
  };
  const interview = createInterview({ ...data, attempt }, portal, (unsent) => void leave(unsent));
  addEventListener('pagehide', () => session.keep());
  // Closing the page would lose an answer that is being sent, so the browser asks the candidate first.
  addEventListener('beforeunload', (event) => {
    if (interview.state.sending) event.preventDefault();
  });
  const kept = createKeptRecordings(data.enrolmentId);
  const props = { data, texts, portal, kept, interview, devices, session, live };
  takeOver(attempt, interview, <App {...props} />);
  const checks = document.querySelector('#checks');
  if (checks) render(<PracticeChecks texts={texts} portal={portal} recording={data.recording} />, checks);
}

/** Replaces the server's elements with the same elements of the app. Keeps the focus and the text typed so far. */
function takeOver({ turn }: ShownAttempt, { drafts }: Interview, app: VNode): void {
  const root = document.querySelector('#app');
  if (!root) return;
  const field = root.querySelector('textarea');
  const isTyping = field !== null && document.activeElement === field;
  if (field && turn && field.value !== '') drafts.write(turn.turn_id, field.value);
  root.replaceChildren();
  render(app, root);
  root.querySelector<HTMLElement>(isTyping ? 'textarea' : 'h1')?.focus({ preventScroll: true });
}

function startPractice({ recording, isVideoRequired }: AppData, texts: TakingTexts): void {
  const root = document.querySelector('#practice');
  if (!root || !recording) return;
  const devices = createDevices(recording);
  render(<Practice texts={texts} devices={devices} isVideoRequired={isVideoRequired} />, root);
}

/**
 * Submits an answer with the same form as the server's page. The next page shows the text and says why it was not
 * stored.
 */
function sendForm({ answerAddress, enrolmentId }: AppData, { turn_id, text }: UnsentAnswer): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = answerAddress;
  for (const [name, value] of Object.entries({ for: enrolmentId, turn_id, text })) {
    const field = document.createElement('textarea');
    field.name = name;
    field.value = value;
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  form.submit();
}
