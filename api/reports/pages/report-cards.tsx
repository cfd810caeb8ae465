import type { VNode } from 'preact';
import type { z } from 'zod';
import { PostButton } from '../../platform/site/buttons';
import { Badge, Link, TimeWithRelative } from '../../platform/site/elements';
import type { reportList } from '../report-list';
import { findTemplate } from '../templates';
import { Thumbnail } from './thumbnail';
import type { LayoutBlock } from './thumbnail';

export type ListedReport = z.output<typeof reportList.reply>['data'][number];

type CardsProps = {
  path: string;
  reports: readonly ListedReport[];
  layouts: ReadonlyMap<string, readonly LayoutBlock[]>;
  /** True if the visitor may copy templates. */
  mayCopy: boolean;
};

/** Lists reports and templates, each with a small picture. */
export const ReportCards = ({ path, reports, layouts, mayCopy }: CardsProps): VNode => (
  <ul class="report-cards">
    {reports.map((report) => (
      <li class="report-card">
        <Thumbnail blocks={layouts.get(report.id) ?? []} />
        <h2>
          <Link to={`${path}/${report.id}`}>{report.title}</Link>
        </h2>
        {report.is_template ? (
          <TemplateFacts report={report} path={path} mayCopy={mayCopy} />
        ) : (
          <Facts report={report} />
        )}
      </li>
    ))}
  </ul>
);

const Facts = ({ report }: { report: ListedReport }): VNode => (
  <>
    <p>
      {report.is_shared ? <Badge tone="good">Shared</Badge> : <Badge>Private</Badge>}{' '}
      {report.has_draft && report.can_edit && <Badge tone="warn">Draft</Badge>}
    </p>
    <p class="soft small">
      {report.creator_name !== null && <bdi>{report.creator_name}, </bdi>}
      <TimeWithRelative at={report.updated_at} />
    </p>
  </>
);

function TemplateFacts(props: { report: ListedReport; path: string; mayCopy: boolean }): VNode {
  const { report, path, mayCopy } = props;
  return (
    <>
      <p class="soft small">{contentOf(report.id)}</p>
      {mayCopy && <PostButton path={path} label="Use template" fields={{ template_id: report.id }} />}
    </>
  );
}

/** Returns the titles of a template's blocks. */
const contentOf = (id: string): string =>
  (findTemplate(id)?.definition.blocks ?? [])
    .flatMap(({ title }) => (typeof title === 'string' ? [title] : []))
    .join(', ');
