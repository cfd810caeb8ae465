import type { VNode } from 'preact';
import {
  JsonInstead,
  FieldSelect,
  toLabeledOptions,
  toNamedOptions,
  NumberField,
  ControlRows,
  Select,
  Text,
} from './controls';
import { listOrEmpty, withChangedKeys } from './edits';
import type { Condition, Field } from './edits';

const numeric = new Set(['integer', 'number', 'percent', 'duration']);
const lists = new Set<string | undefined>(['in', 'not_in']);
const hasValue = (op: string | undefined) => op !== 'is_null' && op !== 'not_null';
const opNames: Record<string, string> = {
  eq: 'is', ne: 'is not', in: 'is one of', not_in: 'is none of', gt: 'is more than', gte: 'is at least', lt: 'is less than',
  lte: 'is at most', between: 'is between', contains: 'contains', not_contains: 'does not contain', starts_with: 'starts with',
  is_null: 'has no value', not_null: 'has a value',
}; // prettier-ignore

/** Returns the value that a new condition starts with, or undefined if the operator takes no value. */
function firstValue({ type, values }: Field, op: string | undefined): unknown {
  if (!hasValue(op)) return undefined;
  const today = new Date().toISOString().slice(0, 10);
  const other = numeric.has(type) ? 0 : type === 'date' ? today : '';
  const single = type === 'boolean' ? true : (values?.[0] ?? other);
  if (op === 'between') return [single, single];
  return lists.has(op) ? [single] : single;
}

/**
 * Returns the operator of a new condition. For a text or an id, no value is an obvious default, so the condition
 * starts with an operator that takes no value.
 */
const firstOp = ({ type, values, ops }: Field) =>
  (type === 'text' && !values) || type === 'id' ? 'not_null' : ops[0];
const conditionOn = (field: Field, op = firstOp(field)): Condition =>
  withChangedKeys({ field: field.id, op }, { value: firstValue(field, op) });

type ValueProps = { field: Field; value: unknown; label: string; onValue: (value: unknown) => void };

/** The control for one value of a condition, or for one end of `between`. */
function Value({ field: { type, values }, value, label, onValue }: ValueProps): VNode {
  const given = { label, isHidden: true, isShort: true, onValue };
  const text = `${(value as string | number | boolean | undefined) ?? ''}`;
  if (values) return <Select {...given} value={text} options={toNamedOptions(values)} />;
  if (type === 'boolean')
    return (
      <Select
        {...given}
        value={text}
        options={toNamedOptions(['true', 'false'])}
        onValue={(picked) => onValue(picked === 'true')}
      />
    );
  if (!numeric.has(type)) return <Text {...given} type={type === 'date' ? 'date' : 'text'} value={text} />;
  return <NumberField {...given} value={value} onValue={(next) => next !== undefined && onValue(next)} />;
}

/** A text area for the values of `in`, one per line. */
function Lines({ field: { type, values }, value, label, onValue }: ValueProps): VNode {
  const hint = values ? `One a line: ${values.join(', ')}.` : 'One a line.';
  const toValue = (line: string) => (numeric.has(type) && line.trim() !== '' ? Number(line) : line);
  const given = { label, hint, isHidden: true, rows: 3, value: listOrEmpty(value as unknown[]).join('\n') };
  return <Text {...given} onValue={(text) => onValue(text.split('\n').map(toValue))} />;
}

/** The controls for the values that the operator of a condition takes. */
function Values({
  field,
  condition,
  onValue,
}: {
  field: Field;
  condition: Condition;
  onValue: ValueProps['onValue'];
}) {
  const { op, value } = condition;
  const name = field.label;
  const props = { field, value, onValue };
  if (!hasValue(op)) return null;
  if (lists.has(op)) return <Lines {...props} label={`Values of ${name}`} />;
  if (op !== 'between') return <Value {...props} label={`Value of ${name}`} />;
  const [from, to] = listOrEmpty(value as unknown[]);
  return (
    <>
      <Value field={field} value={from} label={`${name} from`} onValue={(next) => onValue([next, to])} />
      <Value field={field} value={to} label={`${name} to`} onValue={(next) => onValue([from, next])} />
    </>
  );
}

type ConditionsProps = {
  where: Condition[] | undefined;
  fields: Field[];
  max: number;
  /** `name` is that of the condition that the person is editing. */
  onChange: (where: Condition[], name?: string) => void;
};

/** The controls for the conditions of a block. `any` and `all` are edited as JSON. */
export function Conditions({ where, fields, max, onChange }: ConditionsProps): VNode {
  const conditions = listOrEmpty(where);
  const fieldOf = (condition: Condition | null) => fields.find(({ id }) => id === condition?.field);
  const first = fields.find(({ kind, type }) => kind === 'dimension' && type === 'text') ?? fields[0];
  const row = (condition: Condition, at: number) => {
    const field = fieldOf(condition);
    if (!field) return <JsonInstead value={condition} />;
    const change = (changed: Condition) => onChange(conditions.with(at, changed), `condition ${at}`);
    return (
      <>
        <FieldSelect
          label="Field of the condition"
          field={field}
          fields={fields}
          onField={(picked) => change(conditionOn(picked))}
        />
        <Select
          label={`Operator of ${field.label}`}
          isHidden
          isShort
          value={condition.op}
          options={toLabeledOptions(field.ops.map((id) => ({ id, label: opNames[id] ?? id })))}
          onValue={(op) => change(conditionOn(field, op))}
        />
        <Values field={field} condition={condition} onValue={(value) => change({ ...condition, value })} />
      </>
    );
  };
  const nameOfRow = (condition: Condition) => {
    const field = fieldOf(condition);
    return field ? `condition on ${field.label}` : 'condition';
  };
  const next = conditions.length < max && first ? conditionOn(first) : undefined;
  return (
    <ControlRows
      title="Where"
      one="condition"
      items={conditions}
      next={next}
      nameOfRow={nameOfRow}
      row={row}
      onChange={onChange}
    />
  );
}
