import { WorkflowLink } from '../../../api/platform/site/workflow-link';
import { render } from '../../harness/identity/visitor';

describe('WorkflowLink', () => {
  it.each([
    [
      'https://temporal.example.com',
      '<a class="mono" href="https://temporal.example.com/namespaces/own/workflows/a%2Fb" rel="noreferrer">a/b</a>',
    ],
    [undefined, '<span class="mono">a/b</span>'],
  ])('links to the Temporal UI if there is one: %s', (url, expected) => {
    expect(render(<WorkflowLink temporalUi={{ url, namespace: 'own' }} id="a/b" />)).toBe(expected);
  });
});
