/**
 * The form of one block. Parts of a block that have no control, such as a filter of a single measure, are edited as
 * JSON.
 */
'use strict';
(() => {
  const own = (globalThis.reportBuilder ??= {});
  const { h } = globalThis.preact;
  const { Select, Text, Number, Check, Button, Group, Conditions, fieldOptions, named } = own;

  /**
   * The controls for the dimensions or measures of a block, in their order. `fits(field, at)` returns true if a field
   * can be the entry at index `at`.
   */
  function Entries({ title, entries, fields, fits, range: [min, max], onChange }) {
    const isUnused = ({ id }) => !entries.some((entry) => own.fieldIdOf(entry) === id);
    const optionsAt = (at, chosen) =>
      fields.filter((field) => field === chosen || (isUnused(field) && fits(field, at)));
    const [next] = optionsAt(entries.length);
    const change = (at, entry) => onChange(entries.with(at, entry));
    return h(
      Group,
      { title },
      h(
        'ul',
        { class: 'builder-rows' },
        entries.map((entry, at) => {
          const field = fields.find(({ id }) => id === own.fieldIdOf(entry));
          const isPlain = field && (typeof entry === 'string' || entry.field !== undefined);
          return h(
            'li',
            { key: at, class: 'builder-row' },
            isPlain
              ? h(Select, {
                  label: `${title} ${at + 1}`,
                  isHidden: true,
                  value: field.id,
                  hint: field.description,
                  options: fieldOptions(optionsAt(at, field)),
                  onPick: (id) => change(at, own.toEntry(fields.find((each) => each.id === id))),
                })
              : [
                  h('code', null, JSON.stringify(entry)),
                  h('span', { class: 'soft small' }, ' Edit it as JSON. '),
                ],
            isPlain &&
              field.grains &&
              h(Select, {
                label: `Grain of ${field.label}`,
                isHidden: true,
                isShort: true,
                value: entry.grain,
                options: named(field.grains),
                onPick: (grain) => change(at, { ...entry, grain }),
              }),
            entries.length > min &&
              h(Button, {
                label: 'Remove',
                what: field?.label ?? title,
                onPress: () => onChange(entries.toSpliced(at, 1)),
              }),
          );
        }),
      ),
      h(Button, {
        label: `Add ${title.toLowerCase().replace(/s$/, '')}`,
        isDisabled: entries.length >= max || !next,
        onPress: () => onChange([...entries, own.toEntry(next)]),
      }),
    );
  }

  function Sorting({ block, fields, catalog, onChange }) {
    const selected = new Set([...(block.dimensions ?? []), ...(block.measures ?? [])].map(own.fieldIdOf));
    const [first, ...others] = Array.isArray(block.sort) ? block.sort : [];
    const options = fields
      .filter(({ id }) => selected.has(id))
      .map(({ id, label }) => ({ value: id, label }));
    const change = (entry) => onChange({ sort: entry ? [entry, ...others] : others });
    return h(
      'div',
      { class: 'builder-row' },
      h(Select, {
        label: 'Sort by',
        value: first?.field ?? '',
        options: [{ value: '', label: 'Default' }, ...options],
        onPick: (field) => change(field === '' ? undefined : { field, dir: first?.dir ?? 'desc' }),
      }),
      first &&
        h(Select, {
          label: 'Direction',
          isShort: true,
          value: first.dir,
          options: catalog.sort_dirs.map((dir) => ({
            value: dir,
            label: dir === 'asc' ? 'Ascending' : 'Descending',
          })),
          onPick: (dir) => change({ ...first, dir }),
        }),
    );
  }

  const noPeriod = { value: '', label: 'That of the report' };

  function Numbers({ block, keys, catalog, onChange }) {
    const has = (key) => keys.includes(key);
    const presets = catalog.period_presets.filter((preset) => preset !== 'custom');
    const { preset } = block.period ?? {};
    return h(
      'div',
      { class: 'builder-row' },
      has('compare') &&
        h(Select, {
          label: 'Compare with',
          value: block.compare ?? '',
          options: [{ value: '', label: 'Nothing' }, ...named(catalog.compare_values)],
          onPick: (compare) => onChange({ compare: compare || undefined }),
        }),
      has('period') &&
        h(Select, {
          label: 'Period',
          value: preset ?? '',
          options: [noPeriod, ...named(preset === 'custom' ? ['custom', ...presets] : presets)],
          onPick: (picked) => onChange({ period: picked === '' ? undefined : { preset: picked } }),
        }),
      has('limit') &&
        block.type !== 'kpi' &&
        h(Number, {
          label: 'Limit',
          isShort: true,
          value: block.limit,
          min: 1,
          max: catalog.limits.max_rows,
          onNumber: (limit) => onChange({ limit }, 'limit'),
        }),
      has('goal') &&
        h(Number, {
          label: 'Goal',
          isShort: true,
          step: 'any',
          value: block.goal,
          onNumber: (goal) => onChange({ goal }, 'goal'),
        }),
      has('totals') &&
        h(Check, {
          label: 'Totals',
          isChecked: block.totals === true,
          onCheck: (on) => onChange({ totals: on || undefined }),
        }),
      has('others') &&
        h(Check, {
          label: 'Others',
          isChecked: block.others === true,
          onCheck: (on) => onChange({ others: on || undefined }),
        }),
    );
  }

  /**
   * `onChange` gets the changed keys and the name of the control in which the person is typing. `onReplace` gets a
   * whole block.
   */
  own.BlockForm = ({ block, catalog, onChange, onReplace }) => {
    const shape = own.shapeOf(catalog, block.type);
    const fields = own.fieldsOf(catalog, block.dataset);
    const dataset = own.datasetOf(catalog, block.dataset);
    const dimensions = Array.isArray(block.dimensions) ? block.dimensions : [];
    const measures = Array.isArray(block.measures) ? block.measures : [];
    return [
      h(
        'div',
        { class: 'builder-row' },
        h(Select, {
          label: 'Type',
          isShort: true,
          value: block.type,
          options: named(catalog.block_types),
          onPick: (type) => onReplace(own.fitBlock({ ...block, type }, catalog)),
        }),
        h(Text, {
          label: 'Title',
          value: block.title ?? '',
          maxlength: 200,
          onText: (title) => onChange({ title: title || undefined }, 'title'),
        }),
        h(Text, {
          label: 'ID',
          isShort: true,
          value: block.id ?? '',
          maxlength: 40,
          onText: (id) => onChange({ id }, 'id'),
        }),
        h(Number, {
          label: 'Width',
          isShort: true,
          value: own.widthOf(block),
          min: 1,
          max: own.maxWidth,
          onNumber: (width) => width !== undefined && onChange({ width }, 'width'),
        }),
      ),
      block.type === 'text' &&
        h(Text, {
          label: 'Text',
          hint: 'Markdown: **bold**, *italic*, lists and links.',
          rows: 6,
          maxlength: 4000,
          value: block.content_md ?? '',
          onText: (text) => onChange({ content_md: text }, 'text'),
        }),
      block.type !== 'text' &&
        shape &&
        h(Select, {
          label: 'Dataset',
          value: block.dataset ?? '',
          hint: dataset?.description,
          options: catalog.datasets.map(({ id, label }) => ({ value: id, label })),
          onPick: (id) => onReplace(own.fitBlock({ ...block, dataset: id }, catalog)),
        }),
      block.type !== 'text' &&
        shape &&
        dataset && [
          shape.dimensions[1] > 0 &&
            h(Entries, {
              title: 'Dimensions',
              entries: dimensions,
              fields,
              fits: (field, at) => own.fitsDimension(block.type, field, at),
              range: shape.dimensions,
              onChange: (next) => onChange({ dimensions: next }),
            }),
          h(Entries, {
            title: 'Measures',
            entries: measures,
            fields,
            fits: (field) => own.fitsMeasure(block.type, field),
            range: own.measureRange(shape, dimensions.length),
            onChange: (next) => onChange({ measures: next }),
          }),
          h(Conditions, {
            where: block.where,
            fields: fields.filter(({ table_only }) => !table_only || block.type === 'table'),
            max: catalog.limits.max_conditions,
            onChange: (where, what) => onChange({ where }, what),
          }),
          shape.keys.includes('sort') &&
            block.type !== 'kpi' &&
            h(Sorting, { block, fields, catalog, onChange }),
          h(Numbers, { block, keys: shape.keys, catalog, onChange }),
        ],
    ];
  };
})();
