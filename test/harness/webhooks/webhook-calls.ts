import type { Operations } from '../platform/operations';
import type { Reply } from '../platform/platform';

/** Returns functions that call the webhook operations. Each function is named after what its operation does. */
export const webhookCalls = (platform: Operations, token?: string) => {
  const post = (name: string) => (body: Record<string, unknown>) =>
    platform.call(name, { body, ...(token ? { token } : {}) });
  const get =
    (name: string) =>
    (query: Record<string, string> = {}) =>
      platform.call(name, { query, ...(token ? { token } : {}) });
  return {
    create: post('webhook-endpoint-create'),
    update: post('webhook-endpoint-update'),
    list: get('webhook-endpoint-list'),
    get: get('webhook-endpoint-get'),
    remove: post('webhook-endpoint-delete'),
    pause: post('webhook-endpoint-pause'),
    resume: post('webhook-endpoint-resume'),
    rotate: post('webhook-endpoint-rotate-secret'),
    test: post('webhook-endpoint-test'),
    deliveries: get('webhook-delivery-list'),
    delivery: get('webhook-delivery-get'),
    retry: post('webhook-delivery-retry'),
    replay: post('webhook-delivery-replay'),
    replayState: get('webhook-replay-get'),
    cancelReplay: post('webhook-replay-cancel'),
  };
};

/** Creates an endpoint with the API. */
export async function makeEndpoint(
  platform: Operations,
  more: Record<string, unknown> = {},
): Promise<{ id: string; signing_secret: string }> {
  const reply = await webhookCalls(platform).create({
    url: 'https://example.com/webhooks',
    events: ['interview_result', 'interview_collected', 'interview_failed'],
    ...more,
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return { id: String(reply.body['id']), signing_secret: String(reply.body['signing_secret']) };
}

/** Returns the status, the sentence and the name of the field of an error reply. */
export const refusal = ({ status, body }: Reply) => [status, body.error, body.name];
