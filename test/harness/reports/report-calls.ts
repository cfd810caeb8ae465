import type { Platform } from '../platform/platform';

/** A report block that consists of one number. */
export const completed = {
  id: 'completed',
  type: 'kpi',
  dataset: 'interview_results',
  measures: ['completed'],
};
/** Returns a report definition whose filters select all data. */
export const definitionOf = (title: string, blocks: unknown[] = [completed]) => ({
  schema: 'platform.report/v1',
  title,
  filters: { period: { preset: 'all_time' } },
  blocks,
});

/** Returns functions that call the operations of reports with this token. */
export const reportCalls = (platform: Platform, token: string) => {
  const post = (name: string, body: object, as = token) => platform.call(name, { token: as, body });
  const get = (name: string, query: Record<string, string> = {}, as = token) =>
    platform.call(name, { token: as, query });
  /** Stores and publishes a report, and returns its id. */
  const create = async (title: string): Promise<string> => {
    const { status, body } = await post('report-create', { definition: definitionOf(title) });
    expect([status, body]).toMatchObject([200, { version: 1, published: true }]);
    return String(body['id']);
  };
  return { post, get, create };
};
