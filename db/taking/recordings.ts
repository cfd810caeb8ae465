import type { Statement } from '../platform/statement';

/*
 * Recordings of candidates (docs/taking.md#recordings). The definer functions in sql/recordings.sql check the link's
 * rights and the limits.
 */

/** The maximum number of bytes of one part. */
export const partLimitBytes = 1_048_576;
/** The maximum number of bytes of all recordings of an attempt. Equals `app.recording_limit_bytes()`. */
export const attemptLimitBytes = 200 * 1_048_576;
/** The maximum number of parts of a recording. */
export const partsLimit = 2_000;

/** The media types of recordings. Each stands for one kind of file and says whether it has a picture. */
export const recordingTypes = [
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'video/mp4',
  'video/webm',
] as const;
export type RecordingType = (typeof recordingTypes)[number];

/** What is recorded: the answer of a turn, the whole session, or the introduction video. */
export type RecordingSubject = { kind: 'turn'; turnId: string } | { kind: 'session' | 'introduction' };

type Creation = {
  outcome: 'open' | 'not_running' | 'late' | 'not_recorded' | 'unknown_turn' | 'answered' | 'full';
  /** Null unless the outcome is `open`. */
  recording_id: string | null;
  /** The numbers of the parts that are stored already. */
  stored_parts: number[] | null;
  /** How many more bytes this attempt may upload. */
  limit_bytes: string | null;
};

/**
 * Creates a recording, or returns the open recording of the subject. An open recording is discarded and replaced if
 * it has another media type, or if `restart` is true and it already has parts.
 */
export const createRecording = (
  subject: RecordingSubject,
  mediaType: RecordingType,
  restart: boolean,
): Statement<Creation> => ({
  name: 'create_recording',
  text: 'select * from app.create_recording($1, $2, $3, $4)',
  values: [subject.kind === 'turn' ? subject.turnId : null, subject.kind, mediaType, restart],
});

export type PartOutcome =
  | 'missing'
  | 'stored'
  | 'same'
  | 'conflict'
  | 'not_open'
  | 'late'
  | 'not_running'
  | 'full'
  | 'unknown';
export type RecordingPart = { part: number; bytes: number; sha256: string };

const storePart = (recordingId: string, { part, bytes, sha256 }: RecordingPart, isPut: boolean) => ({
  name: 'store_recording_part',
  text: 'select * from app.store_recording_part($1, $2, $3, $4, $5)',
  values: [recordingId, part, bytes, Buffer.from(sha256, 'hex'), isPut],
});

/**
 * Returns `missing` if a part may be put into the object store, otherwise the reason why not. `path` is the path of
 * the file into which the parts will be joined.
 */
export const checkPart = (
  recordingId: string,
  part: RecordingPart,
): Statement<{ outcome: PartOutcome; path: string | null }> => storePart(recordingId, part, false);

/**
 * Records a part that is in the object store. The outcome is `stored` unless something has changed since `checkPart`.
 */
export const recordPart = (
  recordingId: string,
  part: RecordingPart,
): Statement<{ outcome: PartOutcome; path: string | null }> => storePart(recordingId, part, true);

/** Records that the object store rejects a recording (docs/taking.md#ends). */
export const recordStoreRejection = (recordingId: string): Statement => ({
  name: 'refuse_recording',
  text: 'select app.refuse_recording($1)',
  values: [recordingId],
});

export type RecordingToComplete = {
  /** `late` means that no part was stored in time. */
  outcome: 'open' | 'late' | 'not_running' | 'unknown';
  state: 'open' | 'completed' | 'stored' | 'discarded' | null;
  media_type: RecordingType | null;
  /** The path of the file into which the parts are joined. */
  path: string | null;
  duration_ms: number | null;
  /** How long the recorded answer may take, in seconds. Null for a session and for a turn without a limit. */
  max_seconds: number | null;
  /** The stored parts in order. The list is empty after the worker has joined and deleted the parts. */
  parts: RecordingPart[] | null;
};

/** Returns the data that is needed to complete a recording. */
export const findRecording = (recordingId: string): Statement<RecordingToComplete> => ({
  name: 'find_recording',
  text: 'select * from app.find_recording($1)',
  values: [recordingId],
});

/**
 * Completes an open recording whose parts have the numbers 1 to `parts`, or discards it if `verifiedType` is null.
 * `ended` is false if the recording has changed since `findRecording`.
 */
export const endRecording = (
  recordingId: string,
  {
    parts,
    durationMs,
    verifiedType,
  }: { parts: number; durationMs: number | null; verifiedType: RecordingType | null },
): Statement<{ ended: boolean }> => ({
  name: 'end_recording',
  text: 'select app.end_recording($1, $2, $3, $4) as ended',
  values: [recordingId, parts, durationMs, verifiedType],
});

/**
 * The path of one part in the object store. It contains the hash of the bytes, so that two requests that send different
 * bytes for a part cannot overwrite each other's file.
 */
export const partPath = (
  recordingPath: string,
  { part, sha256 }: Pick<RecordingPart, 'part' | 'sha256'>,
): string => `${partsPrefix(recordingPath)}${String(part).padStart(4, '0')}-${sha256.slice(0, 32)}.part`;

/** Returns the prefix that the paths of all parts of a recording share. */
export const partsPrefix = (recordingPath: string): string =>
  `${recordingPath.slice(0, recordingPath.lastIndexOf('.'))}-p`;
