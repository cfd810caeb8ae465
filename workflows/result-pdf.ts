import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { RequestedPdf, ResultPdfActivities } from '../activities/results/render-result-pdf';
import { taskQueuesOf } from './ids';
import { automaticPdfs, requestedPdfs } from './policies';

/** Without `request`, the workflow renders the PDF that the settings of the interview ask for. */
type ResultPdfInput = { result_id: string; attempt: number; request?: RequestedPdf };

/**
 * Renders a PDF of a result and stores it: the automatic PDF when it must be renewed, or a PDF with the sections that
 * a caller requested. The workflow's history contains only ids and options.
 */
export async function resultPdf({ result_id, attempt, request }: ResultPdfInput): Promise<void> {
  const shared = { taskQueue: taskQueuesOf(workflowInfo().taskQueue).pdfs, summary: 'Renders the PDF' };
  setCurrentDetails('**Rendering** the PDF.');
  if (request) {
    const { renderRequestedPdf } = proxyActivities<ResultPdfActivities>({ ...requestedPdfs, ...shared });
    await renderRequestedPdf({ result_id, attempt, request });
  } else {
    const { renderResultPdf } = proxyActivities<ResultPdfActivities>({ ...automaticPdfs, ...shared });
    await renderResultPdf({ result_id, attempt });
  }
  setCurrentDetails('**Done**: the PDF is stored.');
}
