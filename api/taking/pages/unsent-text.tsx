import type { VNode } from 'preact';
import type { TakingTexts } from '../texts';
import { maxAnswerCharacters } from './answer-field';
import { CutTextNote } from './cut-text';

/** Shows texts that the candidate sent and that were not stored. */
export const UnsentText = ({ texts, unsent }: { texts: TakingTexts; unsent: readonly string[] }): VNode => (
  <div class="unsent" role="alert">
    <p>{texts('not_stored')}</p>
    {unsent.map((text) => (
      <>
        <p class="said" dir="auto">
          {text.slice(0, maxAnswerCharacters)}
        </p>
        <CutTextNote texts={texts} text={text} max={maxAnswerCharacters} />
      </>
    ))}
  </div>
);
