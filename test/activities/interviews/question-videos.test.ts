import { deleteUnusedVideos } from '../../../activities/interviews/delete-unused-videos';
import type { VideoAttempt } from '../../../activities/interviews/question-videos';
import { markVideo } from '../../../activities/platform/mark-generated';
import { findSpokenText } from '../../../local/fakes/speech-file';
import { activityEnvironment } from '../../harness/platform/activity-environment';
import { startTestWorker } from '../../harness/platform/test-worker';
import { waitFor } from '../../harness/wait-for';
import { statusAtEnd } from '../../workflows/compare-history';
import { startVideoWorld } from './video-world';

let world: Awaited<ReturnType<typeof startVideoWorld>>;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  world = await startVideoWorld();
  worker = await startTestWorker(world.activities);
});
afterEach(() => world.clearFaults());

type Activities = typeof world.activities;
type Run = [[{ video_id: string }], VideoAttempt, Activities['orderVideo']];
const order = (video_id: string, { orderVideo }: Activities = world.activities) =>
  activityEnvironment().run<Run[0], Run[1], Run[2]>(orderVideo, { video_id });
const collect = (video_id: string, { collectVideo }: Activities = world.activities) =>
  activityEnvironment().run<Run[0], Run[1], Run[2]>(collectVideo, { video_id });
const collected = (video_id: string, activities?: Activities) =>
  waitFor('the end of the rendering', async () => {
    const attempt = await collect(video_id, activities);
    return attempt.outcome === 'rendering' ? undefined : attempt;
  });
const remove = () =>
  deleteUnusedVideos({ database: world.worker, objects: world.objects }, new AbortController().signal);
const unlink = (questionId: string) =>
  world.database.rows('delete from interview_question where question_id = $1', [questionId]);

describe('planQuestionVideos', () => {
  it('plans one video for each wording of a text that has none, and queues a workflow for it', async () => {
    const id = await world.interviewWith([
      { question: 'What did you build?', question_alternatives: ['What did you make?'] },
      { question: 'Which one?', is_multiple_choice: true, question_alternatives: ['A', 'B'] },
      { view: 'instructional_video', question: 'https://videos.example/one.mp4' },
    ]);
    const plan = () => activityEnvironment().run(world.activities.planQuestionVideos, { interview_id: id });
    expect(await plan()).toEqual({ planned: 5, is_configured: true });
    expect(await plan()).toEqual({ planned: 0, is_configured: true });
    const rows = await world.videoRows(id);
    expect(rows.map(({ text }) => text).sort()).toEqual(
      ['Welcome', 'What did you build?', 'What did you make?', 'Which one?', 'Thanks'].sort(),
    );
    const starts = await world.database.rows<{ workflow_id: string; argument: { video_id: string } }>(
      `select workflow_id, argument from workflow_start where workflow_type = 'questionVideo'
       and argument ->> 'video_id' = any ($1)`,
      [rows.map((row) => row.id)],
    );
    expect(starts.map(({ workflow_id }) => workflow_id).sort()).toEqual(
      rows.map((row) => `question-video/${row.id}`).sort(),
    );
  });

  it('plans nothing for another template', async () => {
    const id = await world.interviewWith([{ question: 'What else?' }], 'interactive_voice');
    expect(await world.activities.planQuestionVideos({ interview_id: id })).toMatchObject({ planned: 0 });
  });
});

describe('questionVideo', () => {
  it.each<[string, Record<string, unknown> | undefined, string | null, number]>([
    ['nothing', undefined, null, 1],
    ['a rejected text', { status: 400 }, 'rejected', 0],
    ['the limit of calls', { status: 429, headers: { 'retry-after': '0' } }, null, 1],
    ['a lost reply', { accept: true, reset: true }, null, 1],
    ['a failed rendering', { video: 'fails' }, 'not_rendered', 1],
    ['a rendering without end', { video: 'stalls' }, 'gave_up', 1],
    ['a file that is too large', { video: 'huge' }, 'unusable_file', 1],
    ['a file that was cut off', { video: 'cut' }, 'unusable_file', 1],
    ['a file on a host of somebody else', { video: 'elsewhere' }, 'unusable_file', 1],
  ])('ends after %s, and orders the video at most once', async (situation, fault, error, orders) => {
    const text = `Why ${situation}?`;
    const video = await world.plan(text);
    if (fault) await world.fault(fault);
    const tried_for_ms = error === 'gave_up' ? 1_000 : 120_000;
    const handle = await worker.startVideo(video.id, { pause_ms: 100, longest_pause_ms: 500, tried_for_ms });
    expect(await statusAtEnd(handle)).toBe('COMPLETED');
    expect(await world.row(video.id)).toMatchObject({ state: error === null ? 'ready' : 'failed', error });
    expect(await world.orders(text)).toHaveLength(orders);
    const ledger = await world.ledger(video.interview_id);
    expect(ledger).toMatchObject([{ outcome: error === null ? 'accepted' : 'failed', model: 'heygen/anna' }]);
    const file = await world.file(video);
    // A file of no use was rendered, and is charged by the length that HeyGen says.
    if (error === 'unusable_file') expect(Number(ledger[0]?.cost_usd)).toBeCloseTo(0.05, 6);
    else if (error !== null) expect(ledger[0]?.cost_usd).toBeNull();
    if (error !== null) {
      expect(file).toBeUndefined();
      return;
    }
    expect(findSpokenText(file ?? Buffer.alloc(0))).toBe(text);
    expect(file?.toString('latin1')).toContain('digitalsourcetype/trainedAlgorithmicMedia');
    const { duration_ms } = (await world.row(video.id)) ?? {};
    expect(Number(ledger[0]?.cost_usd)).toBeCloseTo((2 * Number(duration_ms)) / 60_000, 6);
  });

  it('collects the video when it is reported', async () => {
    const video = await world.plan('Who reports?');
    const handle = await worker.startVideo(video.id, { pause_ms: 3_600_000 });
    await waitFor('the first look', async () => (await world.row(video.id))?.state === 'rendering');
    await waitFor('its end', async () => {
      await handle.signal('videoReported').catch(() => undefined);
      return (await world.row(video.id))?.state === 'ready';
    });
    expect(await statusAtEnd(handle)).toBe('COMPLETED');
  });
});

describe('orderVideo', () => {
  it('finds the order of a worker that died before it recorded it', async () => {
    const video = await world.plan('Who died?');
    let writes = 0;
    const dying = world.activitiesWith({
      database: {
        writeAsWorker: (work) => {
          writes += 1;
          if (writes > 1) throw new Error('killed');
          return world.worker.writeAsWorker(work);
        },
      },
    });
    await expect(order(video.id, dying)).rejects.toThrow('killed');
    expect(await world.row(video.id)).toMatchObject({ state: 'sending' });
    // The provider lists a hundred videos at a time, the newest first.
    for (let others = 0; others < 100; others += 1)
      await world.videos.order(
        { id: `other-${others}`, text: 'Another?', speed: 1 },
        AbortSignal.timeout(60_000),
      );
    expect(await order(video.id)).toEqual({ outcome: 'ordered' });
    expect(await order(video.id)).toEqual({ outcome: 'ordered' });
    expect(await world.orders('Who died?')).toHaveLength(1);
    expect(await collected(video.id)).toEqual({ outcome: 'ready' });
    expect(await collect(video.id)).toEqual({ outcome: 'ready' });
    expect(await world.ledger(video.interview_id)).toHaveLength(1);
  });
});

describe('a text that changes while its video is rendered', () => {
  it('leaves no file and no row', async () => {
    const video = await world.plan('What changes?');
    await order(video.id);
    await unlink(video.question_id);
    await remove();
    expect(await world.row(video.id)).toBeUndefined();
    expect(await collect(video.id)).toEqual({ outcome: 'gone' });
  });

  it('leaves no file if the row is deleted while the file is stored', async () => {
    const video = await world.plan('What changes late?');
    await order(video.id);
    const late = world.activitiesWith({
      objects: {
        ...world.objects,
        put: async (path, body) => {
          await unlink(video.question_id);
          await remove();
          await world.objects.put(path, body);
        },
      },
    });
    expect(await collected(video.id, late)).toEqual({ outcome: 'gone' });
    expect(await world.file(video)).toBeUndefined();
  });

  it('is not ordered if it has changed before', async () => {
    const video = await world.plan('What changed?');
    await unlink(video.question_id);
    expect(await order(video.id)).toEqual({ outcome: 'gone' });
    expect(await world.orders('What changed?')).toEqual([]);
  });
});

describe('deleteUnusedVideos', () => {
  it('deletes the files of deleted interviews only', async () => {
    const [kept, deleted] = [await world.plan('What stays?'), await world.plan('What goes?')];
    for (const { id } of [kept, deleted]) {
      await order(id);
      await collected(id);
    }
    await world.database.rows(
      `update interview set status = 'deleted' where id = (select interview_id from question_video where id = $1)`,
      [deleted.id],
    );
    await remove();
    expect([await world.row(deleted.id), await world.file(deleted)]).toEqual([undefined, undefined]);
    expect(await world.row(kept.id)).toMatchObject({ state: 'ready' });
    expect(markVideo((await world.file(kept)) ?? Buffer.alloc(0))).toBeDefined();
  });
});
