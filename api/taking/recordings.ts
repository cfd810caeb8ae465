import { createHash } from 'node:crypto';
import type { LinkCaller } from '../../db/platform/database';
import {
  attemptLimitBytes,
  checkPart,
  createRecording as createStatement,
  endRecording,
  findRecording,
  partLimitBytes,
  partPath,
  recordPart,
  recordStoreRejection,
} from '../../db/taking/recordings';
import type { PartOutcome, RecordingPart, RecordingSubject, RecordingType } from '../../db/taking/recordings';
import type { OperationDeps } from '../deps';
import { ApiError } from '../platform/operation/api-error';
import { containerHeadBytes, describeFileType, findContainer } from './media-container';

/*
 * The portal's operations and pages use these functions for candidates' recordings (docs/taking.md#recordings). All
 * of the functions can be repeated, and throw an `ApiError`.
 */

/** A recording may be this much longer than its turn allows, because recorders do not stop exactly at the limit. */
const durationToleranceMs = 5_000;

type Deps = Pick<OperationDeps, 'database' | 'objects'>;

/**
 * Creates a recording, or returns the open recording of its turn or session with the parts that are stored. Throws
 * 404 for an unknown turn, 409 if the attempt or the turn takes no recording any more or the limit is reached, and
 * 422 if the turn or session takes no recording of this type. `restart` discards an open recording that has parts,
 * but completes an open recording of a session.
 */
export async function createRecording(
  deps: Deps,
  caller: LinkCaller,
  { subject, mediaType, restart }: { subject: RecordingSubject; mediaType: RecordingType; restart: boolean },
) {
  const creation = { subject, mediaType };
  if (subject.kind === 'session' && restart) await keepSession(deps, caller, creation);
  return openRecording(deps, caller, { ...creation, restart });
}

type Creation = { subject: RecordingSubject; mediaType: RecordingType };

/**
 * Completes the open recording of a session with its stored parts, because the candidate reloaded the page and the
 * session goes on in another recording.
 */
async function keepSession(deps: Deps, caller: LinkCaller, creation: Creation): Promise<void> {
  const { recording_id: recordingId, stored_parts: stored } = await openRecording(deps, caller, {
    ...creation,
    restart: false,
  });
  // Parts after a gap cannot be played. A session's recording with a gap is therefore discarded by the restart
  // instead of completed.
  if (stored.length === 0 || stored.at(-1) !== stored.length) return;
  await completeRecording(deps, caller, { recordingId, parts: stored.length, durationMs: null }).catch(
    (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'invalid_value') throw error;
    },
  );
}

async function openRecording(
  { database }: Pick<Deps, 'database'>,
  caller: LinkCaller,
  { subject, mediaType, restart }: Creation & { restart: boolean },
) {
  const { outcome, ...created } = await database.write(caller, (trx) =>
    trx.one(createStatement(subject, mediaType, restart)),
  );
  switch (outcome) {
    case 'open':
      return {
        recording_id: created.recording_id ?? '',
        part_bytes: partLimitBytes,
        remaining_bytes: Number(created.limit_bytes),
        stored_parts: created.stored_parts ?? [],
      };
    case 'unknown_turn':
      throw new ApiError('not_found', 'Your attempt has no turn with this turn_id.', 'turn_id');
    case 'answered':
      throw new ApiError('state_conflict', 'This turn is answered already.');
    case 'late':
      throw late();
    case 'full':
      throw full();
    case 'not_recorded':
      throw new ApiError(
        'not_applicable',
        'media_type must be audio for a turn with the mode `voice`, and video for an introduction and a turn with the mode `video` whose `may_type` is false. A session is recorded as its interview says: as sound, as video, or not at all.',
        'media_type',
      );
    default:
      throw notRunning();
  }
}

/**
 * Stores the bytes of one part. Parts are counted from 1 and can be sent in any order, also more than once with the
 * same bytes. Throws 404 for an unknown recording, 409 if other bytes are stored for the part or nothing more can be
 * uploaded, 413 for more than 1 MiB, and 503 if the object store does not take the part, which can then be sent
 * again.
 */
export async function storeRecordingPart(
  deps: Deps,
  caller: LinkCaller,
  { recordingId, part, bytes }: { recordingId: string; part: number; bytes: Buffer },
): Promise<{ recording_id: string; part: number; bytes: number }> {
  if (bytes.length === 0) throw new ApiError('required', 'The body must have the bytes of the part.');
  if (bytes.length > partLimitBytes) throw new ApiError('body_too_large', 'The body must be at most 1 MiB.');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const sent: RecordingPart = { part, bytes: bytes.length, sha256 };
  const { database, objects } = deps;
  const { outcome, path } = await database.write(caller, (trx) => trx.one(checkPart(recordingId, sent)));
  // The bytes are put outside of any transaction, because the object store can be slow.
  if (outcome === 'missing' && path !== null) {
    await objects.put(partPath(path, sent), bytes).catch(rejectAsAway(deps, caller, recordingId));
    assertStored((await database.write(caller, (trx) => trx.one(recordPart(recordingId, sent)))).outcome);
  } else assertStored(outcome);
  return { recording_id: recordingId, part, bytes: bytes.length };
}

function assertStored(outcome: PartOutcome): void {
  switch (outcome) {
    case 'stored':
    case 'same':
      return;
    case 'unknown':
      throw unknownRecording();
    case 'conflict':
      throw new ApiError('state_conflict', 'This part is already stored with other bytes.', 'part');
    case 'full':
      throw full();
    case 'not_open':
      throw new ApiError('state_conflict', 'This recording is complete and takes no more parts.');
    case 'late':
      throw late();
    default:
      throw notRunning();
  }
}

/**
 * Completes a recording after checking that all parts are there and that the content has the stated media type. The
 * worker then joins the parts to one file. Throws 404 for an unknown recording; 409 if parts are missing (listed in
 * `details`) or the time for uploading is over; 422 if the duration is longer than the turn allows; and 422 if the
 * content has another type, in which case the recording is discarded.
 */
export async function completeRecording(
  deps: Deps,
  caller: LinkCaller,
  { recordingId, parts, durationMs }: { recordingId: string; parts: number; durationMs: number | null },
) {
  const { database, objects } = deps;
  const found = await database.write(caller, (trx) => trx.one(findRecording(recordingId)));
  if (found.outcome === 'unknown' || found.state === null || found.media_type === null)
    throw unknownRecording();
  const reply = { recording_id: recordingId, media_type: found.media_type };
  // A repeated call gets the same reply. Its parts are not compared, because the worker deletes the parts of a
  // completed recording.
  if (found.state === 'completed' || found.state === 'stored') return reply;
  if (found.state === 'discarded') throw discarded();
  if (found.outcome === 'late') throw late();
  if (found.outcome === 'not_running') throw notRunning();
  assertDuration(durationMs, found.max_seconds);
  assertComplete(found.parts ?? [], parts);
  const head = await readHead(objects, found.path ?? '', found.parts ?? []).catch(
    rejectAsAway(deps, caller, recordingId),
  );
  const problem = findTypeProblem(head, found.media_type);
  const { ended } = await database.write(caller, (trx) =>
    trx.one(
      endRecording(recordingId, {
        parts,
        durationMs,
        verifiedType: problem === null ? reply.media_type : null,
      }),
    ),
  );
  if (problem !== null) throw problem;
  if (!ended)
    throw new ApiError(
      'concurrent_change',
      'Another call changed this recording at the same time. Try again.',
    );
  return reply;
}

function assertDuration(durationMs: number | null, maxSeconds: number | null): void {
  if (durationMs === null || maxSeconds === null) return;
  if (durationMs <= maxSeconds * 1_000 + durationToleranceMs) return;
  throw new ApiError('too_large', `The recording may take at most ${maxSeconds} seconds.`, 'duration_ms');
}

function assertComplete(stored: readonly RecordingPart[], parts: number): void {
  const numbers = new Set(stored.map(({ part }) => part));
  const missing = Array.from({ length: parts }, (_, index) => index + 1).filter((part) => !numbers.has(part));
  if (missing.length > 0)
    throw Object.assign(
      new ApiError('state_conflict', `${missing.length} of ${parts} parts are missing. Send them again.`),
      { details: [{ missing_parts: missing }] },
    );
  if (stored.length > parts)
    throw new ApiError(
      'state_conflict',
      `${stored.length} parts are stored. Send the number of all parts.`,
      'parts',
    );
}

/** Returns an error if the beginning of the upload is not that of a file of the declared type. */
function findTypeProblem(head: Buffer, mediaType: RecordingType): ApiError | null {
  if (findContainer(head) === mediaType.split('/')[1]) return null;
  return new ApiError(
    'invalid_value',
    `The recording is ${describeFileType(head)}, not ${mediaType}. Record the answer again, or type it.`,
    'recording_id',
  );
}

/** Reads the beginning of the upload. */
async function readHead(
  objects: Deps['objects'],
  path: string,
  parts: readonly RecordingPart[],
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (bytes >= containerHeadBytes) break;
    const opened = await objects.get(partPath(path, part));
    if (!opened) throw new Error('A stored part of a recording is missing in the object store');
    for await (const chunk of opened.stream) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= containerHeadBytes) break;
    }
  }
  return Buffer.concat(chunks).subarray(0, containerHeadBytes);
}

/**
 * Returns a function that throws a 503 whose cause is logged. Since when the object store rejects the recording is stored,
 * because the attempt fails if that takes too long (docs/taking.md#ends).
 */
const rejectAsAway =
  ({ database }: Deps, caller: LinkCaller, recordingId: string) =>
  async (cause: unknown): Promise<never> => {
    await database.write(caller, (trx) => trx.rows(recordStoreRejection(recordingId)));
    throw Object.assign(
      new ApiError(
        'service_unavailable',
        'Recordings cannot be stored at the moment. Nothing is lost: send the same request again.',
      ),
      { cause },
    );
  };
const unknownRecording = (): ApiError =>
  new ApiError('not_found', 'Your attempt has no recording with this recording_id.', 'recording_id');
const late = (): ApiError => new ApiError('state_conflict', 'The time of the interview is over.');
const notRunning = (): ApiError =>
  new ApiError('state_conflict', 'The attempt has ended and takes no more recordings.');
const discarded = (): ApiError =>
  new ApiError('state_conflict', 'This recording was discarded. Create a new one.', 'recording_id');
const full = (): ApiError =>
  new ApiError(
    'limit_reached',
    `The recordings of an attempt must not exceed ${attemptLimitBytes / 1_048_576} MiB. Type the other answers.`,
  );
