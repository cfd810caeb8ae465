import { InterviewPlatform, SyncCursorExpiredError } from '../../../clients/typescript/src/index';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let client: InterviewPlatform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  const { base_url: baseUrl, tokens } = platform.stack;
  client = new InterviewPlatform({ baseUrl, token: tokens.merchant_owner });
});

describe('client.sync.follow', () => {
  it('copies what exists, waits, and then gets what was created', async () => {
    const { id: before } = await client.knowledgeBaseCreate({ name: 'Before', text: 'We open at nine.' });
    const names = new Map<string, string>();
    let after = '';
    for await (const page of client.sync.follow({ objects: ['knowledge_base'], limit: 1, intervalMs: 50 })) {
      for (const entry of page.data)
        if (entry.object === 'knowledge_base') names.set(entry.id, entry.body.name);
      if (after !== '' && names.has(after)) break;
      if (page.has_more || after !== '') continue;
      expect(names.get(before)).toBe('Before');
      ({ id: after } = await client.knowledgeBaseCreate({ name: 'After', text: 'We open at nine.' }));
    }
    expect(names.get(after)).toBe('After');
  });

  it('throws an error of its own for a cursor of other objects', async () => {
    const { cursor } = await client.sync({ objects: ['report'], limit: 1 });
    const other = client.sync.follow({ objects: ['interview'], cursor });
    await expect(other.next()).rejects.toBeInstanceOf(SyncCursorExpiredError);
  });
});
