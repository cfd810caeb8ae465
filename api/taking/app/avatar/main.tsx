import { render } from 'preact';
import { textReader } from '../../../platform/text/text-reader';
import type { AvatarData } from '../../avatar/avatar-data';
import { createDevices } from '../devices';
import { canTalk } from '../live/live-step';
import { AvatarTalk } from './avatar-talk';

/* Lets visitors of a public avatar talk, where the browser can. The server's page stays as it is for those who type. */

const data = JSON.parse(document.querySelector('#data')?.textContent ?? 'null') as AvatarData | null;
const root = document.querySelector('#talk');
const typed = document.querySelector<HTMLElement>('#typed');
if (data && root && typed && canTalk()) {
  const texts = textReader(data.texts, data.language);
  render(<AvatarTalk data={data} texts={texts} devices={createDevices('audio')} typed={typed} />, root);
}
