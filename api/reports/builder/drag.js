/** Moves and resizes tiles with a mouse, a pen or a finger. */
'use strict';
(() => {
  const own = (globalThis.reportBuilder ??= {});
  const minDistance = 5;
  /**
   * A tile can be dragged with a finger after the finger has rested on it for this time. A finger that moves earlier
   * scrolls the page.
   */
  const restMs = 300;
  let isMoving = false;
  let resizings = 0;

  /**
   * Calls the handlers below for the events of one pointer, until the pointer is released or Escape is pressed. If
   * the block has changed meanwhile, the drag ends without a call of `onMove`, `onDrop` or `onCancel`.
   */
  function follow(
    { pointerId },
    { isUnchanged, onMove, onDrop = () => {}, onCancel = () => {}, onEnd = () => {} },
  ) {
    const ending = new AbortController();
    const { signal } = ending;
    const end = () => {
      ending.abort();
      onEnd();
    };
    const finish = (last) => {
      if (isUnchanged()) last();
      end();
    };
    const listen = (name, handle) =>
      document.addEventListener(name, (event) => event.pointerId === pointerId && handle(event), { signal });
    listen('pointermove', (event) => (isUnchanged() ? onMove(event) : end()));
    listen('pointerup', () => finish(onDrop));
    listen('pointercancel', () => finish(onCancel));
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && finish(onCancel), { signal });
    return end;
  }

  function startResize(event, { width, isUnchanged, resize, restore }) {
    const tile = event.currentTarget;
    const gap = parseFloat(getComputedStyle(tile.parentElement).columnGap) || 0;
    const column = (tile.parentElement.getBoundingClientRect().width + gap) / own.maxWidth;
    const { left } = tile.getBoundingClientRect();
    // All width changes of one drag are undone together, because they have the same name.
    const what = `resize ${(resizings += 1)}`;
    let current = width;
    follow(event, {
      isUnchanged,
      onMove: ({ clientX }) => {
        const next = Math.min(own.maxWidth, Math.max(1, Math.round((clientX - left) / column)));
        if (next === current) return;
        current = next;
        resize(next, what);
      },
      onCancel: () => current !== width && restore(what),
    });
  }

  function startMove(event, { isUnchanged, move }) {
    const { clientX, clientY, currentTarget: tile } = event;
    const isTouch = event.pointerType === 'touch';
    let over;
    const mark = (next) => {
      over?.classList.remove('drop-here');
      over = next === tile ? undefined : next;
      over?.classList.add('drop-here');
    };
    const begin = () => {
      isMoving = true;
      tile.classList.add('dragged');
    };
    const timer = isTouch ? setTimeout(begin, restMs) : undefined;
    const end = follow(event, {
      isUnchanged,
      onMove: (moved) => {
        const isFar = Math.hypot(moved.clientX - clientX, moved.clientY - clientY) >= minDistance;
        if (!isMoving && isFar) {
          if (isTouch) return end();
          begin();
        }
        if (isMoving)
          mark(document.elementFromPoint(moved.clientX, moved.clientY)?.closest('.tile') ?? undefined);
      },
      onDrop: () => over && move(Number(over.dataset.at)),
      onEnd: () => {
        clearTimeout(timer);
        isMoving = false;
        mark(undefined);
        tile.classList.remove('dragged');
      },
    });
  }

  /**
   * Handles a pointer that was pressed on a tile. At the tile's right edge, dragging calls `resize` with each new
   * width and a name for this drag, and a canceled drag calls `restore` with that name. Elsewhere, a drop on another
   * tile calls `move` with the index of that tile. The drag is given up once `isUnchanged` returns false.
   */
  own.pressTile = (event, handlers) => {
    if (!event.isPrimary || event.button !== 0) return;
    if (event.target.closest('.tile-edge')) startResize(event, handlers);
    else startMove(event, handlers);
  };

  /** Keeps the page from scrolling, and its menu from opening, while a finger moves a tile. */
  own.holdPage = (event) => {
    if (isMoving && event.cancelable) event.preventDefault();
  };
})();
