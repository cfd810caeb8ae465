import { curlOf } from '../pages/curl';
import { blocksOf } from './edits';
import type { BlockDraft, Catalog, DefinitionDraft } from './edits';
import { createHistory, addVersion } from './history';
import type { History } from './history';

/*
 * The state of the builder. It follows from the JSON text of the form: every control changes the text, and every change
 * of the text redraws all controls.
 */

/** Returns an element that the page of the builder always has. */
export function requireElement(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element;
}

const area = requireElement('definition') as HTMLTextAreaElement;
const curl = requireElement('curl');
export const editorForm = requireElement('editor') as HTMLFormElement;
export const catalog = JSON.parse(requireElement('catalog').textContent) as Catalog;

export const builderState = {
  history: createHistory(area.value),
  definition: read(area.value),
  /** The index of the block whose form is shown. */
  selected: 0,
  /** The number of problems of each block, by its id. */
  problems: new Map<string, number>(),
  /** The sentence that a screen reader announces. */
  message: '',
};

let draw = () => {};
let onText = () => {};
/** Changes the state, and draws it. */
export function changeState(changes: Partial<typeof builderState>): void {
  Object.assign(builderState, changes);
  draw();
}

/** Calls `drawState` now and after every change, and `afterText` after every change of the text. */
export function startBuilder(drawState: () => void, afterText: () => void): void {
  [draw, onText] = [drawState, afterText];
  area.addEventListener('input', () => setCurrentText(area.value, 'text'));
  draw();
}

/** Returns the definition that a text contains, or undefined if the text is not a JSON object with blocks. */
function read(text: string): DefinitionDraft | undefined {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  try {
    const value = JSON.parse(text) as DefinitionDraft | null;
    return Array.isArray(value?.blocks) && value.blocks.every(isObject) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Shows a version of the text. */
export function showVersion(history: History): void {
  if (area.value !== history.now) area.value = history.now;
  curl.textContent = curlOf(curl.dataset['url'] ?? '', history.now);
  const definition = read(history.now);
  const last = Math.max(0, blocksOf(definition).length - 1);
  changeState({ history, definition, selected: Math.min(builderState.selected, last) });
  onText();
}

/** Makes a text the current version. Changes that follow one another and have the same name are undone together. */
export const setCurrentText = (text: string, name?: string): void =>
  showVersion(addVersion(builderState.history, text, name));

export type DefinitionChange = (definition: DefinitionDraft) => DefinitionDraft;
/** Changes the definition. `next` is what else changes: the selected block, or the sentence to announce. */
export function editDefinition(
  change: DefinitionChange,
  name?: string,
  next: Partial<typeof builderState> = {},
): void {
  Object.assign(builderState, next);
  if (builderState.definition) setCurrentText(JSON.stringify(change(builderState.definition), null, 2), name);
}

/** Returns the block at an index of the current definition. */
export const blockAt = (at: number): BlockDraft | undefined => blocksOf(builderState.definition)[at];
export const isChanged = (): boolean => area.value !== area.defaultValue;
