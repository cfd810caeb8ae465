import { buffer } from 'node:stream/consumers';
import { joinRecordings, measureRecordings } from '../../../activities/taking/recordings';
import { completeRecording, createRecording, storeRecordingPart } from '../../../api/taking/recordings';
import type { ObjectStore } from '../../../db/platform/object-store';
import type { RecordingSubject, RecordingType } from '../../../db/taking/recordings';
import { seenAnswer } from '../../../local/demo/candidate';
import { openTemporaryObjects } from '../../harness/platform/temporary-objects';
import { createTakingWorld, openTurn } from './taking-world';
import type { Link } from './taking-world';

export type RecordingWorld = Awaited<ReturnType<typeof createRecordingWorld>>;

/**
 * Returns the beginning of a WebM file, as Chromium's MediaRecorder writes it, followed by the bytes of `more`. In most bytes
 * other than zeros, the parser that measures recordings would search until its time limit.
 */
export const webm = (more = '\0'.repeat(60)): Buffer =>
  Buffer.concat([
    Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701', 'hex'),
    Buffer.from(more),
  ]);
/** Splits bytes into parts of this size. */
export const split = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

/** Creates a database in which candidates record answers, and a folder in which the recordings are stored. */
export async function createRecordingWorld() {
  const world = await createTakingWorld();
  const { folder, objects } = await openTemporaryObjects('https://api.example.com');
  const deps = { database: world.api, objects };

  /**
   * Begins an attempt of an interview that records sound and video, and answers the welcome, so that the first
   * question is open. The candidate may type.
   */
  async function start(changes: Record<string, unknown> = {}) {
    const link = await world.open([{ question: 'First?' }, { question: 'Second?' }], {
      recording: 'video_all',
      recording_full_session: 'video_all',
      ...changes,
    });
    await world.change('update enrolment set may_type = true where id = $1', link.enrolmentId);
    const { attempt } = await world.begin(link);
    await world.answer(link, openTurn(attempt).turn_id, seenAnswer);
    const turn = openTurn((await world.get(link)).attempt);
    return { link, turn: turn.turn_id, result: attempt?.result_id ?? '' };
  }
  const create = (
    link: Link,
    subject: RecordingSubject,
    { mediaType = 'video/webm', restart = false }: { mediaType?: RecordingType; restart?: boolean } = {},
  ) => createRecording(deps, link, { subject, mediaType, restart });
  const createFor = (link: Link, turnId: string, options: Parameters<typeof create>[2] = {}) =>
    create(link, { kind: 'turn', turnId }, options);
  const put = (link: Link, recordingId: string, part: number, bytes: Buffer, store: ObjectStore = objects) =>
    storeRecordingPart({ database: world.api, objects: store }, link, { recordingId, part, bytes });
  const complete = (link: Link, recordingId: string, parts: number, durationMs = 5_000) =>
    completeRecording(deps, link, { recordingId, parts, durationMs });
  /** Uploads a whole file as a new recording of the turn. The worker has not processed it yet. */
  async function upload(link: Link, turnId: string, bytes = webm()): Promise<string> {
    const { recording_id } = await createFor(link, turnId);
    await put(link, recording_id, 1, bytes);
    await complete(link, recording_id, 1);
    return recording_id;
  }
  const warned: unknown[] = [];
  const jobDeps = (store: Pick<ObjectStore, 'get' | 'put' | 'deletePrefix'>) => ({
    database: world.worker,
    objects: store,
    log: { warn: (facts: unknown) => warned.push(facts) },
  });
  const { signal } = new AbortController();
  /** Runs the worker's job that joins recordings until nothing is due. */
  const join = (limitMs?: number) => joinRecordings(jobDeps(objects), signal, limitMs);
  /** Runs the worker's jobs for recordings until nothing is due. */
  const work = async (store: Pick<ObjectStore, 'get' | 'put' | 'deletePrefix'> = objects) => {
    await joinRecordings(jobDeps(store), signal);
    await measureRecordings(jobDeps(store), signal, 1_000);
  };
  const row = async (id: string) => {
    const [found] = await world.change('select to_jsonb(r) as row from recording r where id = $1', id);
    return (found as { row: Record<string, unknown> } | undefined)?.row;
  };
  const read = async (objectPath: string) => {
    const opened = await objects.get(objectPath);
    return opened && buffer(opened.stream);
  };
  return {
    ...world,
    folder,
    objects,
    warned,
    start,
    create,
    createFor,
    put,
    complete,
    upload,
    join,
    work,
    row,
    read,
  };
}
