import type { ScheduledReport } from '../../api/reports/public';
import type { ReportFile } from '../../db/reports/report-deliveries';

/** Writes the file of a report that ran. Its name is the title, as far as every system accepts it. */
export async function writeReportFile({
  title,
  csv,
}: ScheduledReport): Promise<(ReportFile & { error?: undefined }) | { error: string }> {
  return { title, name: `${fileNameOf(title)}.csv`, content: Buffer.from(csv) };
}

const fileNameOf = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'report';
