import { readFileSync } from 'node:fs';
import path from 'node:path';
import { newInterview } from '../../harness/platform/platform';
import type { Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});

const create = (more: Record<string, unknown> = {}, token?: string) =>
  platform.call('job-interview-create', {
    body: newInterview(platform.stack, more),
    ...(token ? { token } : {}),
  });
const idOf = (created: Reply) => String(created.body['interview_def_set_id']);
const read = async (created: Reply) => {
  expect(created.body).not.toHaveProperty('error');
  expect(created.status).toBe(200);
  const reply = await platform.call('job-interview-get', { query: { position_id: idOf(created) } });
  expect(reply.status).toBe(200);
  return reply.body;
};

describe('job-interview-create', () => {
  it('returns what the README shows after its command', async () => {
    const readme = readFileSync(path.join(__dirname, '../../../README.md'), 'utf8');
    const [, body = '', printed = ''] =
      /job-interview-create \\[^]*?-d '([^']+)'[^]*?```json\n([^]*?)```/.exec(readme) ?? [];
    const reply = await platform.call('job-interview-create', {
      body: JSON.parse(body) as Record<string, unknown>,
    });
    expect([reply.status, reply.body]).toEqual([
      200,
      { ...(JSON.parse(printed) as Reply['body']), interview_def_set_id: expect.any(String) },
    ]);
  });

  let full: Reply;
  beforeAll(async () => {
    full = await create({
      interview_length: 2,
      max_duration: 240,
      max_followups: 2,
      include_rapport_question: true,
      instructional_video: true,
      welcome_message: 'Hello from us!',
      instructional_video_custom_text: 'Look at this film.',
      thank_you_message: 'Bye from us.',
      custom_scoring: { max_score: 20, early_stop: true, max_retries: 9 },
      interview_attempts: 3,
      is_embedded: true,
    });
  });

  it('stores the defaults for a call with the seven required fields', async () => {
    const definition = await read(await create({ interview_length: undefined }));
    expect(definition).toMatchObject({
      name: 'Backend engineer',
      status: 'active',
      is_multistage: false,
      interview_location: 'Amsterdam',
      environment: 'production',
      type: 'interview',
      type_credit: null,
      max_duration: 1200,
      result_view: 'minimal',
      candidate_video_introduction: 'hidden',
      required_pronunciation: false,
      result_enable_edit_transcript: true,
      recording: null,
      recording_full_session: null,
      result_scoring: null,
      candidate_notification_channel: null,
      creation_parameters: {
        interview_type: 'pre-screening',
        interview_tone: 'relaxed',
        include_rapport_question: false,
        include_closing_prompt: true,
        additional_context: null,
        knowledge_base_store_id: null,
        hiring_for_company: null,
      },
    });
  });

  it('merges custom_scoring and interview_attempts over the defaults, where the attempts win', async () => {
    const merged = await read(full);
    expect(merged['result_scoring']).toEqual({
      max_score: 20,
      early_stop: true,
      speech_cadence: 0,
      ai_pronunciation: 0,
      sentiment_analysis: 0,
      ai_assessment_answer: 0.5,
      ai_assessment_resume: 0,
      ai_assessment_session: 0.5,
      max_retries: 3,
    });
  });

  it.each([
    ['interview', 'draft', null, '40 as 2, which max_duration 300 allows', 40, 300, 2],
    ['assessment', 'archived', null, '5 as 1, the minimum, with max_duration 120', 5, 120, 1],
    ['coaching', 'preparing', 'interview_coach_manager', 'of a numeric text', '4', undefined, 4],
    ['persona', 'completed', 'interview_coach_manager', 'exactly at the limit of max_duration', 10, 1200, 10],
    [
      'persona_interview',
      'active',
      'interview_coach_manager',
      'from max_duration when it is omitted',
      undefined,
      360,
      3,
    ],
    ['public_avatar', 'active', 'interview_coach_manager', 'as sent', 1, undefined, 1],
  ])(
    'stores the type %s and the status %s as sent, with the type_credit %s, and uses interview_length %s',
    async (type, status, type_credit, _length, interview_length, max_duration, count) => {
      const created = await create({ type, status, interview_length, max_duration });
      expect(created.body).toMatchObject({
        questions_generated: count,
        max_duration: max_duration ?? 1200,
      });
      const definition = await read(created);
      expect(definition).toMatchObject({ type, status, type_credit });
      // The reply lists the closing prompt as one more question.
      expect(definition['questions']).toHaveLength(count + 1);
    },
  );

  it('returns the key for is_embedded once, and stores its secret encrypted', async () => {
    const { embed_id: embedId, embed_signing_key: secret } = full.body;
    expect(embedId).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(String(secret).length).toBeGreaterThan(40);
    const rows = await platform.database.rows<{ id: string; interview_id: string; sealed: Buffer }>(
      'select id, interview_id, signing_key_sealed as sealed from embed_key where interview_id = $1',
      [idOf(full)],
    );
    expect(rows).toEqual([{ id: embedId, interview_id: idOf(full), sealed: expect.any(Buffer) }]);
    expect(rows[0]?.sealed.includes(String(secret))).toBe(false);
    expect(JSON.stringify(await read(full))).not.toContain(String(secret));
    const again = await platform.call('job-interview-set-state', {
      body: { position_id: idOf(full), is_embedded: true },
    });
    expect(again.body).toEqual({ success: true });
  });

  it('stores an interview with the status deleted, which is never shown', async () => {
    const created = await create({ status: 'deleted' });
    expect(created.status).toBe(200);
    const rows = await platform.database.rows('select status, built_at from interview where id = $1', [
      idOf(created),
    ]);
    expect(rows).toEqual([{ status: 'deleted', built_at: expect.any(Date) }]);
    const unknown = '0198ffff-0000-7000-8000-000000000000';
    for (const [operation, body] of [
      ['job-interview-get', undefined],
      ['job-interview-update', { name: 'Back again' }],
      ['job-interview-set-state', { status: 'active' }],
    ] as const) {
      const ask = (id: string) =>
        platform.call(
          operation,
          body ? { body: { ...body, position_id: id } } : { query: { position_id: id } },
        );
      const [deleted, absent] = [await ask(idOf(created)), await ask(unknown)];
      expect(deleted.status).toBe(404);
      expect(deleted.text).toBe(absent.text);
    }
  });

  it('succeeds for 12 simultaneous calls, more than the API has database connections', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => create({ name: `Waiter ${index}` })),
    );
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(replies.map(idOf)).size).toBe(12);
    expect(
      await platform.database.rows(`select count(*)::int as built from interview i
        where name like 'Waiter %' and built_at is not null
          and (select count(*) from interview_question l where l.interview_id = i.id) = 6`),
    ).toEqual([{ built: 12 }]);
  });
});
