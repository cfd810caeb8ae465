import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createWorkerMetrics } from '../../../activities/metrics';

type Panel = { title: string; description: string; targets: { expr: string }[] };
const dashboard = JSON.parse(
  readFileSync(path.join(__dirname, '../../../local/grafana/webhooks.json'), 'utf8'),
) as { panels: Panel[] };

describe('Grafana dashboard', () => {
  const exposed = createWorkerMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name);

  it.each(dashboard.panels.map((panel) => [panel.title, panel] as const))(
    'queries metrics that the worker exports: %s',
    (_, { targets, description }) => {
      expect(description).toMatch(/\.$/);
      const asked = targets.flatMap(({ expr }) => expr.match(/\bwebhook_\w+/g) ?? []);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((name) => !exposed.includes(name.replace(/_bucket$/, '')))).toEqual([]);
    },
  );

  it('shows every webhook metric', () => {
    const shown = JSON.stringify(dashboard.panels);
    expect(exposed.filter((name) => name.startsWith('webhook_') && !shown.includes(name))).toEqual([]);
  });
});
