import { workflowLink } from '../../../api/platform/site/temporal-link';

describe('the name of a workflow', () => {
  it.each([
    [
      'https://temporal.example.com',
      '<a class="mono" href="https://temporal.example.com/namespaces/own/workflows/a%2Fb" rel="noreferrer">a/b</a>',
    ],
    [undefined, '<span class="mono">a/b</span>'],
  ])('leads to the Temporal UI where there is one: %s', (url, expected) => {
    expect(workflowLink({ temporalUi: { url, namespace: 'own' } }, 'a/b').text).toBe(expected);
  });
});
