/*
 * Moves and removes the entries of a list (api/platform/site/reorder.tsx) in the page. The order is sent with the form
 * that contains the list.
 */

const entryOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-reorder] > li') : null;

document.documentElement.classList.add('can-drag');

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest<HTMLButtonElement>('[name=change]');
  const entry = entryOf(event.target);
  if (!button || !entry) return;
  event.preventDefault();
  const { previousElementSibling: before, nextElementSibling: after } = entry;
  const [verb] = button.value.split(' ');
  if (verb === 'up') before?.before(entry);
  if (verb === 'down') after?.after(entry);
  if (verb === 'remove') entry.remove();
  // The first entry hides its button Up and the last one Down, and a hidden button loses the focus.
  const row = verb === 'remove' ? (after ?? before) : entry;
  const buttons = [...(row?.querySelectorAll<HTMLElement>('[name=change]') ?? [])].filter(
    (each) => getComputedStyle(each).visibility !== 'hidden',
  );
  (buttons.find((each) => each === button) ?? buttons[0])?.focus();
});

document.addEventListener('pointerdown', (press) => {
  const grip = press.target instanceof Element && press.target.closest('.grip');
  const entry = entryOf(press.target);
  if (!grip || !entry?.parentElement || !press.isPrimary || press.button !== 0) return;
  press.preventDefault();
  const list = entry.parentElement;
  const next = entry.nextElementSibling;
  const ending = new AbortController();
  const { signal } = ending;
  entry.classList.add('dragged');
  const end = () => {
    ending.abort();
    entry.classList.remove('dragged');
  };
  const cancel = () => {
    list.insertBefore(entry, next);
    end();
  };
  const follow = ({ clientY }: PointerEvent) => {
    for (const other of list.children) {
      const { top, height } = other.getBoundingClientRect();
      if (other === entry || clientY < top || clientY > top + height) continue;
      if (clientY < top + height / 2) other.before(entry);
      else other.after(entry);
      return;
    }
  };
  document.addEventListener('pointermove', follow, { signal });
  document.addEventListener('pointerup', end, { signal });
  document.addEventListener('pointercancel', cancel, { signal });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && cancel(), { signal });
});
