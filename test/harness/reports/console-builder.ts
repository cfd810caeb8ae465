import type { ConsoleClient, ConsolePage } from '../identity/console';

export const completed = {
  id: 'completed',
  type: 'kpi',
  title: 'All completed',
  dataset: 'interview_results',
  measures: ['completed'],
};
/** Returns the text of a definition with all data. */
export const definitionOf = (title: string, blocks: unknown[] = [completed]) =>
  JSON.stringify({
    schema: 'platform.report/v1',
    title,
    filters: { period: { preset: 'all_time' } },
    blocks,
  });
/** Creates a report in the builder, and returns its address. */
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

/** Returns the number that the first card of a page shows. */
export const firstNumber = ({ html }: Pick<ConsolePage, 'html'>) => /kpi-value">([^<]+)</.exec(html)?.[1];
