import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Field } from './edits';

/* The controls of the builder's forms. The controls have no names, so that the page's own form does not send them. */

type Marks = { id: string; 'aria-describedby': string | undefined };
type Frame = { label: string; hint?: string | undefined; isShort?: boolean; isHidden?: boolean };
type Control<Value> = Frame & { onValue: (value: Value) => void };
type Option = { value: string; label: string };
type Options = (Option | { group: string; options: Option[] })[];

let fields = 0;

/** A control with its label and a description. `draw` gets the attributes that connect the control with both. */
function Framed({ label, hint, isShort, isHidden, draw }: Frame & { draw: (marks: Marks) => VNode }): VNode {
  const [id] = useState(() => `b${(fields += 1)}`);
  return (
    <div class={isShort ? 'field short' : 'field'}>
      <label for={id} class={isHidden ? 'skip' : undefined}>
        {label}
      </label>
      {draw({ id, 'aria-describedby': hint && `${id}-hint` })}
      {hint && (
        <span class="soft small" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

const option = ({ value, label }: Option): VNode => <option value={value}>{label}</option>;

type SelectProps = Control<string> & { value: string | undefined; options: Options };

/** A list to choose from. */
export const Select = ({ value, options, onValue, ...frame }: SelectProps): VNode => (
  <Framed
    {...frame}
    draw={(marks) => (
      <select {...marks} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {options.map((each) =>
          'group' in each ? <optgroup label={each.group}>{each.options.map(option)}</optgroup> : option(each),
        )}
      </select>
    )}
  />
);

type TextProps = Control<string> & { value: string; type?: string; rows?: number; maxlength?: number };

/** A text field, or a text area if `rows` is set. */
export const Text = ({ value, onValue, type = 'text', rows, maxlength, ...frame }: TextProps): VNode => {
  const onInput = (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value);
  const given = { value, maxlength, onInput, autocomplete: 'off' as const };
  const draw = (marks: Marks) =>
    rows ? <textarea {...marks} {...given} rows={rows} /> : <input {...marks} {...given} type={type} />;
  return <Framed {...frame} draw={draw} />;
};

type NumberProps = Control<number | undefined> & { value: unknown; min?: number; max?: number };

/** A number field. `onValue` gets undefined while the field is empty or its value is invalid. */
export const NumberField = ({ value, onValue, min, max, ...frame }: NumberProps): VNode => {
  const onInput = (event: { currentTarget: HTMLInputElement }) => {
    const { value: text, validity, valueAsNumber } = event.currentTarget;
    onValue(text === '' || !validity.valid ? undefined : valueAsNumber);
  };
  const given = { value: typeof value === 'number' ? value : '', min, max, onInput };
  // Fields with limits are for integers.
  const step = min === undefined ? 'any' : undefined;
  return <Framed {...frame} draw={(marks) => <input {...marks} {...given} type="number" step={step} />} />;
};

type CheckProps = Control<boolean> & { value: boolean };

export const CheckboxControl = ({ label, value, onValue }: CheckProps): VNode => (
  <label class="check">
    <input type="checkbox" checked={value} onChange={(event) => onValue(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

type ButtonProps = { label: string; what?: string; isDisabled?: boolean; onPress: () => void };

export function Button({ label, what, onPress, isDisabled = false }: ButtonProps): VNode {
  const name = what && `${label}: ${what}`;
  return (
    <button type="button" class="plain" disabled={isDisabled} aria-label={name} onClick={onPress}>
      {label}
    </button>
  );
}

type RowsProps<Item> = {
  title: string;
  /** What a row is called. */
  one: string;
  items: Item[];
  /** What the button adds. It is disabled if this is undefined. */
  next: Item | undefined;
  /** The least number of rows. */
  min?: number;
  nameOfRow: (item: Item) => string;
  row: (item: Item, at: number) => VNode;
  onChange: (items: Item[]) => void;
};

/** Rows of controls that a person can remove and add. */
export const ControlRows = <Item,>({
  title,
  one,
  items,
  next,
  min = 0,
  nameOfRow,
  row,
  onChange,
}: RowsProps<Item>): VNode => (
  <fieldset class="builder-group">
    <legend>{title}</legend>
    <ul class="builder-rows">
      {items.map((item, at) => (
        <li key={at} class="builder-row">
          {row(item, at)}
          {items.length > min && (
            <Button label="Remove" what={nameOfRow(item)} onPress={() => onChange(items.toSpliced(at, 1))} />
          )}
        </li>
      ))}
    </ul>
    <Button
      label={`Add ${one}`}
      isDisabled={next === undefined}
      onPress={() => next !== undefined && onChange([...items, next])}
    />
  </fieldset>
);

/** What stands in place of the controls of a part that has none. */
export const JsonInstead = ({ value }: { value: unknown }): VNode => (
  <>
    <code>{JSON.stringify(value)}</code>
    <span class="soft small"> Edit it as JSON. </span>
  </>
);

/** Returns the label for an id, such as `Previous year` for `previous_year`. */
export const labelOfId = (id: string): string =>
  id === 'kpi' ? 'KPI' : id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');
export const toNamedOptions = (ids: readonly string[]): Option[] =>
  ids.map((id) => ({ value: id, label: labelOfId(id) }));
export const toLabeledOptions = (those: readonly { id: string; label: string }[]): Option[] =>
  those.map(({ id, label }) => ({ value: id, label }));

type FieldSelectProps = { label: string; field: Field; fields: Field[]; onField: (field: Field) => void };

/** A list of fields of a dataset, in two groups if there are both dimensions and measures. */
export function FieldSelect({ label, field, fields, onField }: FieldSelectProps): VNode {
  const groups = (['dimension', 'measure'] as const).map((kind) => ({
    group: `${labelOfId(kind)}s`,
    options: toLabeledOptions(fields.filter((each) => each.kind === kind)),
  }));
  const options = groups.every((group) => group.options.length > 0) ? groups : toLabeledOptions(fields);
  const pick = (id: string) => onField(fields.find((each) => each.id === id) ?? field);
  const { id, description } = field;
  return <Select label={label} isHidden value={id} hint={description} options={options} onValue={pick} />;
}
