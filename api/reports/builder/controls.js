/** The controls of the builder's forms. The controls have no names, so that the page's own form does not send them. */
'use strict';
(() => {
  const own = (globalThis.reportBuilder ??= {});
  const { h, Component } = globalThis.preact;
  let count = 0;

  /** A control with its label and a description. `draw` gets the attributes that connect the control with both. */
  class Field extends Component {
    id = `b${(count += 1)}`;

    render({ label, hint, isShort, isHidden, draw }) {
      const { id } = this;
      return h(
        'div',
        { class: isShort ? 'field short' : 'field' },
        h('label', { for: id, class: isHidden ? 'skip' : undefined }, label),
        draw({ id, 'aria-describedby': hint ? `${id}-hint` : undefined }),
        hint && h('span', { class: 'soft small', id: `${id}-hint` }, hint),
      );
    }
  }

  const option = ({ value, label }) => h('option', { value }, label);

  /** A list to choose from. `options` are values with labels, or groups of such options. */
  const Select = ({ value, options, onPick, ...field }) =>
    h(Field, {
      ...field,
      draw: (marks) =>
        h(
          'select',
          { ...marks, value, onChange: (event) => onPick(event.currentTarget.value) },
          options.map((each) =>
            each.group ? h('optgroup', { label: each.group }, each.options.map(option)) : option(each),
          ),
        ),
    });

  const Text = ({ value, onText, type = 'text', rows, maxlength, ...field }) =>
    h(Field, {
      ...field,
      draw: (marks) => {
        const given = {
          ...marks,
          value,
          maxlength,
          autocomplete: 'off',
          onInput: (event) => onText(event.currentTarget.value),
        };
        return rows ? h('textarea', { ...given, rows }) : h('input', { ...given, type });
      },
    });

  /** A number field. `onNumber` gets undefined while the field is empty or its value is invalid. */
  const Number = ({ value, onNumber, min, max, step, ...field }) =>
    h(Field, {
      ...field,
      draw: (marks) =>
        h('input', {
          ...marks,
          type: 'number',
          value: value ?? '',
          min,
          max,
          step,
          onInput: ({ currentTarget }) =>
            onNumber(
              currentTarget.value === '' || !currentTarget.validity.valid
                ? undefined
                : currentTarget.valueAsNumber,
            ),
        }),
    });

  const Check = ({ label, isChecked, onCheck }) =>
    h(
      'label',
      { class: 'check' },
      h('input', {
        type: 'checkbox',
        checked: isChecked,
        onChange: (event) => onCheck(event.currentTarget.checked),
      }),
      h('span', null, label),
    );

  const Button = ({ label, what, onPress, isDisabled = false }) =>
    h(
      'button',
      {
        type: 'button',
        class: 'plain',
        disabled: isDisabled,
        'aria-label': what ? `${label}: ${what}` : undefined,
        onClick: onPress,
      },
      label,
    );

  const Group = ({ title, children }) =>
    h('fieldset', { class: 'builder-group' }, h('legend', null, title), children);

  /** Returns the fields of a dataset as options, in two groups if there are both dimensions and measures. */
  function fieldOptions(fields) {
    const optionsOf = (kind) =>
      fields.filter((field) => field.kind === kind).map(({ id, label }) => ({ value: id, label }));
    const groups = [
      { group: 'Dimensions', options: optionsOf('dimension') },
      { group: 'Measures', options: optionsOf('measure') },
    ].filter(({ options }) => options.length > 0);
    return groups.length === 1 ? groups[0].options : groups;
  }

  const named = (values) => values.map((value) => ({ value, label: own.nameOf(value) }));
  /** Returns the label for an id, such as `Previous year` for `previous_year`. */
  own.nameOf = (id) => (id === 'kpi' ? 'KPI' : id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' '));

  Object.assign(own, { Select, Text, Number, Check, Button, Group, fieldOptions, named });
})();
