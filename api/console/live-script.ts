/**
 * `/console/assets/live.js`: every two seconds, while the tab is shown, the page is fetched again and what its `data-live`
 * elements hold is put in place of what they held. Focus and open details stay. Pages work without it.
 */
export const liveScript = `'use strict';
(() => {
  const everyMs = 2000;
  const served = new Map();
  const live = () => [...document.querySelectorAll('[data-live][id]')];
  for (const part of live()) served.set(part.id, part.innerHTML);

  // Where the focus is: the id nearest around it, and the place among those in there that take it.
  const takers = (part) => [...part.querySelectorAll('a, button, input, select, textarea, summary')];
  function replace(part, markup) {
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const anchor = focused?.closest('[id]');
    const place = anchor ? takers(anchor).indexOf(focused) : -1;
    const open = [...part.querySelectorAll('details[id][open]')].map(({ id }) => id);
    part.innerHTML = markup;
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
    const again = anchor && document.getElementById(anchor.id);
    if (again) (place < 0 ? again : takers(again)[place])?.focus({ preventScroll: true });
  }

  async function refresh() {
    const parts = live();
    if (document.hidden || parts.length === 0) return;
    const response = await fetch(location.href, { headers: { 'x-console-live': '1' }, redirect: 'manual' });
    if (response.type === 'opaqueredirect' || response.status === 401) {
      location.reload();
      return;
    }
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of parts) {
      const markup = page.getElementById(part.id)?.innerHTML;
      if (markup === undefined || markup === served.get(part.id)) continue;
      served.set(part.id, markup);
      replace(part, markup);
    }
  }

  async function run() {
    // The server away for a moment is no reason to stop.
    await refresh().catch(() => undefined);
    setTimeout(run, everyMs);
  }
  if (live().length > 0) setTimeout(run, everyMs);
})();
`;
