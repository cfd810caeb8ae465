/** Lets the key `/` move the focus to the search box, unless the reader is typing. */
export function focusSearch(event: KeyboardEvent): void {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { target } = event;
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, select, textarea'));
  const box = document.querySelector<HTMLInputElement>('[data-search]');
  if (isTyping || !box || document.querySelector('dialog:modal')) return;
  event.preventDefault();
  box.focus();
  box.select();
}
