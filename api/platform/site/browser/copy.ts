/* Copies the text or the field next to a copy button. The buttons are hidden if this script does not run. */

// Browsers offer the clipboard only to pages that are loaded over https or from localhost.
if ('clipboard' in navigator) {
  document.documentElement.classList.add('can-copy');
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('[data-copy]');
    const source = button && button.closest('.copyable')?.querySelector('input, pre, code');
    if (button && source) void copy(source, button);
  });
}

async function copy(source: Element, button: Element): Promise<void> {
  await navigator.clipboard.writeText(source instanceof HTMLInputElement ? source.value : source.textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2000);
}
