import type { Readable } from 'node:stream';

/** A file's bytes, or a stream with a known length. S3 accepts no stream of unknown length. */
export type ObjectBody = Uint8Array | { stream: Readable; sizeBytes: number };

/** The bytes of a file from `start` (inclusive) to `end` (exclusive). */
export type ByteRange = { start: number; end: number };

/**
 * A stored file, or a range of it, that is being read. `sizeBytes` is the length of the stream. The caller must read
 * or destroy the stream.
 */
export type OpenedObject = { stream: Readable; sizeBytes: number };
