import { templateTypes } from '../../../db/platform/vocabulary';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations();
});

describe('interview-template-list', () => {
  it('returns one template of every type without paging, the two oldest as not usable', async () => {
    const { body } = await platform.call('interview-template-list');
    expect(body['pagination']).toEqual({
      total: 6,
      limit: 50,
      offset: 0,
      has_more: false,
      next_cursor: null,
    });
    expect(body['data']).toEqual(
      [...templateTypes].sort().map((type) => ({
        id: platform.stack.template_ids[type],
        name: expect.any(String),
        type,
        platform_language_code: null,
        status: 'active',
        usable: type !== 'offline_avatar_1' && type !== 'offline_avatar_2',
      })),
    );
  });
});
