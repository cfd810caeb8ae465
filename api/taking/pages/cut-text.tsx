import type { VNode } from 'preact';
import type { TakingTexts } from '../texts';

/** Says that a page shows only the beginning of a text, if it is longer than `max` characters. */
export const CutTextNote = (props: {
  texts: TakingTexts;
  text: string | undefined;
  max: number;
}): VNode | null =>
  (props.text?.length ?? 0) > props.max ? <p class="soft small">{props.texts('cut')}</p> : null;
