import type { VNode } from 'preact';
import { Mono } from './elements';
import type { ConsoleDeps } from './visitor';

/** Shows a workflow by its id, with a link into the Temporal UI if the deployment has one. */
export function WorkflowLink({ temporalUi, id }: Pick<ConsoleDeps, 'temporalUi'> & { id: string }): VNode {
  if (temporalUi.url === undefined) return <Mono>{id}</Mono>;
  const path = ['namespaces', temporalUi.namespace, 'workflows', id].map(encodeURIComponent).join('/');
  return (
    <a class="mono" href={`${temporalUi.url}/${path}`} rel="noreferrer">
      {id}
    </a>
  );
}
