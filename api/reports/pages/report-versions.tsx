import type { VNode } from 'preact';
import type { z } from 'zod';
import { findReportVersion } from '../../../db/reports/reports';
import { ApiError } from '../../platform/operation/api-error';
import { PostButton } from '../../platform/site/buttons';
import { callOperation } from '../../platform/site/call-operation';
import { Badge, Dash, Link, TimeWithRelative, Panel, Table } from '../../platform/site/elements';
import { sentText } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import type { reportGet } from '../report-get';
import { unknownReport } from '../report-scope';
import { reportUpdate } from '../report-update';

type Report = z.output<typeof reportGet.reply>;

/** Adds the action that publishes an earlier version of a report again. */
export function addReportVersions(site: Site, deps: ConsoleDeps): void {
  site.post('console-report-restore', '/reports/:id/restore', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const restored = readVersion(sentText(sent, 'restored'));
    const version = readVersion(sentText(sent, 'version'));
    const definition = await readDefinition(deps, visit, id, restored);
    const input = { id, version, definition, target: 'published' as const };
    const { error } = await callOperation(deps, visit, reportUpdate, input);
    if (error) throw error;
    return { goTo: `/reports/${id}`, flash: `Version ${restored} is published again.` };
  });
}

/** Reads the number of a version, which the address or a form has sent. */
export function readVersion(sent: string): number {
  if (!/^[1-9]\d{0,8}$/.test(sent))
    throw new ApiError('not_found', 'There is no such version of this report.');
  return Number(sent);
}

/** Returns the definition of a version. Throws 404 if the visitor cannot see it. */
export async function readDefinition(
  { database }: Pick<ConsoleDeps, 'database'>,
  visit: ConsoleVisit,
  id: string,
  version: number,
): Promise<object> {
  const [found] = await database.query(visit.caller(), findReportVersion(id, version));
  if (typeof found?.definition !== 'object' || found.definition === null) throw unknownReport();
  return found.definition;
}

/** Lists the newest versions of a report. `shown` is the number of the version in the editor. */
export function Versions({ report, shown }: { report: Report; shown: number }): VNode {
  const { id, version, published_version, draft_version, versions } = report;
  const path = `/reports/${id}`;
  return (
    <Panel title="Versions">
      <Table
        caption="Versions"
        columns={['Version', 'Saved', 'Author', '']}
        rows={versions.map((each) => [
          <>
            {each.version} {each.version === published_version && <Badge tone="good">Published</Badge>}
            {each.version === draft_version && <Badge tone="warn">Draft</Badge>}
          </>,
          <TimeWithRelative at={each.created_at} />,
          each.created_by_name ?? <Dash />,
          <div class="version-acts">
            {each.version === shown ? (
              <span class="soft">Shown</span>
            ) : (
              <Link to={`${path}/edit`} query={{ version: each.version }}>
                Open
              </Link>
            )}
            {each.version !== published_version && (
              <PostButton
                path={`${path}/restore`}
                label="Restore"
                fields={{ restored: String(each.version), version: String(version) }}
              />
            )}
          </div>,
        ])}
      />
    </Panel>
  );
}
