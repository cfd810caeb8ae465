/** The controls with which a person edits the conditions of a block. */
'use strict';
(() => {
  const own = (globalThis.reportBuilder ??= {});
  const { h } = globalThis.preact;
  const { Select, Text, Number, Button, Group, fieldOptions, named } = own;

  const numeric = new Set(['integer', 'number', 'percent', 'duration']);
  const lists = new Set(['in', 'not_in']);
  const hasValue = (op) => op !== 'is_null' && op !== 'not_null';
  const opNames = {
    eq: 'is', ne: 'is not', in: 'is one of', not_in: 'is none of', gt: 'is more than', gte: 'is at least', lt: 'is less than',
    lte: 'is at most', between: 'is between', contains: 'contains', not_contains: 'does not contain', starts_with: 'starts with',
    is_null: 'has no value', not_null: 'has a value',
  }; // prettier-ignore

  /** Returns the value that a new condition starts with, or undefined if the operator takes no value. */
  function firstValue(field, op) {
    if (!hasValue(op)) return undefined;
    const single =
      field.type === 'boolean'
        ? true
        : (field.values?.[0] ??
          (numeric.has(field.type) ? 0 : field.type === 'date' ? new Date().toISOString().slice(0, 10) : ''));
    if (op === 'between') return [single, single];
    return lists.has(op) ? [single] : single;
  }

  /**
   * Returns the operator of a new condition. For a text or an id, no value is an obvious default, so the condition
   * starts with an operator that takes no value.
   */
  const firstOp = (field) =>
    (field.type === 'text' && !field.values) || field.type === 'id' ? 'not_null' : field.ops[0];
  const conditionOn = (field, op = firstOp(field)) =>
    own.withKeys({ field: field.id, op }, { value: firstValue(field, op) });

  /** The control for one value of a condition, or for one end of `between`. */
  function Value({ field, value, label, onValue }) {
    const given = { label, isHidden: true, isShort: true };
    if (field.values) return h(Select, { ...given, value, options: named(field.values), onPick: onValue });
    if (field.type === 'boolean')
      return h(Select, {
        ...given,
        value: String(value),
        options: [
          { value: 'true', label: 'True' },
          { value: 'false', label: 'False' },
        ],
        onPick: (picked) => onValue(picked === 'true'),
      });
    if (numeric.has(field.type))
      return h(Number, {
        ...given,
        value,
        step: 'any',
        onNumber: (number) => number !== undefined && onValue(number),
      });
    return h(Text, {
      ...given,
      type: field.type === 'date' ? 'date' : 'text',
      value: String(value ?? ''),
      onText: onValue,
    });
  }

  /** A text area for the values of `in`, one per line. */
  const Lines = ({ field, value, label, onValue }) =>
    h(Text, {
      label,
      isHidden: true,
      hint: field.values ? `One a line: ${field.values.join(', ')}.` : 'One a line.',
      rows: 3,
      value: (Array.isArray(value) ? value : []).join('\n'),
      onText: (text) => {
        const lines = text.split('\n');
        onValue(
          numeric.has(field.type)
            ? lines.map((line) => (line.trim() === '' ? line : globalThis.Number(line)))
            : lines,
        );
      },
    });

  function Values({ field, condition, name, onValue }) {
    const { op, value } = condition;
    if (!hasValue(op)) return null;
    if (lists.has(op)) return h(Lines, { field, value, label: `Values of ${name}`, onValue });
    if (op !== 'between') return h(Value, { field, value, label: `Value of ${name}`, onValue });
    const [from, to] = Array.isArray(value) ? value : [];
    return [
      h(Value, { field, value: from, label: `${name} from`, onValue: (next) => onValue([next, to]) }),
      h(Value, { field, value: to, label: `${name} to`, onValue: (next) => onValue([from, next]) }),
    ];
  }

  /** A condition on one field. `any`, `all` and unknown operators are edited as JSON. */
  function Condition({ condition, fields, onChange, onRemove }) {
    const field = fields.find(({ id }) => id === condition?.field);
    if (!field)
      return h(
        'li',
        { class: 'builder-row' },
        h('code', null, JSON.stringify(condition)),
        h('span', { class: 'soft small' }, ' Edit it as JSON. '),
        h(Button, { label: 'Remove', what: 'condition', onPress: onRemove }),
      );
    const name = field.label;
    return h(
      'li',
      { class: 'builder-row' },
      h(Select, {
        label: 'Field of the condition',
        isHidden: true,
        value: field.id,
        options: fieldOptions(fields),
        hint: field.description,
        onPick: (id) => onChange(conditionOn(fields.find((each) => each.id === id))),
      }),
      h(Select, {
        label: `Operator of ${name}`,
        isHidden: true,
        isShort: true,
        value: condition.op,
        options: field.ops.map((op) => ({ value: op, label: opNames[op] ?? op })),
        onPick: (op) => onChange(conditionOn(field, op)),
      }),
      h(Values, { field, condition, name, onValue: (value) => onChange({ ...condition, value }) }),
      h(Button, { label: 'Remove', what: `condition on ${name}`, onPress: onRemove }),
    );
  }

  own.Conditions = ({ where, fields, max, onChange }) => {
    const conditions = Array.isArray(where) ? where : [];
    return h(
      Group,
      { title: 'Where' },
      h(
        'ul',
        { class: 'builder-rows' },
        conditions.map((condition, at) =>
          h(Condition, {
            key: at,
            condition,
            fields,
            onChange: (next) => onChange(conditions.with(at, next), `condition ${at}`),
            onRemove: () => onChange(conditions.toSpliced(at, 1)),
          }),
        ),
      ),
      h(Button, {
        label: 'Add condition',
        isDisabled: conditions.length >= max || fields.length === 0,
        onPress: () =>
          onChange([
            ...conditions,
            conditionOn(
              fields.find(({ kind, type }) => kind === 'dimension' && type === 'text') ?? fields[0],
            ),
          ]),
      }),
    );
  };
})();
