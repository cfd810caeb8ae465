import path from 'node:path';
import { log } from '@temporalio/activity';
import { fileNameOf } from '../../api/reports/public';
import type { ScheduledReport } from '../../api/reports/public';
import type { ReportFile } from '../../db/reports/report-deliveries';
import { DocumentNotWritten, DocumentTooLarge } from '../platform/pdf-writer';
import type { PdfWriter } from '../platform/pdf-writer';

const template = path.join(__dirname, 'report.typ');

/**
 * Writes the result of a report into a file that is named after the report. Returns a sentence in `error` if that is
 * not possible.
 */
export async function writeReportFile(
  pdfs: PdfWriter,
  report: ScheduledReport,
  merchant: string,
  signal: AbortSignal,
): Promise<(ReportFile & { error?: undefined }) | { error: string }> {
  const { title } = report;
  const name = fileNameOf(title);
  if ('csv' in report) return { title, name: `${name}.csv`, content: Buffer.from(report.csv) };
  try {
    const content = await pdfs.write(template, { ...report.document, merchant }, signal);
    return { title, name: `${name}.pdf`, content };
  } catch (error) {
    if (error instanceof DocumentTooLarge)
      return { error: 'The document of this report is too large to write. Use fewer blocks or rows.' };
    if (!(error instanceof DocumentNotWritten)) throw error;
    log.error('failed to write a document', { reason: error.message });
    return { error: 'The document of this report could not be written. Mail its blocks as CSV instead.' };
  }
}
