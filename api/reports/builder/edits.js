/**
 * Changes of a definition. Each function returns a new definition and leaves the old one unchanged, so that the
 * change can be undone.
 */
'use strict';
(() => {
  const own = (globalThis.reportBuilder ??= {});
  const maxWidth = 12;

  const blocksOf = ({ blocks }) => (Array.isArray(blocks) ? blocks : []);
  const withBlocks = (definition, blocks) => ({ ...definition, blocks });
  const datasetOf = (catalog, id) => catalog.datasets.find((dataset) => dataset.id === id);
  const fieldsOf = (catalog, id) => datasetOf(catalog, id)?.fields ?? [];
  const shapeOf = (catalog, type) => catalog.block_shapes.find((shape) => shape.type === type);
  /** Returns the field id of an entry of `dimensions` or `measures`, which is a text or an object. */
  const fieldIdOf = (entry) => (typeof entry === 'string' ? entry : (entry?.field ?? entry?.measure));

  /** Returns the name under which the page shows a block: its title or, if it has no valid title, its id. */
  const titleOf = ({ title, id }) => (typeof title === 'string' && title) || String(id ?? 'Block');

  /** Returns a copy with changed keys. A key whose value becomes undefined or an empty list is removed. */
  function withKeys(object, changes) {
    const next = { ...object, ...changes };
    for (const [key, value] of Object.entries(next))
      if (value === undefined || (Array.isArray(value) && value.length === 0)) delete next[key];
    return next;
  }

  /** Returns the definition with changed keys of a block, or the same definition if there is no such block. */
  function changeBlock(definition, at, changes) {
    const blocks = blocksOf(definition ?? {});
    if (blocks[at] === undefined) return definition;
    return withBlocks(definition, blocks.with(at, withKeys(blocks[at], changes)));
  }
  const replaceBlock = (definition, at, block) =>
    withBlocks(definition, blocksOf(definition).with(at, block));
  const removeBlock = (definition, at) => withBlocks(definition, blocksOf(definition).toSpliced(at, 1));

  function moveBlock(definition, from, to) {
    const blocks = blocksOf(definition);
    const place = Math.min(blocks.length - 1, Math.max(0, to));
    if (blocks[from] === undefined || place === from) return definition;
    return withBlocks(definition, blocks.toSpliced(from, 1).toSpliced(place, 0, blocks[from]));
  }

  const widthOf = ({ width, type }) => (Number.isInteger(width) ? width : type === 'pie' ? 6 : maxWidth);
  const resizeBlock = (definition, at, width) =>
    changeBlock(definition, at, { width: Math.min(maxWidth, Math.max(1, Math.round(width) || 1)) });

  /** Returns an id that no block has, such as `trend` or, if another block has this id, `trend-2`. */
  function freeId(definition, wish) {
    const taken = new Set(blocksOf(definition).map(({ id }) => id));
    const base = wish.replace(/-\d+$/, '').slice(0, 36);
    for (let number = 1; ; number++) {
      const id = number === 1 ? base : `${base}-${number}`;
      if (!taken.has(id)) return id;
    }
  }

  function duplicateBlock(definition, at) {
    const blocks = blocksOf(definition);
    const copy = {
      ...structuredClone(blocks[at]),
      id: freeId(definition, String(blocks[at]?.id ?? 'block')),
    };
    return withBlocks(definition, blocks.toSpliced(at + 1, 0, copy));
  }

  /** Returns true if a dataset has the dimensions that a block type needs. A line, for example, needs a date. */
  const canBe = (type, { fields }, catalog) =>
    fields.filter((field) => fitsDimension(type, field, 0)).length >= shapeOf(catalog, type).dimensions[0];

  /**
   * Adds a block of a type at the end. The block gets the last block's dataset, if that dataset has the needed
   * dimensions, and the first fields of the dataset that fit the type.
   */
  function addBlock(definition, type, catalog) {
    const last = blocksOf(definition).findLast(({ dataset }) => datasetOf(catalog, dataset));
    const sets = [datasetOf(catalog, last?.dataset), ...catalog.datasets];
    const dataset = sets.find((each) => each && canBe(type, each, catalog))?.id;
    const block = { id: freeId(definition, type), type, dataset };
    return withBlocks(definition, [...blocksOf(definition), fitBlock(block, catalog)]);
  }

  /**
   * Returns true if a block of this type can have the field as dimension number `place`, counted from 0. The server
   * makes all further checks.
   */
  function fitsDimension(type, field, place) {
    if (field.kind !== 'dimension' || (field.table_only && type !== 'table')) return false;
    if (type === 'line') return place === 0 ? field.type === 'date' : field.type === 'text';
    if (type === 'pie') return field.type !== 'date';
    return type !== 'funnel' || field.ordered === true;
  }
  const fitsMeasure = (type, field) => field.kind === 'measure' && (!field.table_only || type === 'table');

  /** Returns the minimum and the maximum number of measures of a block with this number of dimensions. */
  function measureRange(shape, dimensions) {
    if (shape.type === 'line' && dimensions > 1) return [1, 1];
    if (shape.type === 'funnel') return dimensions > 0 ? [1, 1] : [2, 8];
    return shape.type === 'table' ? [dimensions > 0 ? 0 : 1, 12] : shape.measures;
  }

  const toEntry = (field) =>
    field.type === 'date'
      ? { field: field.id, grain: field.grains?.includes('week') ? 'week' : field.grains?.[0] }
      : field.id;

  /**
   * Returns the block without the keys that its type or dataset does not allow. Missing keys that the type requires
   * are added.
   */
  function fitBlock(block, catalog) {
    const shape = shapeOf(catalog, block.type);
    const kept = Object.fromEntries(Object.entries(block).filter(([key]) => shape.keys.includes(key)));
    if (block.type === 'text') return { content_md: 'Write a note.', ...kept };
    const dataset = datasetOf(catalog, block.dataset) ?? catalog.datasets[0];
    const byId = new Map(dataset.fields.map((field) => [field.id, field]));
    const fill = (entries, [min, max], fits, entryOf) => {
      const fitting = entries
        .filter((entry, at) => byId.has(fieldIdOf(entry)) && fits(byId.get(fieldIdOf(entry)), at))
        .slice(0, max);
      for (const field of dataset.fields)
        if (
          fitting.length < min &&
          fits(field, fitting.length) &&
          !fitting.some((entry) => fieldIdOf(entry) === field.id)
        )
          fitting.push(entryOf(field));
      return fitting;
    };
    const fits = (field, at) => fitsDimension(block.type, field, at);
    const dimensions = fill(block.dimensions ?? [], shape.dimensions, fits, toEntry);
    const range = measureRange(shape, dimensions.length);
    const measures = fill(
      block.measures ?? [],
      range,
      (field) => fitsMeasure(block.type, field),
      ({ id }) => id,
    );
    const selected = new Set([...dimensions, ...measures].map(fieldIdOf));
    return withKeys(kept, {
      dataset: dataset.id,
      dimensions,
      measures,
      where: kept.where?.filter(({ field }) => field === undefined || byId.has(field)),
      sort: kept.sort?.filter(({ field }) => selected.has(field)),
    });
  }

  /** Returns a shell command that previews a definition, the same as `curlOf` in report-editor.tsx. */
  function curlOf(url, text) {
    const body = `{"definition": ${text}}`.replaceAll("'", `'\\''`);
    return `curl -X POST ${url} \\\n  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  }

  Object.assign(own, {
    maxWidth, blocksOf, fieldsOf, datasetOf, shapeOf, fieldIdOf, withKeys, changeBlock, replaceBlock, removeBlock, moveBlock,
    resizeBlock, duplicateBlock, addBlock, fitBlock, fitsDimension, fitsMeasure, measureRange, toEntry, titleOf, widthOf, curlOf,
  }); // prettier-ignore
})();
