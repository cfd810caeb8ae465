import { createEndpointCache } from '../../../activities/webhooks/sender/endpoint-cache';
import { maxEndpoints } from '../../../activities/webhooks/sender/limits';
import type { Query, Statement } from '../../../db/platform/statement';
import type { SendingEndpoint } from '../../../db/webhooks/sending-endpoints';

const rows = (ids: readonly string[]): SendingEndpoint[] =>
  ids.map((id) => ({
    id,
    version: 1,
    url: 'https://example.com/hook',
    custom_headers_sealed: null,
    timeout_seconds: 10,
    retry_waits_ms: null,
    secrets: [],
  }));

describe('the endpoints that a sender keeps in memory', () => {
  it('still include all endpoints of the lease when others fill the memory', async () => {
    const seal = { seal: () => Buffer.alloc(0), open: () => '' };
    const queryAsWorker = <Row>(query: Query<Row>) =>
      Promise.resolve(rows((query as Statement<Row>).values?.[0] as string[]) as Row[]);
    const endpoints = createEndpointCache({ queryAsWorker }, seal);
    const load = (ids: readonly string[]) =>
      endpoints.load(ids.map((endpoint_id) => ({ endpoint_id, version: 1 })));
    await load(['oldest', 'unwanted']);
    await load(['oldest', ...Array.from({ length: maxEndpoints - 1 }, (_, index) => `${index}`)]);
    expect([endpoints.find('oldest')?.version, endpoints.find('unwanted')]).toEqual([1, undefined]);
  });
});
