import type { VNode } from 'preact';
import { Checkbox, SelectField, NumberField, TextArea, TextField } from '../../platform/site/form';
import type { Option } from '../../platform/site/form';
import { numberOf } from '../../platform/site/parse-form';
import { sentText } from '../../platform/site/site';
import type { RequestData } from '../../platform/site/site';

/**
 * A control for a field of an operation, whose name it has. `linesField` is a list with an entry on each line. An empty
 * control is null.
 */
export type FieldSpec = { name: string; label: string; hint?: string | undefined } & (
  | { kind: 'line'; max: number; isRequired?: boolean }
  | { kind: 'text'; max: number; rows: number }
  | { kind: 'lines'; rows: number }
  | { kind: 'choice'; options: readonly Option[] }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'check' }
);

export const lineField = (name: string, label: string, max: number, hint?: string): FieldSpec => ({
  kind: 'line',
  name,
  label,
  max,
  hint,
});
export const textField = (
  name: string,
  label: string,
  rows: number,
  max: number,
  hint?: string,
): FieldSpec => ({
  kind: 'text',
  name,
  label,
  rows,
  max,
  hint,
});
export const linesField = (name: string, label: string, rows: number, hint = 'One per line.'): FieldSpec => ({
  kind: 'lines',
  name,
  label,
  rows,
  hint,
});
export const choiceField = (
  name: string,
  label: string,
  options: readonly Option[],
  hint?: string,
): FieldSpec => ({ kind: 'choice', name, label, options, hint });
export const numberField = (
  name: string,
  label: string,
  [min, max]: readonly [number, number],
  hint?: string,
): FieldSpec => ({ kind: 'number', name, label, min, max, hint });
export const checkboxField = (name: string, label: string): FieldSpec => ({ kind: 'check', name, label });

/** What a person entered, by the names of the controls. A checkbox is `on` or empty. */
export type EnteredValues = Readonly<Record<string, string>>;

/** Reads the controls of a form. */
export const readEntered = (fields: readonly FieldSpec[], sent: RequestData): EnteredValues =>
  // Browsers send line breaks as CR and LF.
  Object.fromEntries(fields.map(({ name }) => [name, sentText(sent, name).replaceAll('\r\n', '\n')]));

/** Converts what was entered to the input of an operation, which validates it. */
export const toOperationInput = (
  fields: readonly FieldSpec[],
  entered: EnteredValues,
): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(field, entered[field.name] ?? '')]));

function valueOf({ kind }: FieldSpec, text: string): unknown {
  if (kind === 'check') return text === 'on';
  if (text === '') return null;
  if (kind === 'lines') return linesOf(text);
  // A text that is not a number is sent as it is, so that the operation says what is wrong.
  const number = kind === 'number' ? numberOf(text) : Number.NaN;
  return Number.isNaN(number) ? text : number;
}

/** Returns the lines of a text that are not blank. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns the text of a control for a value of an operation's reply. */
export function toEntered(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value === 'boolean') return value ? 'on' : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Shows the controls of fields with what was entered. */
export const Fields = ({
  fields,
  entered,
}: {
  fields: readonly FieldSpec[];
  entered: EnteredValues;
}): VNode => (
  <>
    {fields.map((field) => (
      <Control field={field} value={entered[field.name] ?? ''} />
    ))}
  </>
);

function Control({ field, value }: { field: FieldSpec; value: string }): VNode {
  const { name, label, hint } = field;
  const shared = { name, label, hint, value };
  switch (field.kind) {
    case 'check':
      return <Checkbox name={name} label={label} isChecked={value === 'on'} />;
    case 'choice': {
      // A value that cannot be chosen any more stays chosen until the person changes it.
      const isOther = value !== '' && !field.options.some((option) => option.value === value);
      const options = isOther ? [...field.options, { value, label: value }] : field.options;
      return <SelectField {...shared} options={options} />;
    }
    case 'number':
      return <NumberField {...shared} {...field} step={field.min < 1 && field.min > 0 ? 'any' : undefined} />;
    case 'line':
      return <TextField {...shared} maxlength={field.max} required={field.isRequired} />;
    case 'text':
      return <TextArea {...shared} rows={field.rows} maxlength={field.max} />;
    case 'lines':
  }
  return <TextArea {...shared} rows={field.rows} />;
}
