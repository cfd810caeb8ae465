/**
 * The blocks of a report as tiles, each as wide as its block. Tiles are selected, moved and resized by dragging,
 * buttons or keys.
 */
'use strict';
(() => {
  const own = (globalThis.reportBuilder ??= {});
  const { h } = globalThis.preact;
  const { Button, nameOf, titleOf } = own;

  function Tile({ block, at, isSelected, problems, onPress, onSelect, onKey }) {
    return h(
      'li',
      {
        class: `tile w-${own.widthOf(block)}${isSelected ? ' selected' : ''}`,
        'data-at': at,
        onPointerDown: (event) => onPress(event, at),
        onTouchMove: own.holdPage,
        onContextMenu: own.holdPage,
      },
      h(
        'button',
        {
          type: 'button',
          class: 'tile-name',
          'aria-pressed': String(isSelected),
          'aria-describedby': 'tile-keys',
          onClick: () => onSelect(at),
          onKeyDown: (event) => onKey(event, at),
        },
        h('span', { class: 'tile-title' }, titleOf(block)),
        h('span', { class: 'soft small' }, `${nameOf(String(block.type))}, ${own.widthOf(block)} of 12`),
        problems > 0 &&
          h('span', { class: 'badge bad' }, problems === 1 ? '1 problem' : `${problems} problems`),
      ),
      h('span', { class: 'tile-edge' }),
    );
  }

  /**
   * `onEdit` gets a function that changes the definition, the index of the block to select, and the sentence to
   * announce. For a drag, it also gets a name: all changes with the same name are undone together. `blockNow` returns
   * the block at an index in the current definition, which can change while a tile is dragged.
   */
  own.Tiles = ({ definition, selected, problems, catalog, blockNow, onSelect, onEdit }) => {
    const blocks = own.blocksOf(definition);
    const move = (from, to) => {
      const place = Math.min(blocks.length - 1, Math.max(0, to));
      if (place !== from)
        onEdit(
          (each) => own.moveBlock(each, from, place),
          place,
          `${titleOf(blocks[from])} is now block ${place + 1} of ${blocks.length}.`,
        );
    };
    const resizeTo = (at, wish, what) => {
      const width = Math.min(own.maxWidth, Math.max(1, wish));
      onEdit(
        (each) => own.resizeBlock(each, at, width),
        at,
        `${titleOf(blocks[at])} is ${width} of 12 columns wide.`,
        what,
      );
    };
    const resize = (at, by) => resizeTo(at, own.widthOf(blocks[at]) + by);
    const onPress = (event, at) => {
      const { width } = blocks[at];
      let expected = JSON.stringify(blocks[at]);
      own.pressTile(event, {
        width: own.widthOf(blocks[at]),
        isUnchanged: () => JSON.stringify(blockNow(at)) === expected,
        move: (to) => move(at, to),
        resize: (next, what) => {
          resizeTo(at, next, what);
          expected = JSON.stringify(blockNow(at));
        },
        restore: (what) =>
          onEdit(
            (each) => own.changeBlock(each, at, { width }),
            at,
            `${titleOf(blocks[at])} has its old width.`,
            what,
          ),
      });
    };
    const onKey = (event, at) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      // Moving a tile within the page takes the focus away from it, so the builder focuses the selected tile again.
      own.focusTile = true;
      if (event.altKey) move(at, at + step);
      else if (event.shiftKey) resize(at, step);
      else onSelect(Math.min(blocks.length - 1, Math.max(0, at + step)));
    };
    const isFull = blocks.length >= catalog.limits.max_blocks;
    const chosen = blocks[selected];
    return [
      h(
        'ol',
        { class: 'tiles', 'aria-label': 'Blocks' },
        blocks.map((block, at) =>
          h(Tile, {
            key: String(block.id ?? at),
            block,
            at,
            isSelected: at === selected,
            problems: problems.get(block.id) ?? 0,
            onPress,
            onSelect,
            onKey,
          }),
        ),
      ),
      h(
        'p',
        { class: 'soft small', id: 'tile-keys' },
        'Drag a block to move it, or its right edge to change its width. On a touch screen, hold it before you move it. Arrow keys select a block. With Alt they move it, with Shift they change its width.',
      ),
      chosen &&
        h(
          'div',
          { class: 'acts-row', role: 'group', 'aria-label': `Block ${titleOf(chosen)}` },
          h(Button, {
            label: 'Move up',
            isDisabled: selected === 0,
            onPress: () => move(selected, selected - 1),
          }),
          h(Button, {
            label: 'Move down',
            isDisabled: selected === blocks.length - 1,
            onPress: () => move(selected, selected + 1),
          }),
          h(Button, {
            label: 'Narrower',
            isDisabled: own.widthOf(chosen) <= 1,
            onPress: () => resize(selected, -1),
          }),
          h(Button, {
            label: 'Wider',
            isDisabled: own.widthOf(chosen) >= own.maxWidth,
            onPress: () => resize(selected, 1),
          }),
          h(Button, {
            label: 'Duplicate',
            isDisabled: isFull,
            onPress: () =>
              onEdit(
                (each) => own.duplicateBlock(each, selected),
                selected + 1,
                `${titleOf(chosen)} was duplicated.`,
              ),
          }),
          h(Button, {
            label: 'Delete',
            isDisabled: blocks.length === 1,
            onPress: () =>
              onEdit(
                (each) => own.removeBlock(each, selected),
                Math.max(0, selected - 1),
                `${titleOf(chosen)} was deleted.`,
              ),
          }),
        ),
      h(
        'div',
        { class: 'acts-row', role: 'group', 'aria-label': 'Add a block' },
        h('span', { class: 'soft' }, 'Add:'),
        catalog.block_types.map((type) =>
          h(Button, {
            label: nameOf(type),
            what: 'add block',
            isDisabled: isFull,
            onPress: () =>
              onEdit(
                (each) => own.addBlock(each, type, catalog),
                blocks.length,
                `A block was added: ${nameOf(type)}.`,
              ),
          }),
        ),
      ),
    ];
  };
})();
