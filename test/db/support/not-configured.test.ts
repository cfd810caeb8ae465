import { merchantFeatureRequest } from '../../../api/support/merchant-feature-request';
import { errorBody } from '../../harness/platform/error-body';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations({ supportDesk: false, featureBoard: false });
});

const whileRevoked = async (call: () => Promise<{ status: number }>) => {
  await platform.database.rows('update session set revoked_at = now()');
  expect((await call()).status).toBe(401);
  await platform.database.rows('update session set revoked_at = null');
};

describe('merchant-technical-issue without a support desk', () => {
  it('returns 503 and stores nothing, and 401 for a revoked session', async () => {
    const report = () =>
      platform.call('merchant-technical-issue', { body: { description: 'The page stays blank.' } });
    const { status, body } = await report();
    expect([status, body]).toEqual([503, errorBody('support_unavailable')]);
    expect(await platform.database.rows('select from technical_issue')).toEqual([]);
    await whileRevoked(report);
  });
});

describe('merchant-feature-request without a board', () => {
  it('returns 503 and stores nothing, 422 for a wrong text and 401 for a revoked session', async () => {
    const ask = (more = {}) =>
      platform.call('merchant-feature-request', { body: { ...merchantFeatureRequest.example, ...more } });
    const { status, body } = await ask();
    expect([status, body]).toEqual([503, errorBody('feature_board_unavailable')]);
    expect((await ask({ title: 'Four' })).status).toBe(422);
    await whileRevoked(ask);
    expect(await platform.database.rows('select from feature_request')).toEqual([]);
  });
});
