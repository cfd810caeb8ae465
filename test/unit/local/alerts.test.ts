import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { createWorkerMetrics } from '../../../activities/metrics';
import { createApiMetrics } from '../../../api/platform/http/metrics';

type Alert = { alert: string; expr: string; annotations: { runbook: string } };
const read = (file: string) => readFileSync(path.join(__dirname, '../../..', file), 'utf8');
const { groups } = parse(read('local/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);

describe('an alert', () => {
  const exported = [createWorkerMetrics(), createApiMetrics()].flatMap(({ registry }) =>
    registry.getMetricsAsArray().map(({ name }) => name),
  );
  const sections = new Map(
    read('docs/runbook.md')
      .split(/^## /m)
      .map((section) => [section.split('\n', 1)[0], section]),
  );

  it.each(alerts)(
    '$alert is about a metric that the product exports and its section of the runbook names',
    ({ expr, annotations }) => {
      const [metric = ''] = /[a-z]+(?:_[a-z]+)+/.exec(expr) ?? [];
      expect(exported).toContain(metric.replace(/_count$/, ''));
      expect(sections.get(annotations.runbook)).toContain(`\`${metric}`);
    },
  );

  it('is there for the lag of the feeds', () => {
    expect(alerts.map(({ expr }) => expr)).toContain('max(sync_lag_seconds) > 60');
  });
});
