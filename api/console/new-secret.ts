import { html } from '../contracts/html';
import type { Html } from '../contracts/html';
import { field } from './elements';

/** Secrets that the page after an act shows once. */
export type NewSecret = {
  title: string;
  secrets: readonly (readonly [id: string, label: string, secret: string])[];
  note?: string;
};

/** The panel of new secrets. */
export const newSecretPanel = ({ title, secrets, note }: NewSecret): Html =>
  html`<section class="panel" role="status">
    <h2>${title}: copy it now, it is not shown again</h2>
    <div class="fields">
      ${secrets.map(([id, label, secret]) =>
        field(id, label, html`<input id="${id}" class="mono" readonly value="${secret}" />`),
      )}
    </div>
    ${note === undefined ? null : html`<p class="soft">${note}</p>`}
  </section>`;
