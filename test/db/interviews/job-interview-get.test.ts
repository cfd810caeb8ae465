import { interviewDefinition } from '../../../api/interviews/interview-definition';
import { question } from '../../../api/interviews/question';
import { templateTypes } from '../../../db/platform/vocabulary';
import { interviewId } from '../../../local/seed/fixed-id';
import { eachRow } from '../../harness/each-row';
import { makeKey } from '../../harness/identity/accounts';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import { ours } from '../../harness/webhooks/webhook-rows';

let platform: OperationsWithWorker;
beforeAll(async () => {
  platform = await openOperationsWith(await startInterviewWorker());
});

let calls: ReturnType<typeof definitionCalls>;
beforeAll(async () => {
  calls = definitionCalls(platform);
});

/** Fields that are null for a position (docs/interviews.md#definitions-and-positions). */
const nullForPositions =
  `questions question_videos stage type environment knowledge_base_store_id speech_language_code
  speech_language_name interview_template_type is_voice_only recording recording_full_session type_credit
  price_per_attempt result_view candidate_video_introduction candidate_expectations
  candidate_expectations_json result_scoring calc_definition_json creation_parameters embed_id position_id
  embed_origins welcome_message instructional_video_custom_text thank_you_message interview_tone
  pdf_export_auto_config tags coach_plan interview_conversation_speed max_followups max_duration
  questions_random_subset required_pronunciation result_enable_edit_transcript next_step_text
  answer_within_days persona`.split(/\s+/);
const allKeys = Object.keys(interviewDefinition.shape).sort();

describe('job-interview-get', () => {
  it('returns every documented field of a minimal interview, null where empty', async () => {
    const { definition } = await calls.build([given('One?')]);
    expect(Object.keys(definition).sort()).toEqual(allKeys);
    expect(allKeys).toHaveLength(62);
    expect(definition).toMatchObject({
      is_multistage: false,
      code: null,
      cover_image_url: null,
      stage: null,
      slug: null,
      position_id: null,
      steps: null,
      hiring_for_company: null,
      tags: null,
      result_scoring: null,
      pdf_export_auto_config: null,
      candidate_notification_channel: null,
      speech_language_code: 'en-US',
      speech_language_name: 'English',
    });
    const [first] = definition.questions;
    expect(Object.keys(first ?? {}).sort()).toEqual(Object.keys(question.shape).sort());
    expect(first).toMatchObject({ label: null, question_alternatives: null, external_data: null });
    for (const stamp of [definition['created_at'], definition.updated_at])
      expect(stamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('returns null for a position exactly where the documentation says so', async () => {
    const position = platform.stack.ids.position;
    await platform.database.rows(
      `update position set code = 'C', cover_image_url = 'https://a.example/b', slug = 's',
         interview_description_long = 'L', interview_department = 'D', interview_salary = 'S',
         interview_available_till = '2999-01-01',
         hiring_for_company = '{"name": "Acme"}', candidate_notification_channel = 'all',
         recruiter_profile_id = (select recruiter_profile_id from interview where id = $2)
       where id = $1`,
      [position, interviewId('screening')],
    );
    const definition = await calls.read(position);
    expect(Object.keys(definition).sort()).toEqual(allKeys);
    const empty = allKeys.filter((key) => definition[key] === null);
    expect(empty).toEqual([...nullForPositions].sort());
    expect(definition).toMatchObject({
      is_multistage: true,
      name: 'Customer support agent',
      interview_template_id: platform.stack.template_ids.interactive_voice,
    });
  });

  const prices: Partial<Record<string, number>> = {
    interactive_voice: 1,
    interactive_avatar_1: 2.5,
    interactive_avatar_2: 1.25,
  };
  it('returns the type of the template, whether it is voice only, and the price', () =>
    eachRow(templateTypes, async (type) => {
      const { id } = await calls.build([given('One?')]);
      await platform.database.rows(
        `update interview set interview_template_id = $2, max_duration = 1200, recording = null,
           recording_full_session = null where id = $1`,
        [id, platform.stack.template_ids[type]],
      );
      expect(await calls.read(id)).toMatchObject({
        interview_template_id: platform.stack.template_ids[type],
        interview_template_type: type,
        is_voice_only: type === 'interactive_voice',
        price_per_attempt: prices[type] ?? 0.35,
      });
    }));

  it('returns the price 0 outside production and in the plan Special', async () => {
    const { id } = await calls.build([given('One?')]);
    const account = (plan: string) =>
      platform.database.rows('update credit_account set plan = $1 where merchant_id = $2', [
        plan,
        platform.stack.merchant_id,
      ]);
    await account('Special');
    expect(await calls.read(id)).toMatchObject({ price_per_attempt: 0 });
    await account('Growth');
    const [uat] = await platform.database.rows<{ id: string }>(
      `select id from interview where environment = 'uat' and status = 'active' and merchant_id = $1 limit 1`,
      [platform.stack.merchant_id],
    );
    const reply = await platform.call('job-interview-get', {
      token: await makeKey(platform, platform.stack.merchant_id, 'uat'),
      query: { position_id: uat?.id ?? '', merchant_id: platform.stack.merchant_id },
    });
    expect(reply.body).toMatchObject({ environment: 'uat', price_per_attempt: 0 });
  });
});

describe('what job-interview-get returns', () => {
  it('changes nothing when it is sent back, for every interview and position', async () => {
    const rows = await platform.database.rows<{ id: string }>(
      `select id from interview where merchant_id = $1 and environment = $2 and status <> 'deleted'
       union all select id from position where merchant_id = $1 and environment = $2 and status <> 'deleted'`,
      [ours.merchant_id, ours.environment],
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { id } of rows) {
      const before = await calls.read(id);
      const { status, body } = await calls.update(id, before);
      expect([id, status, body]).toMatchObject([id, 200, { updated_fields: [] }]);
      expect(await calls.read(id)).toEqual(before);
    }
  });
});
