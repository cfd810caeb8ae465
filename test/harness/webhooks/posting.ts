import type { PostRequest } from '../../../activities/providers/webhook-attempt';
import { createWebhookPost } from '../../../activities/providers/webhook-post';
import type { WebhookPost } from '../../../activities/providers/webhook-post';
import { readRange } from '../../../api/platform/text/ip-address';
import { answer, startReceiver } from './receiver';
import type { Behaviour, Receiver } from './receiver';

const allowedRanges = [readRange('127.0.0.0/8')].filter((range) => range !== undefined);
export const postedHeaders = {
  'content-type': 'application/json',
  'X-Api-Key': 'key-secret',
  'webhook-id': 'd1',
};

/**
 * Starts a receiver before each test, which responds with 200, and returns functions that post webhooks to this
 * receiver.
 */
export function openPosting() {
  let receiver: Receiver;
  let webhooks: WebhookPost;
  beforeEach(async () => {
    receiver = await startReceiver(answer(200, '{"ok":true}', { 'content-type': 'application/json' }));
    webhooks = createWebhookPost({ allowedRanges, allowedPorts: 'any', allowHttp: true });
  });
  afterEach(async () => {
    await webhooks.close();
    await receiver.close();
  });
  const post = (changes: Partial<PostRequest> = {}) =>
    webhooks.post({
      url: `${receiver.url}/hooks?a=%20b`,
      headers: postedHeaders,
      body: '{"id":"ä"}',
      timeoutMs: 20_000,
      ...changes,
    });
  return {
    receiver: () => receiver,
    post,
    /**
     * Posts to a receiver that responds with `behave`, and checks that the result does not contain the word `secret`.
     * The headers of the request contain this word.
     */
    postTo: async (behave: Behaviour, changes: Partial<PostRequest> = {}) => {
      receiver.behave = behave;
      const result = await post(changes);
      expect(JSON.stringify(result)).not.toContain('secret');
      return result;
    },
  };
}
