import type { LanguageCode } from '../../../db/platform/vocabulary';
import type { AvatarPage } from '../../../db/taking/visits';
import { readScript } from '../../platform/site/assets';
import { conversationScript, earScript, figureScript } from '../pages/app-data';
import type { InterviewerData, LiveData } from '../pages/app-data';
import { takingTextTable } from '../texts';
import type { TakingText } from '../texts';
import type { AvatarVisit } from './avatar-visit';

/** The script with which visitors talk (api/taking/app/avatar). */
export const avatarScript = readScript('avatar.js');

/** What this script gets from the server, as JSON in the page. */
export type AvatarData = {
  /** The path of the page, with a slash at its end. */
  path: string;
  name: string;
  language: LanguageCode;
  texts: Record<TakingText, string>;
  turns: AvatarPage['turns'];
  interviewer: InterviewerData | null;
  live: LiveData;
};

/** Returns the data with which a visitor can talk. */
export const avatarData = ({ path, page }: AvatarVisit, liveOrigin: string): AvatarData => ({
  path,
  name: page.name,
  language: page.platform_language_code,
  texts: takingTextTable(page.platform_language_code, false),
  turns: page.turns,
  interviewer: page.template_type && { template: page.template_type, script: figureScript.place },
  live: { url: liveOrigin, script: conversationScript.place, ear: earScript.place },
});
