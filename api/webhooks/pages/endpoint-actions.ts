import { deliveryEvents } from '../../../db/webhooks/vocabulary';
import type { ApiError } from '../../platform/operation/api-error';
import { callOperation } from '../../platform/site/call-operation';
import type { OperationResult } from '../../platform/site/call-operation';
import type { Page } from '../../platform/site/layout';
import { oneOf } from '../../platform/site/query';
import { sentText } from '../../platform/site/site';
import type { RedirectWithMessage, RequestData, Site } from '../../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { webhookEndpointDelete } from '../webhook-endpoint-delete';
import { webhookEndpointPause } from '../webhook-endpoint-pause';
import { webhookEndpointResume } from '../webhook-endpoint-resume';
import { webhookEndpointRotateSecret } from '../webhook-endpoint-rotate-secret';
import { webhookEndpointTest } from '../webhook-endpoint-test';
import { webhookEndpointUpdate } from '../webhook-endpoint-update';
import type { EnteredEndpoint } from './endpoint-form';
import { enteredEndpoint } from './endpoint-form';

/** What the page shows after a rejected action: the error and the values that the person entered. */
export type EndpointNote = { entered?: EnteredEndpoint; overlapHours?: string; error?: ApiError };

/** Adds the actions of an endpoint's page. Each of them calls an operation of the API. */
export function addEndpointActions(
  site: Site,
  deps: ConsoleDeps,
  render: (visit: ConsoleVisit, id: string, note?: EndpointNote) => Promise<Page>,
): void {
  /** Adds an action that has only a button. The action redirects, or shows the page with the error. */
  const add = <Reply>(
    act: string,
    call: (visit: ConsoleVisit, id: string, sent: RequestData) => Promise<OperationResult<Reply>>,
    go: (reply: Reply, id: string) => RedirectWithMessage,
  ) =>
    site.post(`console-endpoint-${act}`, `/endpoints/:id/${act}`, async (visit, sent) => {
      const id = sent.params['id'] ?? '';
      const { reply, error } = await call(visit, id, sent);
      return error ? render(visit, id, { error }) : go(reply, id);
    });

  add(
    'pause',
    (visit, endpoint_id) => callOperation(deps, visit, webhookEndpointPause, { endpoint_id }),
    (_reply, id) => ({ goTo: `/endpoints/${id}`, flash: 'Endpoint paused. New events are kept.' }),
  );
  add(
    'resume',
    (visit, endpoint_id) => callOperation(deps, visit, webhookEndpointResume, { endpoint_id }),
    ({ enabled }, id) => ({
      goTo: `/endpoints/${id}`,
      flash: enabled
        ? 'Endpoint resumed. Pending deliveries are being sent.'
        : 'Endpoint resumed, but it is disabled. Enable it below to send pending deliveries.',
    }),
  );
  add(
    'test',
    (visit, endpoint_id, sent) =>
      callOperation(deps, visit, webhookEndpointTest, {
        endpoint_id,
        event: oneOf(deliveryEvents, sentText(sent, 'event')) ?? 'test',
      }),
    ({ delivery_id }) => ({ goTo: `/deliveries/${delivery_id}`, flash: 'Test event queued.' }),
  );
  add(
    'delete',
    (visit, endpoint_id) => callOperation(deps, visit, webhookEndpointDelete, { endpoint_id }),
    ({ cancelled }) => ({
      goTo: '/endpoints',
      flash: `Endpoint deleted. ${cancelled === 1 ? '1 pending delivery was' : `${cancelled} pending deliveries were`} canceled.`,
    }),
  );

  site.post('console-endpoint-rotate-secret', '/endpoints/:id/rotate-secret', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const overlapHours = sentText(sent, 'overlap_hours');
    const { reply, error } = await callOperation(deps, visit, webhookEndpointRotateSecret, {
      endpoint_id: id,
      overlap_hours: Number(overlapHours || NaN),
    });
    if (error) return render(visit, id, { overlapHours, error });
    const { signing_secret, previous_expires_at: endsAt } = reply;
    return {
      goTo: `/endpoints/${id}`,
      flash: 'Signing secret rotated.',
      secret: {
        title: 'New signing secret',
        secrets: [['signing_secret', 'Signing secret', signing_secret]],
        ...(endsAt === null ? {} : { previousEndsAt: endsAt }),
      },
    };
  });

  site.post('console-endpoint-update', '/endpoints/:id', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const { entered, headers, error: unreadable } = enteredEndpoint(sent);
    if (unreadable) return render(visit, id, { entered, error: unreadable });
    const { reply, error } = await callOperation(deps, visit, webhookEndpointUpdate, {
      endpoint_id: id,
      url: entered.url,
      events: entered.events,
      timeout_seconds: Number(entered.timeout_seconds),
      description: entered.description || null,
      enabled: entered.enabled,
      custom_headers: headers ?? (entered.remove_headers ? null : undefined),
    });
    if (error) return render(visit, id, { entered, error });
    const { updated_fields: changed } = reply;
    return {
      goTo: `/endpoints/${id}`,
      flash: changed.length > 0 ? 'Changes saved.' : 'No changes to save.',
    };
  });
}
