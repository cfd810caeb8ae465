import type { VNode } from 'preact';
import type { TakingTexts } from '../texts';

/** Returns the part of a text of the candidate that a page shows again: at most `max` characters. */
export const cutText = (text: string, max: number): string => text.slice(0, max);

/** Says that a page shows only the beginning of a text, if it is longer than `max` characters. */
export const CutNote = (props: { texts: TakingTexts; text: string | undefined; max: number }): VNode | null =>
  (props.text?.length ?? 0) > props.max ? <p class="soft small">{props.texts('cut')}</p> : null;
