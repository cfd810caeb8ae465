import { Webhook } from 'standardwebhooks';
import { webhooks } from '../../../clients/typescript/src/index';

const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const body = JSON.stringify({ type: 'interview_result', id: 'r1', revision: 2, candidate_name: 'Zoë' });
const now = () => Math.floor(Date.now() / 1000);

describe('webhooks.unwrap', () => {
  it('returns the event of a body that the Standard Webhooks library signed', async () => {
    const headers = {
      'webhook-id': 'm1',
      'webhook-timestamp': String(now()),
      'webhook-signature': `v1,bm90IHRoaXMgb25l v2,x ${new Webhook(secret).sign('m1', new Date(), body)}`,
    };
    await expect(webhooks.unwrap(body, headers, secret)).resolves.toMatchObject({ id: 'r1', revision: 2 });
    await expect(webhooks.unwrap(Buffer.from(body), new Headers(headers), secret)).resolves.toMatchObject({
      candidate_name: 'Zoë',
    });
  });

  it('accepts what the test signer signed, and so does the Standard Webhooks library', async () => {
    const headers = await webhooks.sign(body, secret);
    expect(await webhooks.unwrap(body, headers, secret)).toEqual(JSON.parse(body));
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it.each([
    ['another body', async () => ({ headers: await webhooks.sign(body.replace('2', '3'), secret) })],
    ['another secret', async () => ({ headers: await webhooks.sign(body, 'whsec_AAAAAAAA') })],
    [
      'a time in the past',
      async () => ({ headers: await webhooks.sign(body, secret, { timestamp: now() - 301 }) }),
    ],
    [
      'a time in the future',
      async () => ({ headers: await webhooks.sign(body, secret, { timestamp: now() + 310 }) }),
    ],
    [
      'a missing header',
      async () => ({ headers: { ...(await webhooks.sign(body, secret)), 'webhook-id': undefined } }),
    ],
    [
      'no base64',
      async () => ({ headers: { ...(await webhooks.sign(body, secret)), 'webhook-signature': 'v1,%%%' } }),
    ],
    [
      'a changed id',
      async () => ({ headers: { ...(await webhooks.sign(body, secret)), 'webhook-id': 'm2' } }),
    ],
    [
      'no number as time',
      async () => ({ headers: { ...(await webhooks.sign(body, secret)), 'webhook-timestamp': 'NaN' } }),
    ],
  ])('rejects %s', async (_what, make) => {
    const { headers } = await make();
    await expect(webhooks.unwrap(body, headers, secret)).rejects.toBeInstanceOf(
      webhooks.WebhookSignatureError,
    );
  });

  it('says so if the secret is not one', async () => {
    await expect(webhooks.sign(body, 'whsec_')).rejects.toThrow(TypeError);
    await expect(webhooks.unwrap(body, await webhooks.sign(body, secret), '')).rejects.toThrow(TypeError);
  });
});

describe('webhooks.handle', () => {
  const send = async (type: string, handlers: webhooks.WebhookHandlers) => {
    const text = JSON.stringify({ type });
    return webhooks.handle(text, await webhooks.sign(text, secret), secret, handlers);
  };

  it('calls the function of the event, and `other` for all others', async () => {
    const handlers = {
      interview_result: () => 'result',
      other: ({ type }: { type: string }) => `other: ${type}`,
    };
    expect(await send('interview_result', handlers)).toBe('result');
    expect(await send('interview_failed', handlers)).toBe('other: interview_failed');
    expect(await send('constructor', handlers)).toBe('other: constructor');
    expect(await send('test', {})).toBeUndefined();
  });
});
