/** Copies the text or the field beside a copy button. Without this script the buttons are hidden. */
'use strict';
(() => {
  // Browsers offer the clipboard only to pages over https or on localhost.
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
