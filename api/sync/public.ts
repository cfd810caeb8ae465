/* Exports that other domains may use. */
export { openCursor, requireScope, sealCursor } from './cursor';
export { cursorField, cursorReply, hasMore, lagMs, mirrors } from './sync-fields';
