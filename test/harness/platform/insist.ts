import { until } from '../wait-for';
import type { Reply } from './platform';

/**
 * Repeats the call while the reply is 503, which means that nothing was stored. On a loaded machine, the last of many
 * waiting calls may wait longer than the statement timeout and get a 503.
 */
export const insist = (call: () => Promise<Reply>): Promise<Reply> =>
  until('a reply other than 503', call, ({ status }) => status !== 503);
