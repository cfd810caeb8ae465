import { renameSync, writeFileSync, rmSync } from 'node:fs';
import { fallBack } from '../../../db/taking/attempts';
import { templateIds } from '../../../local/seed/templates';
import { createRecordingWorld, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';
import type { Link } from './taking-world';

/* Tests when an attempt fails because it cannot go on (docs/taking.md#ends). */

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
  await world.insertEndpoint();
});

/** Moves all times of an attempt back by this many minutes. */
async function pass(resultId: string, minutes: number): Promise<void> {
  await world.shift(resultId, minutes);
  for (const [table, column] of [
    ['result_question', 'answered_at'],
    ['recording', 'refused_at'],
    ['recording', 'first_part_at'],
  ])
    await world.change(
      `update ${table} set ${column} = ${column} - make_interval(mins => $2) where result_id = $1`,
      resultId,
      minutes,
    );
}
const close = () => world.close();
const mailsOf = (link: Link) =>
  world.change(`select m.kind, s.workflow_type from mail m
    join workflow_start s on s.workflow_id = 'invitation-batch/' || m.batch_id where m.enrolment_id = $1`, link.enrolmentId); // prettier-ignore

/** Uploads a part while a file lies in the place of the folder of the object store. */
async function putWithoutStore(link: Link, recordingId: string): Promise<void> {
  renameSync(world.folder, `${world.folder}-away`);
  writeFileSync(world.folder, '');
  await expect(world.put(link, recordingId, 1, webm())).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  rmSync(world.folder);
  renameSync(`${world.folder}-away`, world.folder);
}

describe('an attempt whose recording the object store rejects', () => {
  it('fails after 30 minutes, is free and announced, and its candidate is mailed and begins again', async () => {
    const { link, turn, result } = await world.start();
    const { recording_id } = await world.createFor(link, turn);
    await putWithoutStore(link, recording_id);
    await pass(result, 29);
    await putWithoutStore(link, recording_id);
    await close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'started' });
    await pass(result, 2);
    await close();
    expect(await world.show(result)).toMatchObject({
      status: 'draft',
      interview_status: 'failed',
      ai_completion_reason: 'technical_error',
      charge: 'free',
    });
    expect(await world.events(result)).toEqual(['interview_failed']);
    expect(await mailsOf(link)).toEqual([{ kind: 'retry_invitation', workflow_type: 'invitationBatch' }]);
    expect(await world.begin(link)).toMatchObject({ outcome: 'begun', attempt: { attempt: 2 } });
  });

  it('goes on when a part is stored again, also after the deadline', async () => {
    const { link, turn, result } = await world.start();
    const { recording_id } = await world.createFor(link, turn);
    await putWithoutStore(link, recording_id);
    await pass(result, 22);
    await close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'started' });
    await world.put(link, recording_id, 1, webm());
    await world.complete(link, recording_id, 1);
    await pass(result, 15);
    await close();
    expect(await world.show(result)).toMatchObject({
      interview_status: 'terminated, no speech detected',
      ai_completion_reason: 'time_over',
    });
  });

  it('is not failed if its answer was typed meanwhile', async () => {
    const { link, turn, result } = await world.start({ max_duration: 7_200 });
    const { recording_id } = await world.createFor(link, turn);
    await putWithoutStore(link, recording_id);
    await world.answerOpen(link);
    await pass(result, 31);
    await close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'started' });
  });
});

describe('an attempt whose next turn is not decided', () => {
  /** Begins an interview whose follow-ups a model decides, and answers its first question. */
  async function waiting(questions: string[]) {
    const steps = questions.map((question) => ({ question }));
    const link = await world.open(steps, {
      max_followups: 1,
      interview_template_id: templateIds.offline_avatar_3,
    });
    const { attempt } = await world.begin(link);
    await world.answerOpen(link);
    expect(await world.answerOpen(link)).toMatchObject({ needs_decision: true });
    return { link, result: attempt?.result_id ?? '' };
  }

  it('fails after 30 minutes, also if its time was over before', async () => {
    const { result } = await waiting(['One?', 'Two?']);
    await pass(result, 21);
    await close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'started' });
    await pass(result, 10);
    await close();
    const row = await world.show(result);
    expect(row).toMatchObject({ interview_status: 'failed' });
    // It ends when its wait began.
    expect(row['ended_at']).toBe(row['last_active_at']);
  });

  it('gets the time back that it waited, if it goes on after its deadline', async () => {
    const { link, result } = await waiting(['One?', 'Two?']);
    await pass(result, 29);
    await world.write(link, fallBack((await world.get(link)).undecided_turn ?? ''));
    await close();
    const { attempt } = await world.get(link);
    expect(attempt).toMatchObject({ state: 'running', turn: { text: 'Two?' } });
    expect(attempt?.remaining_ms).toBeGreaterThan(0);
    expect(await world.answerOpen(link)).toMatchObject({ outcome: 'stored' });
  });

  it('is complete when its time is over if no question is left', async () => {
    const { result } = await waiting(['One?']);
    await pass(result, 31);
    await close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'completed' });
  });
});
