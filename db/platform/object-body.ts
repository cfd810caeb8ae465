import type { Readable } from 'node:stream';

/** A file's bytes, or a stream whose length is known beforehand: S3 takes no other. */
export type ObjectBody = Uint8Array | { stream: Readable; sizeBytes: number };
