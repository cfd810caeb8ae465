import type { VNode } from 'preact';
import type { TakingTexts } from '../texts';

/** Shows a text that the candidate sent and that was not stored. */
export const UnsentText = ({ texts, unsent }: { texts: TakingTexts; unsent: string }): VNode => (
  <div class="unsent" role="alert">
    <p>{texts('not_stored')}</p>
    <p class="said" dir="auto">
      {unsent}
    </p>
  </div>
);
