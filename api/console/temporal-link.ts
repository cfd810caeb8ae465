import { html } from '../contracts/html';
import type { Html } from '../contracts/html';
import type { ConsoleDeps } from './visit';

/** A workflow by its id: a link into the Temporal UI, where there is one to link to. */
export function workflowLink({ temporalUi }: Pick<ConsoleDeps, 'temporalUi'>, workflowId: string): Html {
  if (temporalUi.url === undefined) return html`<span class="mono">${workflowId}</span>`;
  const path = ['namespaces', temporalUi.namespace, 'workflows', workflowId]
    .map(encodeURIComponent)
    .join('/');
  return html`<a class="mono" href="${temporalUi.url}/${path}" rel="noreferrer">${workflowId}</a>`;
}
