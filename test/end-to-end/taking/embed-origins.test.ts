import { newInterview } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { embedCalls } from '../../harness/taking/embed';

let platform: Platform;
let candidates: ReturnType<typeof candidateCalls>;
let embeds: ReturnType<typeof embedCalls>;
let interviewId: string;
const site = 'https://careers.example.com';
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  candidates = candidateCalls(platform);
  embeds = embedCalls(platform);
  interviewId = await candidates.makeInterview([{ question: 'One?' }]);
  await embeds.makeKey(interviewId);
});

const rows = (text: string, ...values: unknown[]) => platform.database.rows(text, values);

describe('embed_origins', () => {
  const set = (position_id: string, fields: Record<string, unknown>) =>
    platform.call('job-interview-set-state', { body: { position_id, ...fields } });

  it('are replaced, and kept by other calls', async () => {
    const own = await candidates.makeInterview([{ question: 'One?' }]);
    const { embed_id } = await embeds.makeKey(own, [site]);
    const stored = async () =>
      (await rows('select embed_origins from embed_key where id = $1', embed_id))[0]?.['embed_origins'];
    expect(await stored()).toEqual([site]);
    expect((await set(own, { embed_origins: ['https://a.example', 'https://a.example'] })).body).toEqual({
      success: true,
    });
    expect(await stored()).toEqual(['https://a.example']);
    await set(own, { is_embedded: true });
    expect(await stored()).toEqual(['https://a.example']);
    await set(own, { embed_origins: [] });
    expect(await stored()).toEqual([]);
  });

  it('are returned with the interview, and null without an embed key', async () => {
    const own = await candidates.makeInterview([{ question: 'One?' }]);
    const shown = async (position_id: string) =>
      (await platform.call('job-interview-get', { query: { position_id } })).body['embed_origins'];
    expect(await shown(own)).toBeNull();
    await embeds.makeKey(own, [site]);
    expect(await shown(own)).toEqual([site]);
    await set(own, { is_embedded: false });
    expect([await shown(own), await shown(platform.stack.ids.position)]).toEqual([null, null]);
  });

  it('are a 422 in a creation that makes no embed key', async () => {
    const body = newInterview(platform.stack, { embed_origins: [site] });
    const reply = await platform.call('job-interview-create', { body });
    expect([reply.status, reply.body]).toEqual([
      422,
      expect.objectContaining({ code: 'not_applicable', name: 'embed_origins' }),
    ]);
  });

  it('is a 422 without an embed key and for a position', async () => {
    const own = await candidates.makeInterview([{ question: 'One?' }]);
    for (const id of [own, platform.stack.ids.position])
      expect(await set(id, { embed_origins: [site] })).toMatchObject({
        status: 422,
        body: { code: 'not_applicable', name: 'embed_origins' },
      });
  });
});
