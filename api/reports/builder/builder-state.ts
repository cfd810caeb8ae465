import { curlOf } from '../pages/curl';
import { blocksOf } from './edits';
import type { BlockDraft, Catalog, DefinitionDraft } from './edits';
import { createHistory, remember } from './history';
import type { History } from './history';

/*
 * The state of the builder. It follows from the JSON text of the form: every control changes the text, and every change
 * of the text redraws all controls.
 */

/** Returns an element that the page of the builder always has. */
export function elementOf(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element;
}

const area = elementOf('definition') as HTMLTextAreaElement;
const curl = elementOf('curl');
export const form = elementOf('editor') as HTMLFormElement;
export const catalog = JSON.parse(elementOf('catalog').textContent) as Catalog;

export const state = {
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
export function change(changes: Partial<typeof state>): void {
  Object.assign(state, changes);
  draw();
}

/** Calls `drawState` now and after every change, and `afterText` after every change of the text. */
export function start(drawState: () => void, afterText: () => void): void {
  [draw, onText] = [drawState, afterText];
  area.addEventListener('input', () => take(area.value, 'text'));
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
export function step(history: History): void {
  if (area.value !== history.now) area.value = history.now;
  curl.textContent = curlOf(curl.dataset['url'] ?? '', history.now);
  const definition = read(history.now);
  const last = Math.max(0, blocksOf(definition).length - 1);
  change({ history, definition, selected: Math.min(state.selected, last) });
  onText();
}

/** Makes a text the current version. Changes that follow one another and have the same name are undone together. */
export const take = (text: string, name?: string): void => step(remember(state.history, text, name));

export type DefinitionChange = (definition: DefinitionDraft) => DefinitionDraft;
/** Changes the definition. `next` is what else changes: the selected block, or the sentence to announce. */
export function edit(change: DefinitionChange, name?: string, next: Partial<typeof state> = {}): void {
  Object.assign(state, next);
  if (state.definition) take(JSON.stringify(change(state.definition), null, 2), name);
}

/** Returns the block at an index of the current definition. */
export const blockAt = (at: number): BlockDraft | undefined => blocksOf(state.definition)[at];
export const isChanged = (): boolean => area.value !== area.defaultValue;
