import path from 'node:path';
import { Context, log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { brandColors, defaultAccent } from '../../api/platform/text/brand';
import type { Database } from '../../db/platform/database';
import { objectPath } from '../../db/platform/object-path';
import { readObject } from '../../db/platform/object-store';
import type { ObjectStore } from '../../db/platform/object-store';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { findPdfContent, findPdfSource } from '../../db/results/result-pdf';
import type { PdfSource } from '../../db/results/result-pdf';
import { recordPdf } from '../../db/results/results';
import type { ResultKey } from '../../db/results/results';
import { giveUpPdf } from '../../db/webhooks/public';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import { DocumentNotWritten, DocumentTooLarge } from '../platform/pdf-writer';
import type { PdfWriter } from '../platform/pdf-writer';
import { readPdfOptions } from './pdf-options';
import { createPrintThread } from './print-thread';
import type { PrintResult } from './print-thread';
import type { PdfOptions } from './result-to-print';

export type ResultPdfActivities = ReturnType<typeof createResultPdfActivities>;

/** The name of the file in the object store, and the options as a caller sent them. */
export type RequestedPdf = { name: string; options: Record<string, unknown> };

type ResultPdfDeps = {
  database: Pick<Database, 'queryAsWorker' | 'writeAsWorker'>;
  objects: Pick<ObjectStore, 'get' | 'put' | 'delete' | 'signUrl'>;
  /** Where the console is, to which links to recordings lead. */
  publicOrigin: string;
  pdfs: Pick<PdfWriter, 'write'>;
  print?: PrintResult;
};

/** The lifetime of the address of an automatic PDF. */
const linkSeconds = 30 * 24 * 3_600;
const template = path.join(__dirname, 'result.typ');
/** After this many failed tries, the console shows that the PDF has failed. Later tries can still succeed. */
const triesUntilShown = 3;
/**
 * If the result changes while its PDF is rendered, the PDF is rendered again. A PDF that a caller waits for is
 * rendered at most this many times.
 */
const maxRounds = 3;

/** The activities that render PDFs of results (docs/results.md#automatic-pdf); each is safe to run twice. */
export function createResultPdfActivities(deps: ResultPdfDeps) {
  const { database, objects, publicOrigin, pdfs, print = createPrintThread() } = deps;
  const making = { publicOrigin, pdfs, print, objects };

  return {
    /**
     * Makes the PDF that the interview's `pdf_export_auto_config` asks for, and sets `pdf_export_url`, for which the
     * webhook event of the result waits. If the result changes while its PDF is rendered and stored, renders again.
     * The file that is stored last therefore shows the last scores, even if several calls run at the same time. Does
     * nothing if no PDF is asked for, or if the attempt is not the current one. Throws `PdfNotMade`, which is not
     * retried, if the document cannot be written. The event is then sent without the address.
     */
    renderResultPdf: (key: ResultKey): Promise<{ outcome: 'made' | 'skipped' }> =>
      withHeartbeat(async (signal) => {
        try {
          for (;;) {
            const [source] = await database.queryAsWorker(findPdfSource(key.result_id, key.attempt));
            const asked = readPdfOptions(source?.pdf_export_auto_config);
            if (source?.status !== 'active' || !asked) return { outcome: 'skipped' };
            const file = fileOf(source, key, 'report.pdf');
            await objects.put(file, await writeResult(making, source, asked, signal));
            const url = await objects.signUrl(file, { expiresInSeconds: linkSeconds });
            const state = await database.writeAsWorker((trx) => recordPdf(trx, key, url, source.revision));
            if (state === 'recorded') return { outcome: 'made' };
            if (state === 'gone') {
              await deleteUnlessKept(deps, key, file);
              return { outcome: 'skipped' };
            }
          }
        } catch (error) {
          const isFinal = error instanceof ApplicationFailure && error.nonRetryable === true;
          if (isFinal || Context.current().info.attempt >= triesUntilShown)
            await database.writeAsWorker(async (trx) => {
              await recordPdf(trx, key, null);
              if (isFinal) await trx.count(giveUpPdf(key.result_id, key.attempt));
            });
          throw error;
        }
      }),

    /**
     * Makes a PDF with the sections that a caller asked for, and stores it under the given name. If the result changes
     * meanwhile, makes it again.
     */
    renderRequestedPdf: ({
      result_id,
      attempt,
      request,
    }: ResultKey & { request: RequestedPdf }): Promise<void> =>
      withHeartbeat(async (signal) => {
        const key = { result_id, attempt };
        const read = async () => (await database.queryAsWorker(findPdfSource(result_id, attempt)))[0];
        const asked = readPdfOptions(request.options);
        let source = await read();
        if (!source || !asked)
          throw ApplicationFailure.nonRetryable('the attempt has no content', failures.pdfNotMade);
        const file = fileOf(source, key, request.name);
        // If the result changed meanwhile, the PDF is made again: a caller that asked after the change may be waiting
        // for this same workflow.
        for (let rounds = 0; rounds < maxRounds; rounds += 1) {
          const { revision } = source;
          await objects.put(file, await writeResult(making, source, asked, signal));
          source = (await read()) ?? source;
          if (source.revision === revision) break;
        }
        await deleteUnlessKept(deps, key, file);
      }),
  };
}

const fileOf = (
  { merchant_id, environment }: PdfSource,
  { result_id, attempt }: ResultKey,
  name: string,
): string => objectPath({ merchant_id, environment, interview_result_id: result_id, attempt, name });

/** Deletes a file that was stored while its attempt was erased. Otherwise it would outlive the attempt. */
async function deleteUnlessKept(
  { database, objects }: ResultPdfDeps,
  { result_id, attempt }: ResultKey,
  file: string,
): Promise<void> {
  const kept = await database.queryAsWorker(findPdfContent(result_id, attempt));
  if (kept.length === 0) await objects.delete(file);
}

async function writeResult(
  {
    publicOrigin,
    pdfs,
    print,
    objects,
  }: Required<Pick<ResultPdfDeps, 'publicOrigin' | 'pdfs' | 'print' | 'objects'>>,
  source: PdfSource,
  asked: { options: PdfOptions; language: LanguageCode | undefined },
  signal: AbortSignal,
): Promise<Buffer> {
  const { options } = asked;
  const language = asked.language ?? source.platform_language_code ?? 'en';
  const pageUrl = `${publicOrigin}/console/results/${source.result_id}?attempt=${source.attempt}`;
  try {
    const document = await print(source, language, options, { pageUrl });
    const picture = source.logo_path === null ? undefined : await readObject(objects, source.logo_path);
    const brand = {
      accent: brandColors(source.accent_color ?? defaultAccent).light.accent,
      logo: picture ? [...picture] : null,
    };
    return await pdfs.write(template, { ...document, ...brand }, signal);
  } catch (error) {
    if (!(error instanceof DocumentTooLarge || error instanceof DocumentNotWritten)) throw error;
    log.error('failed to write the PDF of a result', { reason: error.message });
    throw ApplicationFailure.nonRetryable('the PDF could not be written', failures.pdfNotMade);
  }
}
