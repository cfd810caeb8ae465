import type { VNode } from 'preact';
import { measureLimits } from '../language/block-shapes';
import type { DataType } from '../language/block-shapes';
import { maxContent, maxTitle, maxWidth } from '../language/limits';
import { catalog, editDefinition } from './builder-state';
import { Conditions } from './conditions';
import {
  JsonInstead,
  CheckboxControl,
  FieldSelect,
  toLabeledOptions,
  toNamedOptions,
  NumberField,
  ControlRows,
  Select,
  Text,
} from './controls';
import { changeBlock, datasetOf, fieldIdOf, listOrEmpty, replaceBlock, shapeOf, widthOf } from './edits';
import type { BlockDraft, Dataset, BlockEntry, Field } from './edits';
import { fitBlock, fitsDimension, fitsMeasure, fieldToBlockEntry } from './fit-block';

type EntriesProps = {
  title: 'Dimensions' | 'Measures';
  entries: BlockEntry[];
  fields: Field[];
  /** Returns true if a field can stand after these fields. */
  fits: (field: Field, before: Field[]) => boolean;
  range: readonly number[];
  onChange: (entries: BlockEntry[]) => void;
};

/** The controls for the dimensions or measures of a block, in their order. */
function Entries({ title, entries, fields, fits, range: [min = 0, max = 0], onChange }: EntriesProps): VNode {
  const fieldOf = (entry: BlockEntry) => fields.find(({ id }) => id === fieldIdOf(entry));
  const used = entries.flatMap((entry) => fieldOf(entry) ?? []);
  const optionsAt = (at: number, chosen?: Field) =>
    fields.filter((field) => field === chosen || (!used.includes(field) && fits(field, used.slice(0, at))));
  const next = entries.length < max ? optionsAt(entries.length)[0] : undefined;
  const row = (entry: BlockEntry, at: number) => {
    const field = fieldOf(entry);
    if (!field || (typeof entry === 'object' && entry.field === undefined))
      return <JsonInstead value={entry} />;
    const change = (changed: BlockEntry) => onChange(entries.with(at, changed));
    return (
      <>
        <FieldSelect
          label={`${title} ${at + 1}`}
          field={field}
          fields={optionsAt(at, field)}
          onField={(picked) => change(fieldToBlockEntry(picked))}
        />
        {field.grains && (
          <Select
            label={`Grain of ${field.label}`}
            isHidden
            isShort
            value={typeof entry === 'object' ? entry.grain : undefined}
            options={toNamedOptions(field.grains)}
            onValue={(grain) => change({ field: field.id, grain })}
          />
        )}
      </>
    );
  };
  return (
    <ControlRows
      title={title}
      one={title === 'Measures' ? 'measure' : 'dimension'}
      items={entries}
      next={next && fieldToBlockEntry(next)}
      min={min}
      nameOfRow={(entry) => fieldOf(entry)?.label ?? title}
      row={row}
      onChange={onChange}
    />
  );
}

/** Gets the changed keys of a block and the name of the control in which the person is typing. */
type Change = (changes: Partial<BlockDraft>, name?: string) => void;
type PartProps = { block: BlockDraft; onChange: Change };

function Sorting({ block, fields, onChange }: PartProps & { fields: Field[] }): VNode {
  const selected = new Set([...listOrEmpty(block.dimensions), ...listOrEmpty(block.measures)].map(fieldIdOf));
  const [first, ...others] = listOrEmpty(block.sort);
  const options = toLabeledOptions([
    { id: '', label: 'Default' },
    ...fields.filter(({ id }) => selected.has(id)),
  ]);
  const directions = catalog.sort_dirs.map((id) => ({
    id,
    label: id === 'asc' ? 'Ascending' : 'Descending',
  }));
  const pick = (field: string) =>
    onChange({ sort: field === '' ? others : [{ field, dir: first?.dir ?? 'desc' }, ...others] });
  return (
    <div class="builder-row">
      <Select label="Sort by" value={first?.field ?? ''} options={options} onValue={pick} />
      {first && (
        <Select
          label="Direction"
          isShort
          value={first.dir}
          options={toLabeledOptions(directions)}
          onValue={(dir) => onChange({ sort: [{ ...first, dir }, ...others] })}
        />
      )}
    </div>
  );
}

/** The controls for those single values that blocks of this type have. */
function SingleValues({ block, keys, onChange }: PartProps & { keys: readonly string[] }): VNode {
  const { preset } = block.period ?? {};
  const presets = catalog.period_presets.filter((each) => each !== 'custom' || each === preset);
  const optional = (label: string, ids: readonly string[]) => [{ value: '', label }, ...toNamedOptions(ids)];
  const number = (label: string, key: 'limit' | 'goal', limits = {}) =>
    keys.includes(key) && (
      <NumberField
        label={label}
        isShort
        value={block[key]}
        {...limits}
        onValue={(value) => onChange({ [key]: value }, key)}
      />
    );
  const check = (label: string, key: 'totals' | 'others') =>
    keys.includes(key) && (
      <CheckboxControl
        label={label}
        value={block[key] === true}
        onValue={(isChecked) => onChange({ [key]: isChecked || undefined })}
      />
    );
  return (
    <div class="builder-row">
      <Select
        label="Compare with"
        value={block.compare ?? ''}
        options={optional('Nothing', catalog.compare_values)}
        onValue={(compare) => onChange({ compare: compare || undefined })}
      />
      <Select
        label="Period"
        value={preset ?? ''}
        options={optional('That of the report', presets)}
        onValue={(picked) => onChange({ period: picked === '' ? undefined : { preset: picked } })}
      />
      {block.type !== 'kpi' && number('Limit', 'limit', { min: 1, max: catalog.limits.max_rows })}
      {number('Goal', 'goal')}
      {check('Totals', 'totals')}
      {check('Others', 'others')}
    </div>
  );
}

/** The parts of the form that only blocks with data have. */
function DataParts({ dataset: { fields }, ...props }: PartProps & { dataset: Dataset }): VNode | null {
  const { block, onChange } = props;
  const shape = shapeOf(catalog, block.type);
  const dimensions = listOrEmpty(block.dimensions);
  if (!shape) return null;
  return (
    <>
      {shape.dimensions[1] !== 0 && (
        <Entries
          title="Dimensions"
          entries={dimensions}
          fields={fields}
          fits={(field, before) => fitsDimension(block.type, field, before)}
          range={shape.dimensions}
          onChange={(next) => onChange({ dimensions: next })}
        />
      )}
      <Entries
        title="Measures"
        entries={listOrEmpty(block.measures)}
        fields={fields}
        fits={(field) => fitsMeasure(block.type, field)}
        range={measureLimits(block.type as DataType, dimensions.length)}
        onChange={(measures) => onChange({ measures })}
      />
      <Conditions
        where={block.where}
        fields={fields.filter((field) => !field.table_only || block.type === 'table')}
        max={catalog.limits.max_conditions}
        onChange={(where, name) => onChange({ where }, name)}
      />
      {block.type !== 'kpi' && <Sorting {...props} fields={fields} />}
      <SingleValues {...props} keys={shape.keys} />
    </>
  );
}

/**
 * The form of the block at an index. Parts of a block that have no control, such as a filter of a single measure, are
 * edited as JSON.
 */
export function BlockForm({ block, at }: { block: BlockDraft; at: number }): VNode {
  const onChange: Change = (changes, name) =>
    editDefinition((each) => changeBlock(each, at, changes), name && `${at} ${name}`);
  const dataset = datasetOf(catalog, block.dataset);
  const fit = (changes: Partial<BlockDraft>) =>
    editDefinition((each) => replaceBlock(each, at, fitBlock({ ...block, ...changes }, catalog)));
  const text = (key: 'id' | 'title' | 'content_md') => ({
    value: block[key] ?? '',
    onValue: (value: string) => onChange({ [key]: key === 'title' ? value || undefined : value }, key),
  });
  return (
    <>
      <div class="builder-row">
        <Select
          label="Type"
          isShort
          value={block.type}
          options={toNamedOptions(catalog.block_types)}
          onValue={(type) => fit({ type })}
        />
        <Text label="Title" {...text('title')} maxlength={maxTitle} />
        <Text label="ID" isShort {...text('id')} maxlength={40} />
        <NumberField
          label="Width"
          isShort
          value={widthOf(block)}
          min={1}
          max={maxWidth}
          onValue={(width) => width !== undefined && onChange({ width }, 'width')}
        />
      </div>
      {block.type === 'text' && (
        <Text
          label="Text"
          hint="Markdown: **bold**, *italic*, lists and links."
          rows={6}
          {...text('content_md')}
          maxlength={maxContent}
        />
      )}
      {block.type !== 'text' && shapeOf(catalog, block.type) && (
        <Select
          label="Dataset"
          value={block.dataset ?? ''}
          hint={dataset?.description}
          options={toLabeledOptions(catalog.datasets)}
          onValue={(id) => fit({ dataset: id })}
        />
      )}
      {block.type !== 'text' && dataset && <DataParts block={block} onChange={onChange} dataset={dataset} />}
    </>
  );
}
