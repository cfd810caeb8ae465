/*
 * Shows the values of a chart beside the pointer, the finger or the keyboard's place in the chart. It takes the texts
 * from the titles of the marks, which browsers show by themselves without this script, but late and only to a mouse.
 */

type Mark = HTMLElement | SVGElement;

const marks = '.readings rect, .slice, .bar-row';
const charts = '.chart, .pie, .bars';
const gap = 8;
const box = document.createElement('div');
box.className = 'chart-values';
box.setAttribute('role', 'status');
document.body.append(box);
let shown: Mark | null = null;

/** Returns the text of a mark. Its title is removed, so that the browser does not show the text a second time. */
function textOf(mark: Mark): string {
  const title = mark.querySelector(':scope > title');
  const text = title?.textContent ?? mark.getAttribute('title');
  if (text !== null) mark.dataset['values'] = text;
  title?.remove();
  mark.removeAttribute('title');
  return mark.dataset['values'] ?? '';
}

function show(mark: Mark): void {
  if (mark === shown) return;
  hide();
  const text = textOf(mark);
  if (text === '') return;
  shown = mark;
  mark.classList.add('pointed');
  box.textContent = text;
  place();
}

function place(): void {
  if (shown === null) return;
  const at = shown.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const left = at.left + at.width / 2 - width / 2;
  const top = at.top - height - gap;
  box.style.left = `${Math.max(gap, Math.min(left, document.documentElement.clientWidth - width - gap))}px`;
  box.style.top = `${top < gap ? at.bottom + gap : top}px`;
}

function hide(): void {
  shown?.classList.remove('pointed');
  shown = null;
  box.textContent = '';
}

const closest = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<Mark>(selector) : null;

const point = (event: Event) => {
  const mark = closest(event, marks);
  if (mark) show(mark);
  else hide();
};
document.addEventListener('pointerover', point);
document.addEventListener('pointerdown', point);
document.addEventListener('scroll', place, { capture: true, passive: true });

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

for (const chart of document.querySelectorAll<Mark>(charts)) chart.tabIndex = 0;
document.addEventListener('focusout', hide);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    hide();
    return;
  }
  const chart = closest(event, charts);
  const step = steps[event.key];
  if (!chart || step === undefined) return;
  const all = [...chart.querySelectorAll<Mark>(marks)];
  const at = shown === null ? -1 : all.indexOf(shown);
  const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : at + step];
  if (next === undefined) return;
  event.preventDefault();
  show(next);
});
