import { html } from '../contracts/html';
import type { Html } from '../contracts/html';
import { field } from './elements';

/** Secrets on the page that answers their making, and on no other. */
export const newSecret = (
  title: string | Html,
  secrets: readonly (readonly [id: string, label: string, secret: string])[],
  more?: Html,
): Html =>
  html`<section class="panel" role="status">
    <h2>${title}: copy it now, it is not shown again</h2>
    <div class="fields">
      ${secrets.map(([id, label, secret]) =>
        field(id, label, html`<input id="${id}" class="mono" readonly value="${secret}" />`),
      )}
    </div>
    ${more}
  </section>`;
