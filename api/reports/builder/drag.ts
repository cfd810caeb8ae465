import { maxWidth } from '../language/limits';

/* Moves and resizes tiles with a mouse, a pen or a finger. */

/** What a drag of one block needs to know, and the changes it makes. */
type Handlers = {
  width: number;
  /** Returns false once something else has changed the block. The drag is then given up. */
  isUnchanged: () => boolean;
  /** Moves the block to the place of the block at this index. */
  move: (to: number) => void;
  /** Sets the width. All changes with the same name are undone together. */
  resize: (width: number, name: string) => void;
  /** Sets the width that the block had before the drag. */
  restore: (name: string) => void;
};
type Steps = {
  onMove: (event: PointerEvent, end: () => void) => void;
  onDrop?: () => void;
  onCancel?: () => void;
  onEnd?: () => void;
};

const minDistance = 5;
/**
 * A tile can be dragged with a finger after the finger has rested on it for this time. A finger that moves earlier
 * scrolls the page.
 */
const restMs = 300;
let isMoving = false;
let resizings = 0;

/**
 * Calls these functions for the events of one pointer, until the pointer is released or Escape is pressed. If the
 * block has changed meanwhile, the drag ends without a call of `onMove`, `onDrop` or `onCancel`.
 */
function follow(
  { pointerId }: PointerEvent,
  { isUnchanged }: Handlers,
  { onMove, onDrop, onCancel, onEnd }: Steps,
): void {
  const ending = new AbortController();
  const { signal } = ending;
  const end = () => {
    ending.abort();
    onEnd?.();
  };
  const finish = (last: Steps['onDrop']) => {
    if (isUnchanged()) last?.();
    end();
  };
  const listen = (
    name: 'pointermove' | 'pointerup' | 'pointercancel',
    handle: (event: PointerEvent) => void,
  ) => document.addEventListener(name, (event) => event.pointerId === pointerId && handle(event), { signal });
  listen('pointermove', (event) => (isUnchanged() ? onMove(event, end) : end()));
  listen('pointerup', () => finish(onDrop));
  listen('pointercancel', () => finish(onCancel));
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && finish(onCancel), { signal });
}

function startResize(press: PointerEvent, tile: HTMLElement, handlers: Handlers): void {
  const tiles = tile.parentElement ?? tile;
  const gap = parseFloat(getComputedStyle(tiles).columnGap) || 0;
  const column = (tiles.getBoundingClientRect().width + gap) / maxWidth;
  const { left } = tile.getBoundingClientRect();
  const name = `resize ${(resizings += 1)}`;
  let current = handlers.width;
  follow(press, handlers, {
    onMove: ({ clientX }) => {
      const next = Math.min(maxWidth, Math.max(1, Math.round((clientX - left) / column)));
      if (next === current) return;
      current = next;
      handlers.resize(next, name);
    },
    onCancel: () => current !== handlers.width && handlers.restore(name),
  });
}

function startMove(press: PointerEvent, tile: HTMLElement, handlers: Handlers): void {
  const { clientX, clientY } = press;
  const isTouch = press.pointerType === 'touch';
  let over: HTMLElement | null = null;
  const mark = (next: HTMLElement | null) => {
    over?.classList.remove('drop-here');
    over = next === tile ? null : next;
    over?.classList.add('drop-here');
  };
  const begin = () => {
    isMoving = true;
    tile.classList.add('dragged');
  };
  const timer = isTouch ? setTimeout(begin, restMs) : undefined;
  follow(press, handlers, {
    onMove: (moved, end) => {
      const isFar = Math.hypot(moved.clientX - clientX, moved.clientY - clientY) >= minDistance;
      if (!isMoving && isFar) {
        if (isTouch) return end();
        begin();
      }
      if (isMoving)
        mark(document.elementFromPoint(moved.clientX, moved.clientY)?.closest<HTMLElement>('.tile') ?? null);
    },
    onDrop: () => over && handlers.move(Number(over.dataset['at'])),
    onEnd: () => {
      clearTimeout(timer);
      isMoving = false;
      mark(null);
      tile.classList.remove('dragged');
    },
  });
}

/**
 * Handles a pointer that was pressed on a tile. Dragging the tile's right edge resizes its block. Dragging it elsewhere
 * moves the block to the place of the tile on which it is dropped.
 */
export function pressTile(press: PointerEvent, handlers: Handlers): void {
  const { currentTarget: tile, target } = press;
  if (!press.isPrimary || press.button !== 0) return;
  if (!(tile instanceof HTMLElement && target instanceof Element)) return;
  if (target.closest('.tile-edge')) startResize(press, tile, handlers);
  else startMove(press, tile, handlers);
}

/** Keeps the page from scrolling, and its menu from opening, while a finger moves a tile. */
export function preventScrolling(event: Event): void {
  if (isMoving && event.cancelable) event.preventDefault();
}
