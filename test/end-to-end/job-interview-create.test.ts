import { newInterview, startPlatform } from '../harness/platform';
import type { Platform } from '../harness/platform';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

describe('job-interview-create', () => {
  it('creates an interview that job-interview-get answers', async () => {
    const created = await platform.call('job-interview-create', { body: newInterview(platform.stack) });
    expect(created.body).toEqual({
      interview_def_set_id: expect.any(String),
      questions_generated: 3,
      max_duration: 1200,
      embed_id: null,
    });
    expect(created.status).toBe(200);

    const read = await platform.call('job-interview-get', {
      query: { position_id: String(created.body['interview_def_set_id']) },
    });
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject({ name: 'Backend engineer', status: 'active', is_multistage: false });
    expect(read.body['questions']).toHaveLength(4);
  });
});
