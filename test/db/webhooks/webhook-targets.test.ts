import { eachRow } from '../../harness/each-row';
import { openOperations } from '../../harness/platform/operations';
import { webhookCalls } from '../../harness/webhooks/webhook-calls';

describe('webhook-endpoint-create where nothing private is allowed', () => {
  it('returns 422 for an address that is not public, encrypted or at an allowed port', () =>
    eachRow(
      [
        ['http://example.com/', 'url must begin with https://.'],
        ['https://example.com:8444/', 'url must use one of these ports: 443, 8443.'],
        ['https://127.1:8443/', 'url must not name the address 127.0.0.1: it is not public.'],
      ],
      async (url, error) => {
        const webhookTargets = { allowedRanges: [], allowedPorts: [8443], allowHttp: false };
        const platform = await openOperations({ webhookTargets });
        const { status, body } = await webhookCalls(platform).create({
          events: ['interview_collected'],
          url,
        });
        expect([status, body.error]).toEqual([422, error]);
      },
    ));
});
