import { render } from 'preact';
import type { VNode } from 'preact';
import { maxTitle } from '../language/limits';
import { BlockForm } from './block-form';
import {
  blockAt,
  catalog,
  editDefinition,
  requireElement,
  editorForm,
  isChanged,
  startBuilder,
  builderState,
  showVersion,
} from './builder-state';
import { Button, toNamedOptions, Select, Text } from './controls';
import { titleOf } from './edits';
import type { DefinitionDraft } from './edits';
import { redo, undo } from './history';
import { preview, previewSoon } from './preview';
import { Tiles } from './tiles';

/* The builder of a report: tiles, forms and a live preview beside the JSON text of the page's form. */

const [root, steps] = [requireElement('builder'), requireElement('history')];
let shown = 0;
let isLeaving = false;

function Settings({ definition: { title = '', filters } }: { definition: DefinitionDraft }): VNode {
  const { preset } = filters?.period ?? {};
  const presets = catalog.period_presets.filter((each) => each !== 'custom' || each === preset);
  const rename = (text: string) => editDefinition((each) => ({ ...each, title: text }), 'title');
  const setPeriod = (picked: string) =>
    editDefinition((each) => ({ ...each, filters: { ...each.filters, period: { preset: picked } } }));
  return (
    <section class="panel">
      <h2>Report</h2>
      <div class="builder-row">
        <Text label="Title" value={title} maxlength={maxTitle} onValue={rename} />
        <Select
          label="Period"
          value={preset ?? 'last_30_days'}
          options={toNamedOptions(presets)}
          onValue={setPeriod}
        />
      </div>
    </section>
  );
}

function Builder(): VNode {
  const { definition, selected, message } = builderState;
  const block = blockAt(selected);
  return (
    <>
      {definition ? (
        <>
          <Settings definition={definition} />
          <section class="panel" aria-label="Blocks">
            <h2>Blocks</h2>
            <Tiles />
          </section>
        </>
      ) : (
        <section class="panel">
          <p>The definition is not valid JSON with a list of blocks, so it can only be edited as text.</p>
        </section>
      )}
      {block && (
        <section class="panel" aria-label="Selected block" key={selected}>
          <h2>{`Block ${selected + 1}: ${titleOf(block)}`}</h2>
          <BlockForm block={block} at={selected} />
        </section>
      )}
      <p class="skip" role="status">
        {message}
      </p>
    </>
  );
}

function Steps(): VNode {
  const { history } = builderState;
  return (
    <>
      <Button
        label="Undo"
        isDisabled={history.past.length === 0}
        onPress={() => showVersion(undo(history))}
      />{' '}
      <Button
        label="Redo"
        isDisabled={history.future.length === 0}
        onPress={() => showVersion(redo(history))}
      />
    </>
  );
}

/**
 * Marks the selected block in the preview, and scrolls to it if the selection has changed. A block that was just added
 * is scrolled to once the preview has it.
 */
function chooseInPreview(): void {
  const { selected } = builderState;
  const blocks = [...document.querySelectorAll('#preview .block')];
  for (const [at, block] of blocks.entries()) block.classList.toggle('chosen', at === selected);
  const [chosen, box] = [blocks[selected], document.querySelector('.builder-preview')];
  if (shown === selected || !chosen || !box) return;
  shown = selected;
  box.scrollBy({ top: chosen.getBoundingClientRect().top - box.getBoundingClientRect().top - 48 });
}

// Text fields have an undo history of their own, so undo keys that are pressed in a text field are ignored here.
document.addEventListener('keydown', (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
  if (!isUndo || (event.target instanceof Element && event.target.matches('input, textarea'))) return;
  event.preventDefault();
  showVersion((event.shiftKey ? redo : undo)(builderState.history));
});
document.addEventListener('click', (event) => {
  const { target } = event;
  const button = target instanceof Element && target.closest<HTMLButtonElement>('button[name=repair]');
  if (!button || button.form !== editorForm) return;
  event.preventDefault();
  void preview(button.value);
});
editorForm.addEventListener('submit', () => (isLeaving = true));
addEventListener('beforeunload', (event) => {
  if (!isLeaving && isChanged()) event.preventDefault();
});

document.documentElement.classList.add('can-build');
startBuilder(() => {
  render(<Builder />, root);
  render(<Steps />, steps);
  chooseInPreview();
}, previewSoon);
void preview();
