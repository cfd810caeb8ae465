import { render } from 'preact';
import type { AppData } from '../pages/app-data';
import { textReader } from '../../platform/text/text-reader';
import type { TextTable } from '../../platform/text/text-reader';
import type { TakingText } from '../texts';
import { App } from './app';
import { createInterview } from './interview';
import type { Unsent } from './interview';
import { createPortal } from './portal';

/* Takes over the page of the server: reads its data and draws the same elements, which it then keeps up to date. */

const root = document.querySelector('#app');
const data = JSON.parse(document.querySelector('#data')?.textContent ?? 'null') as AppData | null;

if (root && data?.attempt) {
  const texts = textReader({ [data.language]: data.texts } as TextTable<TakingText>, data.language);
  const portal = createPortal(data);
  const interview = createInterview({ ...data, attempt: data.attempt }, portal, (unsent) =>
    unsent ? sendForm(data, unsent) : location.replace(data.address),
  );
  render(<App data={data} texts={texts} interview={interview} />, root);
}

/** Sends an answer as the form of the server's page does. The next page says why it was not stored, and shows it again. */
function sendForm({ answerAddress, enrolmentId }: AppData, { turn_id, text }: Unsent): void {
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
