/* Exports that other domains may use. */
export { openCursor, requireCursorScope, sealCursor } from './cursor';
export { cursorField, cursorReply, hasMore, lagMs, mirrorRoles } from './sync-fields';
