import { interviewOnlyFields } from '../../../api/interviews/update-fields';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import type { Definition } from '../../harness/interviews/definitions';
import { interviewOnly, nullable, shared, voice, wireName } from '../../harness/interviews/update-fields';
import type { Platform } from '../../harness/platform/platform';
import { meetAtInterview } from '../../harness/platform/row-lock';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { ours, putEndpoint, putResult } from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let calls: ReturnType<typeof definitionCalls>;
let id: string;
let before: Definition;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = definitionCalls(platform);
});
beforeEach(async () => {
  ({ id, definition: before } = await calls.build([given('Why us?')]));
});

const ignored = new Set(['updated_at', 'calc_definition_json', 'interview_template_type', 'is_voice_only']);
const differing = (one: Definition, other: Definition) =>
  Object.keys(one).filter(
    (key) => !ignored.has(key) && JSON.stringify(one[key]) !== JSON.stringify(other[key]),
  );

describe('job-interview-update: fields of an interview', () => {
  it.each([...shared, ...interviewOnly])(
    'changes only %s',
    async (field, value, shown = wireName(field), expected = value) => {
      const reply = await calls.update(id, { [field]: value });
      expect(reply.body).toEqual({ position_id: id, is_multistage: false, updated_fields: [field] });
      const after = await calls.read(id);
      expect(after[shown]).toEqual(expected);
      expect(differing(before, after)).toEqual([shown]);
      expect(after.updated_at > before.updated_at).toBe(true);
    },
  );

  it('records hiring_for_company in creation_parameters, and clears it with null', async () => {
    await calls.update(id, { hiring_for_company: { name: 'Acme', sector: null } });
    const named = await calls.read(id);
    expect(named['creation_parameters']).toMatchObject({
      hiring_for_company: { name: 'Acme' },
      seniority_level: 'senior',
    });
    const cleared = await calls.update(id, { hiring_for_company: null });
    expect(cleared.body['updated_fields']).toEqual(['hiring_for_company']);
    expect((await calls.read(id))['creation_parameters']).toMatchObject({ hiring_for_company: null });
  });

  it('clears every nullable field with null', async () => {
    const values = Object.fromEntries(
      [...shared, ...interviewOnly].filter(([field]) => nullable.includes(field)),
    );
    expect(Object.keys(values).sort()).toEqual([...nullable].sort());
    expect((await calls.update(id, values)).status).toBe(200);
    const cleared = await calls.update(id, Object.fromEntries(nullable.map((field) => [field, null])));
    expect([...(cleared.body['updated_fields'] as string[])].sort()).toEqual([...nullable].sort());
    const after = await calls.read(id);
    for (const field of nullable) expect([field, after[wireName(field)]]).toEqual([field, null]);
  });

  it('announces what waited for its PDF when pdf_export_auto_config is null', async () => {
    const { database } = platform;
    await putEndpoint(database);
    await calls.update(id, { pdf_export_auto_config: { transcript: true } });
    const finished = { status: 'active', processing_status: 'completed', interview_status: 'completed' };
    const result_id = await putResult(database, finished, ours, id);
    const born = () =>
      database.rows('select event, reason from webhook_delivery where result_id = $1', [result_id]);
    expect(await born()).toEqual([]);
    await calls.update(id, { pdf_export_auto_config: null });
    expect(await born()).toEqual([
      { event: 'interview_result', reason: 'status, processing_status, interview_status' },
    ]);
  });

  it('merges custom_scoring into the stored value, where interview_attempts wins over max_retries', async () => {
    await calls.update(id, { custom_scoring: { max_score: 20, speech_cadence: 0.3 } });
    await calls.update(id, { custom_scoring: { early_stop: true, max_retries: 4 }, interview_attempts: 7 });
    expect((await calls.read(id))['result_scoring']).toEqual({
      max_score: 20,
      early_stop: true,
      speech_cadence: 0.3,
      ai_pronunciation: 0,
      sentiment_analysis: 0,
      ai_assessment_answer: 0.5,
      ai_assessment_resume: 0,
      ai_assessment_session: 0.5,
      max_retries: 7,
    });
    const again = await calls.update(id, { custom_scoring: { max_score: 20 }, interview_attempts: 7 });
    expect(again.body['updated_fields']).toEqual([]);
    await calls.update(id, { custom_scoring: null });
    expect((await calls.read(id))['result_scoring']).toBeNull();
  });

  it('compiles the definition again when a part of it changes', async () => {
    await calls.update(id, { max_duration: 600, interview_template_id: voice });
    const after = await calls.read(id);
    expect(after['calc_definition_json']).toEqual({
      ...(before['calc_definition_json'] as object),
      max_duration: 600,
      voice_only: true,
    });
    expect(after).toMatchObject({ interview_template_type: 'interactive_voice', is_voice_only: true });
  });

  it('accepts an unchanged interview_available_till in the past, and returns 422 for another past one', async () => {
    await platform.database.rows('update interview set interview_available_till = $2 where id = $1', [
      id,
      '2020-01-01',
    ]);
    const shown = await calls.read(id);
    const same = await calls.update(id, { ...shown });
    expect([same.status, same.body['updated_fields']]).toEqual([200, []]);
    const other = await calls.update(id, { interview_available_till: '2020-01-02' });
    expect([other.status, other.body.name]).toEqual([422, 'interview_available_till']);
  });

  it('handles simultaneous calls one after the other, and keeps both changes', async () => {
    const replies = await meetAtInterview(
      platform.database,
      id,
      Array.from(
        { length: 4 },
        (_, index) => () =>
          calls.update(id, { custom_scoring: index % 2 ? { max_score: 50 } : { early_stop: true } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect((await calls.read(id))['result_scoring']).toMatchObject({ max_score: 50, early_stop: true });
    expect(replies.filter(({ body }) => (body['updated_fields'] as string[]).length > 0)).toHaveLength(2);
  });
});

describe('job-interview-update: fields of a position', () => {
  it('changes every shared field', async () => {
    const position = platform.stack.ids.position;
    const values = Object.fromEntries(shared.map(([field, value]) => [field, value]));
    const reply = await calls.update(position, { ...values, hiring_for_company: { name: 'Acme' } });
    expect(reply.body).toEqual({
      position_id: position,
      is_multistage: true,
      updated_fields: [...Object.keys(values), 'hiring_for_company'],
    });
    const after = await calls.read(position);
    // If `shared` has several rows for a field, the call sent only the value of the last row, so the test skips the
    // earlier rows.
    for (const [field, value, shown = wireName(field), expected = value] of shared)
      if (values[field] === value) expect([field, after[shown]]).toEqual([field, expected]);
    const again = await calls.update(position, { ...values, hiring_for_company: { name: 'Acme' } });
    expect(again.body['updated_fields']).toEqual([]);
  });

  const values: Record<string, unknown> = {
    ...Object.fromEntries(interviewOnly),
    custom_scoring: { max_score: 5 },
    interview_attempts: 2,
    questions: [given('Why us?')],
  };
  it('returns 422 with the name for a field of interviews, and changes nothing', async () => {
    const position = platform.stack.ids.position;
    const stored = await calls.read(position);
    // The position already has the template that is in `values`, so the call sends another template.
    const { offline_avatar_3: otherTemplate } = platform.stack.template_ids;
    for (const field of interviewOnlyFields) {
      const value = field === 'interview_template_id' ? otherTemplate : values[field];
      expect([field, value]).toEqual([field, expect.anything()]);
      const reply = await calls.update(position, { name: 'Unseen', [field]: value });
      expect([field, reply.status, reply.body.name]).toEqual([field, 422, field]);
    }
    expect(await calls.read(position)).toEqual(stored);
  });
});
