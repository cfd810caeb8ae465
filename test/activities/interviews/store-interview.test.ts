import { ApplicationFailure } from '@temporalio/activity';
import { openSigningKey } from '../../../db/interviews/embed-keys';
import { discardUnbuiltInterview } from '../../../db/interviews/interview-building';
import { activityEnvironment, startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { parsedQuestion } from '../../harness/interviews/unbuilt-interview';
import { meetAtInterview } from '../../harness/platform/row-lock';
import { waitFor } from '../../harness/wait-for';

let workflow: InterviewWorker;
beforeAll(async () => {
  workflow = await startInterviewWorker();
});
afterAll(() => workflow.stop());

const draft = (interview_id: string) =>
  activityEnvironment().run(workflow.activities.draftInterview, { interview_id });
const store = (interview_id: string) =>
  activityEnvironment().run(workflow.activities.storeInterview, { interview_id });
const discard = async (id: string) => {
  const [row] = await workflow.api.write(workflow.caller, (trx) =>
    trx.rows<{ discarded: boolean }>(discardUnbuiltInterview(id)),
  );
  return row?.discarded;
};
/** Inserts an unbuilt interview and drafts its texts, so that the next step is to store it. */
const drafted = async (
  more: Parameters<InterviewWorker['insertUnbuilt']>[0] = {},
  row: Record<string, unknown> = {},
) => {
  const id = await workflow.insertUnbuilt({ include_closing_prompt: true, is_embedded: true, ...more }, row);
  await draft(id);
  // Forty runs in sequence may take longer than the deadline of an interview.
  await workflow.setDeadline(id, 3_600);
  return id;
};
const benign = { type: 'InterviewGone', nonRetryable: true, category: 'BENIGN' };

describe('storeInterview', () => {
  it('stores definition, steps and sealed key of a draft and removes the traces of building', async () => {
    const id = await drafted({}, { name: 'Senior développeur', visibility: 'public' });
    await store(id);
    const row = await workflow.find(id);
    expect(row).toMatchObject({
      built: true,
      steps: 5,
      keys: 1,
      build_input: null,
      draft: null,
      questions_generated: 2,
      description: expect.stringMatching(/\S/),
      interview_description_long: expect.stringMatching(/\S/),
      candidate_expectations_json: expect.any(Object),
      creation_parameters: { seniority_level: 'senior' },
      slug: `senior-developpeur-${id.slice(-12)}`,
    });
    const [key] = await workflow.database.rows<{ id: string; signing_key_sealed: Buffer }>(
      'select * from embed_key where interview_id = $1',
      [id],
    );
    expect(openSigningKey(workflow.seal, key?.id ?? '', key?.signing_key_sealed ?? Buffer.alloc(0))).toMatch(
      /^esk_/,
    );
    const compiled = row?.['calc_definition_json'] as { steps: { id: string }[] };
    const linked = await workflow.database.rows<{ question_id: string }>(
      'select question_id from interview_question where interview_id = $1 order by step_order',
      [id],
    );
    expect(compiled.steps.map((step) => step.id)).toEqual(linked.map((link) => link.question_id));
  });

  it('stores an interview once when it runs twice, also at the same time', async () => {
    const id = await drafted();
    const again = () => store(id);
    await meetAtInterview(workflow.database, id, [again, again, again]);
    const first = await workflow.find(id);
    const records = await workflow.questionRecords();
    await store(id);
    expect(first).toMatchObject({ built: true, steps: 5, keys: 1 });
    expect(await workflow.find(id)).toEqual(first);
    expect(await workflow.questionRecords()).toBe(records);
  });

  it.each(['coaching', 'persona', 'public_avatar', 'persona_interview'])(
    'does not store the long description that the model wrote for the type %s',
    async (type) => {
      const id = await drafted({}, { type });
      const written = (await workflow.find(id))?.['draft'] as { description_long: string };
      expect(written.description_long).not.toBe('');
      await store(id);
      expect(await workflow.find(id)).toMatchObject({ built: true, interview_description_long: null });
    },
  );

  it('fails with InterviewGone after the deadline and commits nothing', async () => {
    const id = await drafted();
    await workflow.setDeadline(id, -0.001);
    const [before, records] = [await workflow.find(id), await workflow.questionRecords()];
    await expect(store(id)).rejects.toMatchObject(benign);
    expect(await workflow.find(id)).toEqual(before);
    expect(before).toMatchObject({ built: false, steps: 0, keys: 0 });
    expect(await workflow.questionRecords()).toBe(records);
  });

  it('fails with InterviewGone for an unknown id', async () => {
    await expect(store('00000000-0000-4000-8000-00000000dead')).rejects.toMatchObject(benign);
  });

  it('fails with ModelAnswerUnusable without a draft and commits nothing', async () => {
    const id = await workflow.insertUnbuilt();
    const failure = await store(id).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'ModelAnswerUnusable', nonRetryable: true });
    expect(await workflow.find(id)).toMatchObject({ built: false, steps: 0 });
  });

  it('commits nothing when a question record cannot be written', async () => {
    const id = await drafted({
      questions: [
        parsedQuestion('00000000-0000-4000-8000-00000000bbbb', 'One?'),
        parsedQuestion('00000000-0000-4000-8000-00000000bbbb', 'The same id'),
      ],
    });
    const records = await workflow.questionRecords();
    await expect(store(id)).rejects.toThrow(/duplicate key/);
    expect(await workflow.find(id)).toMatchObject({ built: false, steps: 0, keys: 0 });
    expect(await workflow.questionRecords()).toBe(records);
  });
});

describe('storeInterview and a request that gives up', () => {
  it('finds nothing to store when the request removed the row first', async () => {
    const id = await drafted();
    expect(await discard(id)).toBe(true);
    await expect(store(id)).rejects.toMatchObject(benign);
    await expect(draft(id)).rejects.toMatchObject(benign);
    expect(await workflow.find(id)).toBeUndefined();
  });

  it('stores an interview that the request then finds built and leaves alone', async () => {
    const id = await drafted();
    await store(id);
    expect(await discard(id)).toBe(false);
    expect(await workflow.find(id)).toMatchObject({ built: true, steps: 5, keys: 1 });
  });

  it('makes the request wait for the row and report the interview as built', async () => {
    const id = await drafted();
    // `discard` waits for the row that this transaction locks. The transaction returns the promise of `discard` in a
    // list: otherwise it would wait for the promise and never end.
    const [discarded] = await workflow.worker.writeAsWorker(async (trx) => {
      await trx.rows({ text: 'select id from interview where id = $1 for update', values: [id] });
      const waiting = discard(id);
      await waitFor('the request to wait for the row', async () => {
        const locks = await workflow.database.rows(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return locks.length > 0;
      });
      await trx.count({ text: 'update interview set built_at = now() where id = $1', values: [id] });
      return [waiting];
    });
    expect(await discarded).toBe(false);
    expect(await workflow.find(id)).toMatchObject({ built: true });
  });

  it('either stores an interview completely or finds it removed, in many races', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 16; index++) ids.push(await drafted());
    const before = (await workflow.questionRecords()) ?? 0;
    const results = await Promise.all(
      ids.map(async (id, index) => {
        const racers = [
          () => discard(id),
          () =>
            store(id).then(
              () => 'stored',
              (error: ApplicationFailure) => error.type,
            ),
        ];
        if (index % 2) racers.reverse();
        const [one, other] = await Promise.all(racers.map((race) => race()));
        return { id, discarded: index % 2 ? other : one, storing: index % 2 ? one : other };
      }),
    );
    let built = 0;
    for (const { id, discarded, storing } of results) {
      const row = await workflow.find(id);
      if (discarded) expect([storing, row]).toEqual(['InterviewGone', undefined]);
      else {
        built++;
        expect([storing, row?.built, row?.steps, row?.keys]).toEqual(['stored', true, 5, 1]);
      }
    }
    expect(await workflow.questionRecords()).toBe(before + built * 5);
    const [keys] = await workflow.database.rows<{ count: number }>(
      'select count(*)::int from embed_key where interview_id = any ($1)',
      [ids],
    );
    expect(keys?.count).toBe(built);
  });
});
