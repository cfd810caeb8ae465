import { createHash } from 'node:crypto';
import { objectPath } from '../../db/platform/object-path';
import type { PdfTarget } from '../../db/results/result-pdf';
import { resultPdfId, scopeAttributes, workflowSummaries } from '../../workflows/ids';
import type { resultPdf } from '../../workflows/result-pdf';
import type { OperationDeps } from '../deps';

/** The options of a PDF: which sections it has, and its language. A section whose option is left out is off. */
export type PdfRequest = Record<string, boolean | string | undefined>;

const startMs = 4_000;

/** The maximum time that a call waits for its PDF, in milliseconds. */
export const pdfWaitMs = 25_000;

/**
 * Has the worker render a PDF of an attempt, and returns the file's path in the object store, or undefined if
 * rendering failed or took too long. Simultaneous calls for the same sections wait for the same workflow.
 */
export async function makePdf(
  { temporal, queues, metrics }: Pick<OperationDeps, 'temporal' | 'queues' | 'metrics'>,
  resultId: string,
  { merchant_id, environment, attempt }: PdfTarget,
  request: PdfRequest,
  deadline: number,
): Promise<string | undefined> {
  const options = Object.fromEntries(
    Object.entries(request)
      .filter(([, value]) => value !== undefined && value !== false)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  const hash = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 16);
  const name = `report-${hash}.pdf`;
  try {
    const handle = await temporal.withDeadline(Date.now() + startMs, () =>
      temporal.workflow.start<typeof resultPdf>('resultPdf', {
        workflowId: resultPdfId(resultId, attempt, hash),
        taskQueue: queues.main,
        args: [{ result_id: resultId, attempt, request: { name, options } }],
        workflowExecutionTimeout: '2 minutes',
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: scopeAttributes(merchant_id, environment),
        staticSummary: workflowSummaries['resultPdf'],
      }),
    );
    await temporal.withDeadline(deadline, () => handle.result());
    metrics.countWorkflow('resultPdf', 'completed');
    return objectPath({ merchant_id, environment, interview_result_id: resultId, attempt, name });
  } catch {
    metrics.countWorkflow('resultPdf', 'failed');
    return undefined;
  }
}
