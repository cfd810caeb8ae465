import type { ConsoleClient, ConsolePage } from '../identity/console';

export const completed = {
  id: 'completed',
  type: 'kpi',
  title: 'All completed',
  dataset: 'interview_results',
  measures: ['completed'],
};
/** Returns the JSON text of a report definition whose filters select all data. */
export const definitionOf = (title: string, blocks: unknown[] = [completed]) =>
  JSON.stringify({
    schema: 'platform.report/v1',
    title,
    filters: { period: { preset: 'all_time' } },
    blocks,
  });
/** Creates and publishes a report in the builder, and returns the address of its page. */
export async function createReport(
  client: ConsoleClient,
  title: string,
  blocks?: unknown[],
): Promise<string> {
  const page = await client.post('/console/reports/new', {
    definition: definitionOf(title, blocks),
    intent: 'publish',
  });
  expect(page.status).toBe(303);
  return page.headers.get('location') ?? '';
}

/** Returns the number in the first card of a page. */
export const firstNumber = ({ html }: Pick<ConsolePage, 'html'>) => /kpi-value">([^<]+)</.exec(html)?.[1];
