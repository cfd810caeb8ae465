import type { Statement } from './statement';

/** The points that a process may use without another query, those left for all processes, and when the window ends. */
export type PointGrant = { granted: number; remaining: number; ends_in_ms: number };

/** Takes points of a key from the count that all processes share (sql/rate-windows.sql). */
export const takeRatePoints = (
  key: Buffer,
  { limit, seconds, needed }: { limit: number; seconds: number; needed: number },
): Statement<PointGrant> => ({
  name: 'take_points',
  text: 'select granted, remaining, ends_in_ms from app.take_points($1, $2, $3, $4)',
  values: [key, limit, seconds, needed],
});

/** Deletes the counts of windows that ended more than a minute ago. Younger ones are probably used again. */
export const deleteEndedWindows: Statement = {
  text: `delete from rate_window where ends_at < now() - interval '1 minute'`,
};
