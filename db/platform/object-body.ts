import type { Readable } from 'node:stream';

/** A file's bytes, or a stream with a known length. S3 accepts no stream of unknown length. */
export type ObjectBody = Uint8Array | { stream: Readable; sizeBytes: number };

/** A stored file that is being read. Whoever gets it must read or destroy the stream. */
export type OpenedObject = { stream: Readable; sizeBytes: number };
