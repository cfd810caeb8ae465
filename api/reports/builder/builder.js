/**
 * The builder of a report. The JSON text of the form is the only state: every control changes the text, and every
 * change of the text redraws all controls.
 */
'use strict';
(() => {
  const own = globalThis.reportBuilder;
  const { h, render, Fragment } = globalThis.preact;
  const root = document.getElementById('builder');
  const form = document.getElementById('editor');
  if (!root || !form) return;
  const { Tiles, BlockForm, Text, Select, Button, named } = own;
  const area = form.elements.namedItem('definition');
  const curl = document.getElementById('curl');
  const catalog = JSON.parse(document.getElementById('catalog').textContent);
  const servedText = area.defaultValue;
  document.documentElement.classList.add('can-build');

  let history = own.createHistory(area.value);
  let definition = read(area.value);
  let selected = 0;
  let shown = 0;
  let problems = new Map();
  let message = '';
  let isLeaving = false;

  const preview = own.createPreview({
    form,
    say,
    onProblems: (counts) => {
      problems = counts;
      draw();
    },
    onRepaired: (text) => take(text),
  });

  /** Returns the definition that a text contains, or undefined if the text is not a JSON object with blocks. */
  function read(text) {
    try {
      const value = JSON.parse(text);
      return value !== null &&
        typeof value === 'object' &&
        Array.isArray(value.blocks) &&
        value.blocks.every(isBlock)
        ? value
        : undefined;
    } catch {
      return undefined;
    }
  }
  function isBlock(block) {
    return block !== null && typeof block === 'object' && !Array.isArray(block);
  }

  function say(text) {
    message = text;
    draw();
  }

  /** Makes a text the current version. `what` is the name of the control in which the person is typing, if any. */
  function take(text, what) {
    history = own.remember(history, text, what);
    show();
  }

  function show() {
    if (area.value !== history.now) area.value = history.now;
    definition = read(history.now);
    selected = Math.min(selected, Math.max(0, own.blocksOf(definition ?? {}).length - 1));
    if (curl) curl.textContent = own.curlOf(curl.dataset.url, history.now);
    draw();
    preview.soon();
  }

  function edit(change, { at = selected, what, text = message } = {}) {
    if (definition === undefined) return;
    selected = at;
    message = text;
    take(JSON.stringify(change(definition), null, 2), what);
  }

  function step(to) {
    history = to(history);
    show();
  }

  function Settings() {
    const { preset } = definition.filters?.period ?? {};
    const presets = catalog.period_presets.filter((each) => each !== 'custom' || each === preset);
    return h(
      'section',
      { class: 'panel' },
      h('h2', null, 'Report'),
      h(
        'div',
        { class: 'builder-row' },
        h(Text, {
          label: 'Title',
          value: definition.title ?? '',
          maxlength: 200,
          onText: (title) => edit((each) => ({ ...each, title }), { what: 'title' }),
        }),
        h(Select, {
          label: 'Period',
          value: preset ?? 'last_30_days',
          options: named(presets),
          onPick: (picked) =>
            edit((each) => own.withKeys(each, { filters: { ...each.filters, period: { preset: picked } } })),
        }),
      ),
    );
  }

  function Blocks() {
    const block = own.blocksOf(definition)[selected];
    return [
      h(
        'section',
        { class: 'panel', 'aria-label': 'Blocks' },
        h('h2', null, 'Blocks'),
        h(Tiles, {
          definition,
          selected,
          problems,
          catalog,
          blockNow: (at) => own.blocksOf(definition ?? {})[at],
          onSelect: (at) => {
            selected = at;
            draw();
          },
          onEdit: (change, at, text, what) => edit(change, { at, text, what }),
        }),
      ),
      block &&
        h(
          'section',
          { class: 'panel', 'aria-label': 'Selected block', key: selected },
          h('h2', null, `Block ${selected + 1}: ${own.titleOf(block)}`),
          h(BlockForm, {
            block,
            catalog,
            onChange: (changes, what) =>
              edit((each) => own.changeBlock(each, selected, changes), {
                what: what && `${selected} ${what}`,
              }),
            onReplace: (next) => edit((each) => own.replaceBlock(each, selected, next)),
          }),
        ),
    ];
  }

  const Invalid = () =>
    h(
      'section',
      { class: 'panel' },
      h(
        'p',
        null,
        'The definition is not valid JSON with a list of blocks, so it can only be edited as text.',
      ),
    );

  const History = () => [
    h(Button, { label: 'Undo', isDisabled: history.past.length === 0, onPress: () => step(own.undo) }),
    ' ',
    h(Button, { label: 'Redo', isDisabled: history.future.length === 0, onPress: () => step(own.redo) }),
  ];

  function draw() {
    render(
      h(
        Fragment,
        null,
        definition ? [h(Settings), h(Blocks)] : h(Invalid),
        h('p', { class: 'skip', role: 'status' }, message),
      ),
      root,
    );
    render(h(Fragment, null, h(History)), document.getElementById('history'));
    chooseInPreview();
    if (!own.focusTile) return;
    own.focusTile = false;
    root.querySelector('.tile.selected .tile-name')?.focus();
  }

  /**
   * Marks the selected block in the preview, and scrolls to it if the selection has changed. A block that was just added
   * is scrolled to once the preview has it.
   */
  function chooseInPreview() {
    const blocks = [...document.querySelectorAll('#preview .block')];
    for (const [at, block] of blocks.entries()) block.classList.toggle('chosen', at === selected);
    if (shown === selected || blocks[selected] === undefined) return;
    shown = selected;
    const box = document.querySelector('.builder-preview');
    const { top } = blocks[selected].getBoundingClientRect();
    box.scrollBy({ top: top - box.getBoundingClientRect().top - 48 });
  }

  area.addEventListener('input', () => take(area.value, 'text'));
  // Text fields have an undo history of their own, so undo keys that are pressed in a text field are ignored here.
  document.addEventListener('keydown', (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    if (!isUndo || event.target.matches('input, textarea')) return;
    event.preventDefault();
    step(event.shiftKey ? own.redo : own.undo);
  });
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button[name=repair]');
    if (!button || button.form !== form) return;
    event.preventDefault();
    preview.repair(button.value);
  });
  form.addEventListener('submit', () => (isLeaving = true));
  globalThis.addEventListener('beforeunload', (event) => {
    if (!isLeaving && area.value !== servedText) event.preventDefault();
  });

  draw();
  preview.now();
})();
