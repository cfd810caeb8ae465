import type { VNode } from 'preact';
import type { z } from 'zod';
import type { reportCatalog } from '../report-catalog';

type Dataset = z.output<typeof reportCatalog.reply>['datasets'][number];
type Field = Dataset['fields'][number];

/** Lists the datasets with their fields and descriptions, for the author of a definition. */
export const FieldsPanel = ({ datasets }: { datasets: readonly Dataset[] }): VNode => (
  <section class="panel catalog">
    <h2>Fields</h2>
    <div class="catalog-box" role="region" aria-label="Fields" tabindex={0}>
      {datasets.map(({ id, label, description, fields }, at) => (
        <details open={at === 0}>
          <summary>
            {label} <code>{id}</code>
          </summary>
          <p class="soft small">{description}</p>
          <Fields title="Measures" fields={fields.filter(({ kind }) => kind === 'measure')} />
          <Fields title="Dimensions" fields={fields.filter(({ kind }) => kind === 'dimension')} />
        </details>
      ))}
    </div>
  </section>
);

const Fields = ({ title, fields }: { title: string; fields: readonly Field[] }): VNode => (
  <>
    <h3>{title}</h3>
    <dl>
      {fields.map(({ id, label, type, description, values, grains, table_only }) => (
        <>
          <dt>
            <code>{id}</code>{' '}
            <span class="soft small">{`${label}, ${type}${table_only ? ', tables only' : ''}`}</span>
          </dt>
          <dd>
            {description}
            {values && <span class="soft small"> Values: {values.join(', ')}.</span>}
            {grains && <span class="soft small"> Grains: {grains.join(', ')}.</span>}
          </dd>
        </>
      ))}
    </dl>
  </>
);
