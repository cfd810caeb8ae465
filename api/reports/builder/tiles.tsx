import type { VNode } from 'preact';
import { maxWidth } from '../language/limits';
import { blockAt, catalog, changeState, editDefinition, builderState } from './builder-state';
import type { DefinitionChange } from './builder-state';
import { Button, labelOfId } from './controls';
import { preventScrolling, pressTile } from './drag';
import {
  blocksOf,
  changeBlock,
  duplicateBlock,
  moveBlock,
  removeBlock,
  resizeBlock,
  titleOf,
  widthOf,
  toWord,
} from './edits';
import type { BlockDraft } from './edits';
import { addBlock } from './fit-block';

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const help =
  'Drag a block to move it, or its right edge to change its width. On a touch screen, hold it before you move it. Arrow keys select a block. With Alt they move it, with Shift they change its width.';

/**
 * The blocks of a report as tiles, each as wide as its block. Tiles are selected, moved and resized by dragging,
 * buttons or keys.
 */
export function Tiles(): VNode {
  const { definition, selected, problems } = builderState;
  const blocks = blocksOf(definition);
  const apply = (change: DefinitionChange, at: number, message: string, name?: string) =>
    editDefinition(change, name, { selected: at, message });
  const within = (at: number) => Math.min(blocks.length - 1, Math.max(0, at));
  const move = (block: BlockDraft, from: number, to: number) => {
    const text = `${titleOf(block)} is now block ${within(to) + 1} of ${blocks.length}.`;
    if (within(to) !== from) apply((each) => moveBlock(each, from, to), within(to), text);
  };
  const resize = (block: BlockDraft, at: number, wish: number, name?: string) => {
    const width = Math.min(maxWidth, Math.max(1, wish));
    const text = `${titleOf(block)} is ${width} of ${maxWidth} columns wide.`;
    apply((each) => resizeBlock(each, at, width), at, text, name);
  };
  const press = (event: PointerEvent, block: BlockDraft, at: number) => {
    let expected = JSON.stringify(block);
    pressTile(event, {
      width: widthOf(block),
      isUnchanged: () => JSON.stringify(blockAt(at)) === expected,
      move: (to) => move(block, at, to),
      resize: (width, name) => {
        resize(block, at, width, name);
        expected = JSON.stringify(blockAt(at));
      },
      restore: (name) => {
        const text = `${titleOf(block)} has its old width.`;
        apply((each) => changeBlock(each, at, { width: block.width }), at, text, name);
      },
    });
  };
  const pressKey = (event: KeyboardEvent, block: BlockDraft, at: number) => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const resizes = event.shiftKey && !event.altKey;
    if (event.altKey) move(block, at, at + step);
    else if (resizes) resize(block, at, widthOf(block) + step);
    // Moving a tile within the page takes the focus away from it, so it gets the focus again.
    changeState({ selected: resizes ? at : within(at + step) });
    document.querySelector<HTMLElement>('.tile.selected .tile-name')?.focus();
  };
  const tile = (block: BlockDraft, at: number) => {
    const count = problems.get(block.id ?? '') ?? 0;
    return (
      <li
        key={String(block.id ?? at)}
        class={`tile w-${widthOf(block)}${at === selected ? ' selected' : ''}`}
        data-at={at}
        onPointerDown={(event) => press(event, block, at)}
        onTouchMove={preventScrolling}
        onContextMenu={preventScrolling}
      >
        <button
          type="button"
          class="tile-name"
          aria-pressed={at === selected}
          aria-describedby="tile-keys"
          onClick={() => changeState({ selected: at })}
          onKeyDown={(event) => pressKey(event, block, at)}
        >
          <span class="tile-title">{titleOf(block)}</span>
          <span class="soft small">{`${labelOfId(toWord(block.type))}, ${widthOf(block)} of ${maxWidth}`}</span>
          {count > 0 && <span class="badge bad">{`${count} ${count === 1 ? 'problem' : 'problems'}`}</span>}
        </button>
        <span class="tile-edge" />
      </li>
    );
  };
  const isFull = blocks.length >= catalog.limits.max_blocks;
  const chosen = blocks[selected];
  return (
    <>
      <ol class="tiles" aria-label="Blocks">
        {blocks.map(tile)}
      </ol>
      <p class="soft small" id="tile-keys">
        {help}
      </p>
      {chosen && (
        <div class="acts-row" role="group" aria-label={`Block ${titleOf(chosen)}`}>
          {actsOf(chosen).map(([label, isDisabled, onPress]) => (
            <Button label={label} isDisabled={isDisabled} onPress={onPress} />
          ))}
        </div>
      )}
      <div class="acts-row" role="group" aria-label="Add a block">
        <span class="soft">Add:</span>
        {catalog.block_types.map((type) => (
          <Button label={labelOfId(type)} what="add block" isDisabled={isFull} onPress={() => add(type)} />
        ))}
      </div>
    </>
  );

  function add(type: string): void {
    const text = `A block was added: ${labelOfId(type)}.`;
    apply((each) => addBlock(each, type, catalog), blocks.length, text);
  }

  /** The buttons of the selected block: their labels, whether they are disabled, and what they do. */
  function actsOf(block: BlockDraft): [string, boolean, () => void][] {
    const [title, width, previous] = [titleOf(block), widthOf(block), Math.max(0, selected - 1)];
    const duplicate = () =>
      apply((each) => duplicateBlock(each, selected), selected + 1, `${title} was duplicated.`);
    const remove = () => apply((each) => removeBlock(each, selected), previous, `${title} was deleted.`);
    return [
      ['Move up', selected === 0, () => move(block, selected, selected - 1)],
      ['Move down', selected === blocks.length - 1, () => move(block, selected, selected + 1)],
      ['Narrower', width <= 1, () => resize(block, selected, width - 1)],
      ['Wider', width >= maxWidth, () => resize(block, selected, width + 1)],
      ['Duplicate', isFull, duplicate],
      ['Delete', blocks.length === 1, remove],
    ];
  }
}
