import type { VNode } from 'preact';
import type { AvatarPage } from '../../../db/taking/visits';
import type { TakingTexts } from '../texts';

/** What the avatar said and the visitor asked. The server's page and the script that talks show the same elements. */
export const AvatarTurns = ({
  turns,
  name,
  texts,
}: {
  turns: AvatarPage['turns'];
  name: string;
  texts: TakingTexts;
}): VNode => (
  <ol class="talk">
    {turns.map(({ text, question }) => (
      <>
        <li>
          <bdi class="unseen">{name}</bdi>
          <p dir="auto">{text}</p>
        </li>
        {question !== null && (
          <li class="asked">
            <span class="unseen">{texts('avatar_question')}</span>
            <p dir="auto">{question}</p>
          </li>
        )}
      </>
    ))}
  </ol>
);
