import { interviewOnlyFields } from '../../../api/interviews/update-fields';
import { interviewStatuses } from '../../../db/platform/vocabulary';
import { knowledgeBases, people } from '../../../local/seed/accounts';
import { eachRow } from '../../harness/each-row';
import { definitionCalls, given, rubric, diffOf } from '../../harness/interviews/definitions';
import type { Definition, ShownQuestion } from '../../harness/interviews/definitions';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import { meetAtInterview } from '../../harness/platform/row-lock';
import { ours, putEndpoint, putResult } from '../../harness/webhooks/webhook-rows';

let platform: OperationsWithWorker;
let calls: ReturnType<typeof definitionCalls>;
beforeAll(async () => {
  platform = await openOperationsWith(await startInterviewWorker());
  calls = definitionCalls(platform);
});

/**
 * A field of job-interview-update and a new value for it. `shown` is set if the field has another name in
 * job-interview-get, and `expected` is set if job-interview-get returns another value than the one that was sent.
 */
type Row = [field: string, value: unknown, shown?: string, expected?: unknown];
const voice = '0198a000-0000-7000-8000-000000000006';
const shared: Row[] = [
  ['status', 'draft'],
  ['visibility', 'public'],
  ['name', 'Frontend engineer'],
  ['code', 'REF-1'],
  ['location', ' Ghent ', 'interview_location', 'Ghent'],
  ['cover_image_url', 'https://images.example/a.png'],
  ['description', 'Another text.'],
  ['description_long', '## Another', 'interview_description_long'],
  ['interview_department', 'Sales'],
  ['interview_salary', '€ 50.000'],
  ['interview_available_till', '2999-12-31'],
  ['candidate_notification_channel', 'all'],
  ['recruiter_profile_id', people.merchant.id],
];
const interviewOnly: Row[] = [
  ['interview_template_id', voice],
  ['knowledge_base_store_id', knowledgeBases[0]?.id],
  ['recording', 'video_all'],
  ['recording_full_session', 'audio_all'],
  ['result_view', 'full'],
  ['candidate_video_introduction', 'required'],
  ['candidate_expectations', 'Team play'],
  ['candidate_expectations_json', { ...rubric, weak: ['says little'] }],
  ['tags', ['a', 'b']],
  ['coach_plan', '2nd'],
  ['interview_conversation_speed', 'slower'],
  ['max_followups', 3],
  ['max_duration', 240],
  ['questions_random_subset', 0.5],
  ['required_pronunciation', true],
  ['result_enable_edit_transcript', false],
  ['pdf_export_auto_config', { transcript: true }],
  ['next_step_text', ' We call you.\nSoon. ', undefined, 'We call you.\nSoon.'],
  ['answer_within_days', 10],
  ['welcome_message', 'Good morning.'],
  ['thank_you_message', 'Goodbye.'],
];
const nullable =
  `code cover_image_url description description_long interview_department interview_salary interview_available_till
  candidate_notification_channel recruiter_profile_id knowledge_base_store_id recording recording_full_session candidate_expectations candidate_expectations_json tags
  coach_plan interview_conversation_speed max_followups max_duration questions_random_subset pdf_export_auto_config next_step_text
  answer_within_days`.split(/\s+/);
const wireName = (field: string) =>
  ({ location: 'interview_location', description_long: 'interview_description_long' })[field] ?? field;

describe('fields', () => {
  let id: string;
  let before: Definition;
  beforeEach(async () => {
    ({ id, definition: before } = await calls.build([given('Why us?')]));
  });

  const ignored = new Set([
    'updated_at',
    'calc_definition_json',
    'interview_template_type',
    'is_voice_only',
    'price_per_attempt',
    // A listed visibility makes one (test/end-to-end/interviews/positions.test.ts).
    'slug',
  ]);
  const differing = (one: Definition, other: Definition) =>
    Object.keys(one).filter(
      (key) => !ignored.has(key) && JSON.stringify(one[key]) !== JSON.stringify(other[key]),
    );

  describe('job-interview-update: fields of an interview', () => {
    it('changes every field that is sent, and clears it with null', async () => {
      const rows = [...shared, ...interviewOnly];
      const values = Object.fromEntries(rows);
      expect(Object.keys(values)).toEqual(expect.arrayContaining(nullable));
      const { body } = await calls.update(id, values);
      expect([...(body['updated_fields'] as string[])].sort()).toEqual(Object.keys(values).sort());
      const after = await calls.read(id);
      for (const [field, value, shown = wireName(field), expected = value] of rows)
        expect([field, after[shown]]).toEqual([field, expected]);
      expect(differing(before, after).sort()).toEqual(Object.keys(values).map(wireName).sort());
      const cleared = await calls.update(id, Object.fromEntries(nullable.map((field) => [field, null])));
      expect([...(cleared.body['updated_fields'] as string[])].sort()).toEqual([...nullable].sort());
      const empty = await calls.read(id);
      for (const field of nullable) expect([field, empty[wireName(field)]]).toEqual([field, null]);
    });

    it('changes only the field that is sent', async () => {
      const sent = { interview_available_till: '2999-12-31T10:00:00+02:00' };
      const reply = await calls.update(id, sent);
      expect(reply.body).toEqual({
        position_id: id,
        is_multistage: false,
        updated_fields: ['interview_available_till'],
      });
      const after = await calls.read(id);
      expect(after['interview_available_till']).toBe('2999-12-31T08:00:00.000Z');
      expect(differing(before, after)).toEqual(['interview_available_till']);
      expect(after.updated_at > before.updated_at).toBe(true);
    });

    it('records a company and a tone in creation_parameters, and clears the company with null', async () => {
      const sent = { hiring_for_company: { name: 'Acme' }, interview_tone: 'Professional' };
      expect((await calls.update(id, sent)).body['updated_fields']).toEqual(Object.keys(sent));
      expect(await calls.read(id)).toMatchObject({
        creation_parameters: { ...sent, seniority_level: 'senior' },
        interview_tone: 'Professional',
      });
      const cleared = await calls.update(id, { hiring_for_company: null });
      expect(cleared.body['updated_fields']).toEqual(['hiring_for_company']);
      expect((await calls.read(id))['creation_parameters']).toMatchObject({ hiring_for_company: null });
    });

    it('changes the texts around the questions, keeps the questions, and restores a standard text', async () => {
      const texts = ['welcome_message', 'instructional_video_custom_text', 'thank_you_message'] as const;
      const standard = await calls.build([given('Why us?')], { instructional_video: true });
      const changes = Object.fromEntries(texts.map((field) => [field, `A text of our own for ${field}.`]));
      const { body } = await calls.update(standard.id, changes);
      expect(body).toEqual({ position_id: standard.id, is_multistage: false, updated_fields: texts });
      const after = await calls.read(standard.id);
      expect(after).toMatchObject({ ...changes, questions: standard.definition.questions });
      expect(JSON.stringify(after['calc_definition_json'])).toContain(changes['welcome_message']);
      await calls.update(standard.id, Object.fromEntries(texts.map((field) => [field, null])));
      for (const field of texts)
        expect((await calls.read(standard.id))[field]).toBe(standard.definition[field]);
      const withoutVideo = await calls.update(id, { instructional_video_custom_text: 'Watch.' });
      expect([withoutVideo.status, withoutVideo.body['name'], withoutVideo.body['code']]).toEqual([
        422,
        'instructional_video_custom_text',
        'not_applicable',
      ]);
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

    it('returns 422 when the knowledge base of a process verification is cleared', async () => {
      const interview_type = 'process-verification-from-knowledge-base';
      await calls.update(id, { knowledge_base_store_id: knowledgeBases[0]?.id });
      await platform.database.rows(
        'update interview set creation_parameters = creation_parameters || $2::jsonb where id = $1',
        [id, JSON.stringify({ interview_type })],
      );
      const reply = await calls.update(id, { knowledge_base_store_id: null });
      expect([reply.status, reply.body.name]).toEqual([422, 'knowledge_base_store_id']);
    });

    it('names what changes for scoring and attempts that are sent together', () =>
      eachRow(
        [
          [{ custom_scoring: { max_score: 5 }, interview_attempts: 2 }, ['interview_attempts']],
          [{ custom_scoring: { max_score: 6 }, interview_attempts: 4 }, ['custom_scoring']],
          [{ custom_scoring: { max_score: 5 }, interview_attempts: 3 }, ['interview_attempts']],
          [{ custom_scoring: { max_score: 5 }, interview_attempts: 4 }, []],
          [{ custom_scoring: { max_retries: 7 } }, ['custom_scoring']],
          [{ interview_attempts: 7 }, ['interview_attempts']],
          [{ custom_scoring: null }, ['custom_scoring']],
        ],
        async (sent, expected) => {
          await calls.update(id, { custom_scoring: { max_score: 5 }, interview_attempts: 4 });
          const reply = await calls.update(id, sent);
          expect(reply.body['updated_fields']).toEqual(expected);
        },
      ));
  });

  describe('job-interview-update: fields of a position', () => {
    const values: Record<string, unknown> = {
      ...Object.fromEntries(interviewOnly),
      custom_scoring: { max_score: 5 },
      interview_attempts: 2,
      interview_tone: 'simple',
      instructional_video_custom_text: 'Watch this.',
      persona: { name: 'Grace Okafor' },
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
});

describe('questions', () => {
  const offline = '0198a000-0000-7000-8000-000000000003';
  const three = () => [given('One?'), given('Two?'), given('Three?')];
  /** Creates an interview with these questions. Returns its definition and the ids of its questions in order. */
  async function build(questions: Record<string, unknown>[], more: Record<string, unknown> = {}) {
    const { id, definition } = await calls.build(questions, more);
    return {
      id,
      definition,
      shown: definition.questions,
      ids: definition.questions.map((entry) => entry.id),
    };
  }
  const at = <T>(list: T[], index: number): T => {
    const entry = list[index];
    if (entry === undefined) throw new Error(`there is no entry ${index}`);
    return entry;
  };
  const idsNow = async (id: string) =>
    (await calls.read(id)).questions.map((entry: ShownQuestion) => entry.id);

  describe('job-interview-update: questions', () => {
    it('replaces a question edited by id with a new record that keeps the omitted fields, and keeps the others', async () => {
      const { id, ids } = await build([
        given('One?', { duration: 45, label: 'L', external_data: { a: 1 } }),
        given('Two?'),
      ]);
      const reply = await calls.update(id, {
        questions: [
          { id: ids[0], question: 'One, please?' },
          { id: ids[1], question: 'Two?' },
        ],
      });
      expect(reply.body['updated_fields']).toEqual(['questions']);
      const { replaced, ...diff } = diffOf(reply);
      expect(diff).toMatchObject({ kept: [ids[1]], added: [], removed: [], reactivated: true });
      expect(replaced).toEqual([{ from: ids[0], to: expect.any(String) }]);
      const after = await calls.read(id);
      expect(after.questions[0]).toMatchObject({
        id: at(replaced, 0).to,
        question: 'One, please?',
        duration: 45,
        label: 'L',
        external_data: { a: 1 },
        candidate_expectations_json: rubric,
      });
      expect(diff.question_ids).toEqual(await calls.stepIds(id));
      expect(diff.question_ids.slice(1, 3)).toEqual(after.questions.map((question) => question.id));
      const compiled = after['calc_definition_json'] as { steps: { id: string; text: string }[] };
      expect(compiled.steps.map((step) => step.id)).toEqual(diff.question_ids);
      expect(at(compiled.steps, 1).text).toBe('One, please?');
    });

    it('leaves a record that another interview shares unchanged there', async () => {
      const first = await build([given('Shared?'), given('Own?')]);
      const second = await build([{ ...at(first.shown, 0) }, given('Mine?')]);
      expect(second.ids[0]).toBe(first.ids[0]);
      await calls.update(first.id, { questions: [{ id: first.ids[0], question: 'Changed?' }] });
      expect(await calls.read(second.id)).toEqual(second.definition);
      const third = await calls.update(first.id, { questions: [at(second.shown, 1)] });
      expect(diffOf(third)).toMatchObject({ added: [second.ids[1]], replaced: [], kept: [] });
      expect(await idsNow(first.id)).toEqual([second.ids[1]]);
    });

    it('are rejected for an active interview on an offline template, unless the same call sets draft', async () => {
      const { id, definition, shown } = await build(three(), { interview_template_id: offline });
      const questions = [{ question: 'New?' }];
      const refused = await calls.update(id, { questions, name: 'Unseen' });
      expect([refused.status, refused.body.name]).toEqual([422, 'questions']);
      expect((await calls.update(id, { questions: shown })).body['updated_fields']).toEqual([]);
      expect(await calls.read(id)).toEqual(definition);
      const accepted = await calls.update(id, { questions, status: 'draft' });
      expect(accepted.body['updated_fields']).toEqual(['status', 'questions']);
      expect((await calls.read(id)).questions.map(({ question }) => question)).toEqual(['New?']);
      const back = await calls.update(id, { questions: [{ question: 'Newer?' }], status: 'active' });
      expect([back.status, back.body.name]).toEqual([422, 'questions']);
    });

    it('of an interview reactivate it if it was and stays active', () =>
      eachRow(
        [
          ['active', undefined, true],
          ['active', 'active', true],
          ['active', 'draft', false],
          ['draft', undefined, false],
          ['draft', 'active', false],
        ],
        async (status, sent, reactivated) => {
          const { id } = await build(three(), { status });
          const reply = await calls.update(id, {
            questions: [{ question: 'New?' }],
            ...(sent ? { status: sent } : {}),
          });
          expect(diffOf(reply).reactivated).toBe(reactivated);
        },
      ));

    it('handles simultaneous calls one after the other, and stores the last one completely', async () => {
      const { id } = await build(three());
      const replies = await meetAtInterview(
        platform.database,
        id,
        ['A', 'B', 'C', 'D'].map(
          (name) => () =>
            calls.update(id, { questions: [{ question: `${name}1` }, { question: `${name}2` }] }),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const texts = (await calls.read(id)).questions.map(({ question }) => question);
      expect(texts).toEqual([`${texts[0]?.[0]}1`, `${texts[0]?.[0]}2`]);
      const steps = await calls.stepIds(id);
      expect(replies.map((reply) => diffOf(reply).question_ids)).toContainEqual(steps);
    });
  });
});

describe('states', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = await calls.build([given('Why us?')]));
  });

  const setState = (position_id: string, fields: Record<string, unknown>) =>
    platform.call('job-interview-set-state', { body: { position_id, ...fields } });
  const setRow = (table: string, row: string, status: string) =>
    platform.database.rows(`update ${table} set status = $2 where id = $1`, [row, status]);
  const statusOf = async (table: string, row: string) =>
    (await platform.database.rows<{ status: string }>(`select status from ${table} where id = $1`, [row]))[0]
      ?.status;
  const keys = () =>
    platform.database.rows<{ id: string; revoked: boolean; sealed: string }>(
      `select id, revoked_at is not null as revoked, encode(signing_key_sealed, 'escape') as sealed from embed_key
     where interview_id = $1 order by created_at`,
      [id],
    );

  describe('job-interview-set-state', () => {
    it('changes the status to any other one, for an interview and a position', () =>
      eachRow([...interviewStatuses, ...interviewStatuses.toReversed()], async (to) => {
        for (const [table, row] of [
          ['interview', id],
          ['position', platform.stack.ids.position],
        ] as const) {
          if ((await statusOf(table, row)) === 'deleted') await setRow(table, row, 'active');
          const reply = await setState(row, { status: to });
          expect([reply.status, reply.body]).toEqual([200, { success: true }]);
          expect(await statusOf(table, row)).toBe(to);
        }
      }));

    it('creates a key for is_embedded once, revokes it and creates another one', async () => {
      const first = await setState(id, { is_embedded: true });
      expect(first.body).toEqual({
        embed_id: expect.any(String),
        embed_signing_key: expect.stringMatching(/^esk_[\w-]{43}$/),
      });
      expect((await setState(id, { is_embedded: true })).body).toEqual({ success: true });
      expect((await setState(id, { is_embedded: false })).body).toEqual({ success: true });
      expect((await setState(id, { is_embedded: false })).body).toEqual({ success: true });
      const second = await setState(id, { is_embedded: true, status: 'archived' });
      expect(second.body['embed_id']).not.toBe(first.body['embed_id']);
      expect((await calls.read(id))['status']).toBe('archived');
      const stored = await keys();
      expect(stored.map((row) => [row.id, row.revoked])).toEqual([
        [first.body['embed_id'], true],
        [second.body['embed_id'], false],
      ]);
      for (const reply of [first, second])
        for (const { sealed } of stored) {
          expect(sealed).not.toContain(reply.body['embed_signing_key']);
          expect(sealed).not.toContain(String(reply.body['embed_signing_key']).slice(4));
        }
    });

    it('creates one key for simultaneous calls with is_embedded, and returns it to one of them', async () => {
      const replies = await meetAtInterview(
        platform.database,
        id,
        Array.from({ length: 4 }, () => () => setState(id, { is_embedded: true })),
      );
      const told = replies.filter(({ body }) => 'embed_signing_key' in body);
      expect(told).toHaveLength(1);
      expect((await keys()).map((row) => row.id)).toEqual([told[0]?.body['embed_id']]);
    });

    it('returns 422 for is_embedded of a position, and keeps the status', () =>
      eachRow([true, false], async (is_embedded) => {
        const position = platform.stack.ids.position;
        await setRow('position', position, 'active');
        const reply = await setState(position, { is_embedded, status: 'archived' });
        expect([reply.status, reply.body.name]).toEqual([422, 'is_embedded']);
        expect(await statusOf('position', position)).toBe('active');
      }));
  });
});
