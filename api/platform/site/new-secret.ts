import type { NewSecret } from './visitor';
import { html } from '../text/html';
import type { Html } from '../text/html';
import { field } from './elements';

/** The panel that shows new secrets. */
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
