/** Copies the text or the field next to a copy button. The buttons are hidden if this script does not run. */
'use strict';
(() => {
  // Browsers offer the clipboard only to pages that are loaded over https or from localhost.
  if (!navigator.clipboard) return;
  document.documentElement.classList.add('can-copy');
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    const source = button?.closest('.copyable').querySelector('input, pre, code');
    if (!source) return;
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
})();
