import { html } from '../text/html';
import type { Html } from '../text/html';
import type { ApiError } from '../operation/api-error';

type Control = {
  type?: string;
  required?: boolean;
  maxlength?: number;
  list?: string;
  autocomplete?: string;
};
type Labelled = { hint?: string; isShort?: boolean };
type Option = { value: string; label: string };

export type FormFields = ReturnType<typeof formFields>;

/**
 * Builds the controls of one form and shows its errors. `names` are its controls in page order. `aliases` maps wire
 * names to the controls that enter them. Each control shows its own error, and the first invalid one gets the focus
 * when the page loads. `summary`, above the form, shows errors that belong to no control.
 */
export function formFields(
  names: readonly string[],
  error?: ApiError,
  aliases: Readonly<Record<string, string>> = {},
) {
  const wrong = new Map<string, string>();
  const others: string[] = [];
  for (const item of error?.errors ?? []) {
    const wireName = item.name?.split(/[.[]/, 1)[0] ?? '';
    const name = aliases[wireName] ?? wireName;
    if (!names.includes(name)) others.push(item.error);
    else if (!wrong.has(name)) wrong.set(name, item.error);
  }
  const first = names.find((name) => wrong.has(name));

  /** Links a control to its hint and error. The first invalid control gets the focus. */
  const marks = (name: string, hint?: string): Html => {
    const isWrong = wrong.has(name);
    const described = [isWrong ? `${name}-error` : '', hint === undefined ? '' : `${name}-hint`].filter(
      Boolean,
    );
    return html`${described.length === 0 ? null : html`aria-describedby="${described.join(' ')}"`}
    ${isWrong ? html`aria-invalid="true"` : null} ${name === first ? html`autofocus` : null}`;
  };
  const notes = (name: string, hint?: string): Html =>
    html`${wrong.has(name) ? html`<span class="field-error" id="${name}-error">${wrong.get(name)}</span>` : null}
    ${hint === undefined ? null : html`<span class="soft small" id="${name}-hint">${hint}</span>`}`;
  const labelled = (name: string, label: string, control: Html, { hint, isShort }: Labelled): Html =>
    html`<div class="field ${isShort ? 'short' : null}">
      <label for="${name}">${label}</label>
      ${control} ${notes(name, hint)}
    </div>`;
  const input = (name: string, value: string, more: Html, hint?: string): Html =>
    html`<input id="${name}" name="${name}" value="${value}" ${more} ${marks(name, hint)} />`;

  return {
    hasErrors: error !== undefined,
    /** The summary of errors, which is shown above the form. */
    summary: summarize(others, wrong.size),
    text: (name: string, label: string, value: string, more: Control & Labelled = {}): Html =>
      labelled(
        name,
        label,
        input(
          name,
          value,
          html`type="${more.type ?? 'text'}" maxlength="${more.maxlength ?? 1000}"
          autocomplete="${more.autocomplete ?? 'off'}" ${more.list ? html`list="${more.list}"` : null}
          ${more.required ? html`required` : null}`,
          more.hint,
        ),
        more,
      ),
    number: (
      name: string,
      label: string,
      value: string,
      { min, max, ...more }: { min: number; max: number; required?: boolean } & Labelled,
    ): Html =>
      labelled(
        name,
        label,
        input(
          name,
          value,
          html`type="number" min="${min}" max="${max}" ${more.required ? html`required` : null}`,
          more.hint,
        ),
        more,
      ),
    area: (
      name: string,
      label: string,
      value: string,
      more: { rows: number; maxlength?: number; isCode?: boolean } & Labelled,
    ): Html =>
      labelled(
        name,
        label,
        html`<textarea
          id="${name}"
          name="${name}"
          rows="${more.rows}"
          maxlength="${more.maxlength ?? 20_000}"
          autocomplete="off"
          ${more.isCode ? html`class="mono" spellcheck="false"` : null}
          ${marks(name, more.hint)}
        >
${value}</textarea>`,
        more,
      ),
    choice: (
      name: string,
      label: string,
      options: readonly Option[],
      chosen: string,
      more: Labelled = {},
    ): Html =>
      labelled(
        name,
        label,
        html`<select id="${name}" name="${name}" ${marks(name, more.hint)}>
          ${options.map(
            ({ value, label: text }) =>
              html`<option value="${value}" ${value === chosen ? html`selected` : null}>${text}</option>`,
          )}
        </select>`,
        more,
      ),
    /** The checkboxes of one list. The group gets the focus instead of its boxes. */
    checks: (name: string, legend: string, options: readonly Option[], checked: readonly string[]): Html =>
      html`<fieldset id="${name}" tabindex="-1" ${marks(name)}>
        <legend>${legend}</legend>
        ${options.map(
          ({ value, label }) =>
            html`<label class="check">
              <input
                type="checkbox"
                name="${name}"
                value="${value}"
                ${checked.includes(value) ? html`checked` : null}
              />
              <span>${label}</span>
            </label>`,
        )}
        ${notes(name)}
      </fieldset>`,
    /** A field for a date and time in UTC. `value` has the browser's input format. */
    time: (name: string, label: string, value: string): Html =>
      labelled(name, label, input(name, value, html`type="datetime-local" step="1"`), {}),
  };
}

/** The summary gets the focus if no control does. */
function summarize(others: readonly string[], wrongControls: number): Html | null {
  if (others.length === 0 && wrongControls === 0) return null;
  const marked =
    wrongControls === 0
      ? []
      : [
          wrongControls === 1
            ? 'Check the field marked below.'
            : `Check the ${wrongControls} fields marked below.`,
        ];
  return html`<div class="fault" role="alert" tabindex="-1" ${wrongControls === 0 ? html`autofocus` : null}>
    ${[...others, ...marked].map((line) => html`<p>${line}</p>`)}
  </div>`;
}
