'use strict';
(() => {
  const everyMs = 2000;
  const units = [
    ['d', 86400000],
    ['h', 3600000],
    ['min', 60000],
  ];
  const served = new Map();
  const live = () => [...document.querySelectorAll('[data-live][id]')];
  // A page that is the reply to a form has the address of the form, which cannot be requested with GET. Such a page
  // names the address to refresh from in `data-source`.
  const source = () => document.querySelector('main').dataset.source ?? location.href;
  for (const part of live()) served.set(part.id, part.innerHTML);

  // Uses the same words as `distance` in times.ts.
  function distance(ms) {
    const [name, unit] = units.find(([, least]) => Math.abs(ms) >= least) ?? ['', 0];
    if (unit === 0) return ms > 0 ? 'in less than a minute' : 'just now';
    const count = Math.round(Math.abs(ms) / unit);
    return ms > 0 ? 'in ' + count + ' ' + name : count + ' ' + name + ' ago';
  }
  function showDistances(now) {
    for (const each of document.querySelectorAll('[data-distance]')) {
      const text = distance(Date.parse(each.dataset.distance) - now);
      if (each.textContent !== text && !isSelected(each)) each.textContent = text;
    }
  }

  function isSelected(part) {
    const selection = getSelection();
    return selection.rangeCount > 0 && !selection.isCollapsed && selection.getRangeAt(0).intersectsNode(part);
  }

  // Rows and list items of the old and the new page are matched by an id or a link in them, all other nodes by their
  // position among nodes of their kind.
  function keyOf(node) {
    if (node.nodeType !== Node.ELEMENT_NODE) return String(node.nodeType);
    const isRow = node.tagName === 'TR' || node.tagName === 'LI';
    const inside = isRow ? node.querySelector('[id], a[href]') : null;
    return node.tagName + ' ' + (node.id || inside?.id || inside?.getAttribute('href') || '');
  }
  function patch(old, next) {
    if (old.isEqualNode(next)) return;
    if (old.nodeType !== Node.ELEMENT_NODE) {
      old.data = next.data;
      return;
    }
    // Keeps details and dialogs open or closed as the reader has left them.
    const isTheirs = (name) => name === 'open' && ['DETAILS', 'DIALOG'].includes(old.tagName);
    for (const name of old.getAttributeNames())
      if (!next.hasAttribute(name) && !isTheirs(name)) old.removeAttribute(name);
    for (const name of next.getAttributeNames())
      if (old.getAttribute(name) !== next.getAttribute(name) && !isTheirs(name))
        old.setAttribute(name, next.getAttribute(name));
    patchChildren(old, next);
  }
  function patchChildren(old, next) {
    const waiting = new Map();
    for (const node of old.childNodes) {
      const key = keyOf(node);
      if (waiting.has(key)) waiting.get(key).push(node);
      else waiting.set(key, [node]);
    }
    const pairs = [...next.childNodes].map((node) => [waiting.get(keyOf(node))?.shift(), node]);
    for (const node of [...waiting.values()].flat()) node.remove();
    let place = old.firstChild;
    for (const [kept, node] of pairs) {
      if (kept === undefined) old.insertBefore(document.importNode(node, true), place);
      else {
        if (kept === place) place = kept.nextSibling;
        else old.insertBefore(kept, place);
        patch(kept, node);
      }
    }
  }

  // A popover would leave the rest of the page usable, so the button opens its dialog as a modal one, which keeps the
  // focus.
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button[popovertarget]');
    const dialog = button && document.getElementById(button.getAttribute('popovertarget'));
    if (dialog?.tagName !== 'DIALOG' || typeof dialog.showModal !== 'function') return;
    event.preventDefault();
    if (dialog.open) {
      dialog.close();
      return;
    }
    dialog.addEventListener('close', () => button.focus(), { once: true });
    dialog.showModal();
  });

  async function refresh() {
    const parts = live();
    if (document.hidden || parts.length === 0) return;
    const response = await fetch(source(), { headers: { 'x-console-live': '1' }, redirect: 'manual' });
    if (response.type === 'opaqueredirect' || response.status === 401) {
      location.assign(source());
      return;
    }
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of parts) {
      const next = page.getElementById(part.id);
      if (next === null || next.innerHTML === served.get(part.id) || isSelected(part)) continue;
      served.set(part.id, next.innerHTML);
      const focused = part.contains(document.activeElement) ? document.activeElement : null;
      patchChildren(part, next);
      // An element loses the focus when its row is moved.
      if (focused?.isConnected) focused.focus({ preventScroll: true });
    }
    showDistances(Date.parse(response.headers.get('date')));
  }

  async function run() {
    // Refreshing continues after a failure, because the server may be unavailable only for a moment.
    await refresh().catch(() => undefined);
    setTimeout(run, everyMs);
  }
  if (live().length > 0) setTimeout(run, everyMs);
})();
