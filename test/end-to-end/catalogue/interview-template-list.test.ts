import { templateTypes } from '../../../db/platform/vocabulary';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

type Template = { id: string; type: string; usable: boolean };
const list = async (query: Record<string, string> = {}) => {
  const { body, status } = await platform.call('interview-template-list', { query });
  expect(status).toBe(200);
  return body as unknown as { data: Template[]; pagination: Record<string, unknown> };
};

describe('interview-template-list', () => {
  it('returns one template of every type without paging, the two oldest as not usable', async () => {
    const { data, pagination } = await list();
    expect(pagination).toEqual({ total: 6, limit: 50, offset: 0, has_more: false });
    expect(data.map(({ type }) => type)).toEqual([...templateTypes].sort());
    expect(data.filter(({ usable }) => !usable).map(({ type }) => type)).toEqual([
      'offline_avatar_1',
      'offline_avatar_2',
    ]);
    expect(Object.fromEntries(data.map(({ type, id }) => [type, id]))).toEqual(platform.stack.template_ids);
    for (const template of data)
      expect(template).toEqual({
        id: expect.any(String),
        name: expect.any(String),
        type: template.type,
        platform_language_code: null,
        status: 'active',
        usable: template.usable,
      });
  });

  it('returns every template once page by page, with has_more until the last page', async () => {
    const { data: whole } = await list();
    const pages = [];
    for (let offset = 0; ; offset += 4) {
      const { data, pagination } = await list({ limit: '4', offset: String(offset) });
      pages.push(data);
      expect(pagination).toEqual({ total: 6, limit: 4, offset, has_more: offset === 0 });
      if (!pagination['has_more']) break;
    }
    expect(pages.flat()).toEqual(whole);
  });
});
