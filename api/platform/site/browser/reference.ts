/** Scalar's script, which the page loads first. */
declare const Scalar: { createApiReference(container: Element | null, settings: object): void };

// Starts Scalar with the OpenAPI document that the page names. Scalar loads nothing from other hosts.
const container = document.querySelector<HTMLElement>('#content');
const sends = container?.dataset['sends'] === 'true';
Scalar.createApiReference(container, {
  url: container?.dataset['document'],
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideDarkModeToggle: true,
  // Webhooks are sent by the platform, so there is no server to choose and no request to try out.
  ...(sends ? {} : { hideTestRequestButton: true, hiddenClients: true, servers: [] }),
  operationTitleSource: 'path',
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
