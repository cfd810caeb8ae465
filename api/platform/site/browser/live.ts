import { formatRelativeTime } from '../times';
import { focusSearch } from './search-key';

/* Updates the parts of a page with `data-live` in place, keeps its distances of time up to date, opens dialogs, and
 * listens for the key of the search box. */

const everyMs = 2000;
/** The content of each part as the server sent it last. */
const served = new Map<string, string>();
const live = () => [...document.querySelectorAll<HTMLElement>('[data-live][id]')];
/**
 * Returns the address to refresh from. A page that is the reply to a form has the address of the form, which cannot be
 * requested with GET. Such a page names the address in `data-source`.
 */
const source = () => document.querySelector('main')?.dataset['source'] ?? location.href;
for (const part of live()) served.set(part.id, part.innerHTML);

function showDistances(now: number): void {
  for (const each of document.querySelectorAll<HTMLElement>('[data-distance]')) {
    const text = formatRelativeTime(Date.parse(each.dataset['distance'] ?? '') - now);
    if (each.textContent !== text && !isSelected(each)) each.textContent = text;
  }
}

function isSelected(part: Element): boolean {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return false;
  return selection.getRangeAt(0).intersectsNode(part);
}

/**
 * Rows and list items of the old and the new page are matched by an id or a link in them, all other nodes by their
 * position among nodes of their kind.
 */
function keyOf(node: Node): string {
  if (!(node instanceof Element)) return String(node.nodeType);
  const isRow = node.tagName === 'TR' || node.tagName === 'LI';
  const inside = isRow ? node.querySelector('[id], a[href]') : null;
  return `${node.tagName} ${node.id || inside?.id || (inside?.getAttribute('href') ?? '')}`;
}

function patch(old: Node, next: Node): void {
  if (old.isEqualNode(next)) return;
  if (!(old instanceof Element && next instanceof Element)) {
    old.nodeValue = next.nodeValue;
    return;
  }
  // Keeps details and dialogs open or closed as the reader has left them.
  const isTheirs = (name: string) => name === 'open' && ['DETAILS', 'DIALOG'].includes(old.tagName);
  for (const name of old.getAttributeNames())
    if (!next.hasAttribute(name) && !isTheirs(name)) old.removeAttribute(name);
  for (const name of next.getAttributeNames())
    if (old.getAttribute(name) !== next.getAttribute(name) && !isTheirs(name))
      old.setAttribute(name, next.getAttribute(name) ?? '');
  patchChildren(old, next);
}

function patchChildren(old: Element, next: Element): void {
  const waiting = new Map<string, ChildNode[]>();
  for (const node of old.childNodes) waiting.set(keyOf(node), [...(waiting.get(keyOf(node)) ?? []), node]);
  const pairs = [...next.childNodes].map((node) => ({ kept: waiting.get(keyOf(node))?.shift(), node }));
  for (const node of [...waiting.values()].flat()) node.remove();
  let place = old.firstChild;
  for (const { kept, node } of pairs) {
    if (kept === undefined) old.insertBefore(document.importNode(node, true), place);
    else {
      if (kept === place) place = kept.nextSibling;
      else old.insertBefore(kept, place);
      patch(kept, node);
    }
  }
}

document.addEventListener('keydown', focusSearch);

// A popover would leave the rest of the page usable, so the button opens its dialog as a modal one, which keeps the
// focus.
document.addEventListener('click', (event) => {
  const button =
    event.target instanceof Element && event.target.closest<HTMLElement>('button[popovertarget]');
  const dialog = button && document.getElementById(button.getAttribute('popovertarget') ?? '');
  if (!(dialog instanceof HTMLDialogElement)) return;
  event.preventDefault();
  if (dialog.open) {
    dialog.close();
    return;
  }
  if (button) dialog.addEventListener('close', () => button.focus(), { once: true });
  dialog.showModal();
});

async function refresh(): Promise<void> {
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
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
  }
  showDistances(Date.parse(response.headers.get('date') ?? ''));
}

async function run(): Promise<void> {
  // Refreshing continues after a failure, because the server may be unavailable only for a moment.
  await refresh().catch(() => undefined);
  setTimeout(run, everyMs);
}
if (live().length > 0) setTimeout(run, everyMs);
