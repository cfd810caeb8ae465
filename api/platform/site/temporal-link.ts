import { html } from '../text/html';
import type { Html } from '../text/html';
import type { ConsoleDeps } from './visitor';

/** Shows a workflow by its id, with a link into the Temporal UI if the deployment has one. */
export function workflowLink({ temporalUi }: Pick<ConsoleDeps, 'temporalUi'>, workflowId: string): Html {
  if (temporalUi.url === undefined) return html`<span class="mono">${workflowId}</span>`;
  const path = ['namespaces', temporalUi.namespace, 'workflows', workflowId]
    .map(encodeURIComponent)
    .join('/');
  return html`<a class="mono" href="${temporalUi.url}/${path}" rel="noreferrer">${workflowId}</a>`;
}
