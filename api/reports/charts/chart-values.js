/**
 * Shows the values of a chart beside the pointer, the finger or the keyboard's place in the chart. It takes the texts
 * from the titles of the marks, which browsers show by themselves without this script, but late and only to a mouse.
 */
'use strict';
(() => {
  const marks = '.readings rect, .slice, .bar-row';
  const charts = '.chart, .pie, .bars';
  const gap = 8;
  const box = document.createElement('div');
  box.className = 'chart-values';
  box.setAttribute('role', 'status');
  document.body.append(box);
  let shown = null;

  /** Returns the text of a mark. Its title is removed, so that the browser does not show the text a second time. */
  function textOf(mark) {
    const title = mark.querySelector(':scope > title');
    const text = title?.textContent ?? mark.getAttribute('title');
    if (text !== null) mark.dataset.values = text;
    title?.remove();
    mark.removeAttribute('title');
    return mark.dataset.values ?? '';
  }

  function show(mark) {
    if (mark === shown) return;
    hide();
    const text = textOf(mark);
    if (text === '') return;
    shown = mark;
    mark.classList.add('pointed');
    box.textContent = text;
    place();
  }

  function place() {
    if (shown === null) return;
    const at = shown.getBoundingClientRect();
    const { width, height } = box.getBoundingClientRect();
    const left = at.left + at.width / 2 - width / 2;
    const top = at.top - height - gap;
    box.style.left = `${Math.max(gap, Math.min(left, document.documentElement.clientWidth - width - gap))}px`;
    box.style.top = `${top < gap ? at.bottom + gap : top}px`;
  }

  function hide() {
    shown?.classList.remove('pointed');
    shown = null;
    box.textContent = '';
  }

  const point = ({ target }) => {
    const mark = target.closest(marks);
    if (mark) show(mark);
    else hide();
  };
  document.addEventListener('pointerover', point);
  document.addEventListener('pointerdown', point);
  document.addEventListener('scroll', place, { capture: true, passive: true });

  for (const chart of document.querySelectorAll(charts)) chart.tabIndex = 0;
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    const chart = event.target.closest?.(charts);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!chart || step === undefined) return;
    const all = [...chart.querySelectorAll(marks)];
    const at = all.indexOf(shown);
    const next = at === -1 ? (step > 0 ? 0 : all.length - 1) : at + step;
    if (all[next] === undefined) return;
    event.preventDefault();
    show(all[next]);
  });
})();
