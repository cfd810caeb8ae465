import { html } from '../text/html';
import type { Html } from '../text/html';
import type { ApiError } from '../operation/api-error';
import { formFields } from './form-fields';
import type { Visitor } from './visitor';

export type Cell = string | number | null | Html;

/** A table. In a narrow window, each row becomes a card. `acts` marks a last column of buttons. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty = 'Nothing here yet.',
): Html {
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`;
  const head = columns.map((column) =>
    column === ''
      ? html`<th scope="col" class="acts"><span class="skip">Actions</span></th>`
      : html`<th scope="col">${column}</th>`,
  );
  const body = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell, index) =>
          columns[index] === ''
            ? html`<td class="acts" data-label=""><span>${cell}</span></td>`
            : html`<td data-label="${columns[index]}"><span>${cell}</span></td>`,
        )}
      </tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table class="cards" aria-label="${caption}">
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

export const badge = (text: string, tone: 'good' | 'warn' | 'bad' | 'plain' = 'plain'): Html =>
  html`<span class="badge ${tone}">${text}</span>`;

/** Shows an API timestamp (`2026-01-15T09:30:00.000Z`) to the second, or a dash for null. */
export const timestamp = (at: string | null): Html =>
  at === null
    ? html`<span class="soft">–</span>`
    : html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`;

/** Names and values in two columns. Null entries are left out. */
export const facts = (entries: readonly (readonly [name: string, value: Cell] | null)[]): Html =>
  html`<dl class="facts">
    ${entries.map((entry) =>
      entry === null
        ? html``
        : html`<dt>${entry[0]}</dt>
            <dd>${entry[1] ?? html`<span class="soft">–</span>`}</dd>`,
    )}
  </dl>`;

/** A section of the page. With an `id` it updates without a reload, so it must not contain text fields. */
export const panel = (title: string, content: Html, liveId?: string): Html =>
  liveId === undefined
    ? html`<section class="panel">
        <h2>${title}</h2>
        ${content}
      </section>`
    : html`<section class="panel">
        <h2>${title}</h2>
        <div id="${liveId}" data-live>${content}</div>
      </section>`;

/** A form that performs an action. It carries the session's token, and its address names the merchant. */
export const postForm = (
  visit: Visitor,
  path: string,
  content: Html,
  layout: 'fields' | 'inline' = 'fields',
): Html =>
  html`<form class="${layout}" method="post" action="${visit.href(path)}">
    <input type="hidden" name="csrf" value="${visit.csrf}" />
    ${content}
  </form>`;

/** A button that acts at once. `fields` are sent with it. */
export const actButton = (
  visit: Visitor,
  path: string,
  label: string,
  fields: Record<string, string> = {},
): Html =>
  postForm(visit, path, html`${hiddenFields(fields)}<button class="plain">${label}</button>`, 'inline');

/**
 * A button that asks for confirmation. Without scripts the question is a popover; live.js opens it as a modal dialog.
 * `id` must be unique on the page. `title` states the action and its subject. `row` names the table row if the same
 * button is in every row. `control` is what the person chooses in the dialog.
 */
export const confirmButton = (
  visit: Visitor,
  path: string,
  {
    id,
    label,
    title = label,
    row,
    question,
    fields = {},
    control,
  }: {
    id: string;
    label: string;
    title?: string;
    row?: string;
    question: string | Html;
    fields?: Record<string, string>;
    control?: Html;
  },
): Html =>
  html`<button
      class="plain"
      type="button"
      popovertarget="${id}"
      aria-haspopup="dialog"
      ${row === undefined ? null : html`aria-label="${label}: ${row}"`}
    >
      ${label}
    </button>
    <dialog class="confirm" id="${id}" popover aria-label="${title}">
      ${title === label ? null : html`<p><strong>${title}</strong></p>`}
      <p>${question}</p>
      ${postForm(
        visit,
        path,
        html`${hiddenFields(fields)} ${control}
          <button class="plain" type="button" popovertarget="${id}" popovertargetaction="hide" autofocus>
            Cancel
          </button>
          <button class="danger">${label}</button>`,
        'inline',
      )}
    </dialog>`;

const hiddenFields = (fields: Record<string, string>): Html =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;

/**
 * A labeled control. The id of `control` must equal the name. Screen readers announce `hint` and the error of this
 * field with it.
 */
export function field(name: string, label: string, control: Html, hint?: string): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control} ${hint === undefined ? null : html`<span class="soft small" id="${name}-hint">${hint}</span>`}
  </div>`;
}

export const textInput = (
  name: string,
  value: string,
  more: {
    type?: string;
    required?: boolean;
    maxlength?: number;
    list?: string;
    autocomplete?: string;
    hinted?: boolean;
  } = {},
): Html =>
  html`<input
    id="${name}"
    name="${name}"
    type="${more.type ?? 'text'}"
    value="${value}"
    maxlength="${more.maxlength ?? 1000}"
    autocomplete="${more.autocomplete ?? 'off'}"
    ${attribute('list', more.list)}
    ${attribute('aria-describedby', more.hinted ? `${name}-hint` : undefined)}
    ${more.required ? html`required` : null}
  />`;

const attribute = (name: 'list' | 'aria-describedby', value: string | undefined): Html | null =>
  value === undefined ? null : name === 'list' ? html`list="${value}"` : html`aria-describedby="${value}"`;

export const select = (
  name: string,
  options: readonly { value: string; label: string }[],
  chosen: string,
): Html =>
  html`<select id="${name}" name="${name}">
    ${options.map(
      ({ value, label }) =>
        html`<option value="${value}" ${value === chosen ? html`selected` : null}>${label}</option>`,
    )}
  </select>`;

export const checkbox = (name: string, label: string, isChecked: boolean, value = 'on'): Html =>
  html`<label class="check">
    <input type="checkbox" name="${name}" value="${value}" ${isChecked ? html`checked` : null} />
    <span>${label}</span>
  </label>`;

/** The error of a refused action that has no fields. */
export const faultBox = (error: ApiError | undefined): Html | null => formFields([], error).summary;

/**
 * Links to the next and previous page of a list in the API's paging format. Matches are counted up to `countedTo`. If
 * a page has two lists, each has its own `offsetName`.
 */
export function pager(
  visit: Visitor,
  path: string,
  {
    total,
    limit,
    offset,
    countedTo,
    offsetName = 'offset',
  }: { total: number; limit: number; offset: number; countedTo?: number; offsetName?: string },
  query: Record<string, string | undefined> = {},
): Html {
  const all = total === countedTo ? `${total} or more` : total;
  // An empty list shows its own message. A page beyond the end still links back.
  if (total === 0 && offset === 0) return html``;
  const shown = total <= offset ? '' : `${offset + 1}–${Math.min(offset + limit, total)} of ${all}`;
  const link = (label: string, to: number, rel: string) =>
    html`<a rel="${rel}" href="${visit.href(path, { ...query, [offsetName]: to || undefined })}"
      >${label}</a
    >`;
  return html`<div class="pages">
    ${shown === '' ? null : html`<span class="soft">${shown}</span>`}
    ${offset > 0 ? link('Previous', Math.max(0, offset - limit), 'prev') : null}
    ${offset + limit < total ? link('Next', offset + limit, 'next') : null}
  </div>`;
}
