import type { ComponentChildren, VNode } from 'preact';
import { sentText } from './site';
import type { RequestData } from './site';

/**
 * A list inside a form whose order is changed with the mouse, a finger or buttons. Each entry contains fields, such as
 * `Hidden`, so the form sends the entries in their order, and nothing is stored until then. Without scripts, a button sends
 * the form with the change that `reordered` applies. The page lists `reorderScript` in its `scripts`.
 */
export const Reorder = (props: {
  label: string;
  entries: readonly { name: string; content: ComponentChildren }[];
  canRemove?: boolean;
}): VNode => (
  <>
    {/* The first button of a form is the one that Enter presses. It must not move anything. */}
    <button class="skip" tabindex={-1} aria-hidden="true" />
    <ol class="reorder" data-reorder aria-label={props.label}>
      {props.entries.map(({ name, content }, index) => (
        <li>
          <span class="grip" aria-hidden="true" title="Drag to move" />
          <div>{content}</div>
          <span class="reorder-acts">
            <Change change={`up ${index}`} label="Up" name={name} />
            <Change change={`down ${index}`} label="Down" name={name} />
            {props.canRemove && <Change change={`remove ${index}`} label="Remove" name={name} />}
          </span>
        </li>
      ))}
    </ol>
  </>
);

const Change = ({ change, label, name }: { change: string; label: string; name: string }): VNode => (
  <button class="plain" name="change" value={change} formnovalidate aria-label={`${label}: ${name}`}>
    {label}
  </button>
);

/** Applies the button of a `Reorder` with which a form was sent. Returns undefined if it was sent with another button. */
export function reordered<Entry>(
  entries: readonly Entry[],
  sent: Pick<RequestData, 'form'>,
): readonly Entry[] | undefined {
  const [, verb, place] = /^(up|down|remove) (\d{1,3})$/.exec(sentText(sent, 'change')) ?? [];
  if (verb === undefined) return undefined;
  const from = Number(place);
  const entry = entries[from];
  if (entry === undefined) return entries;
  const others = entries.toSpliced(from, 1);
  return verb === 'remove'
    ? others
    : others.toSpliced(Math.max(0, from + (verb === 'up' ? -1 : 1)), 0, entry);
}
