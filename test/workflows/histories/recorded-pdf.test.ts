import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { failures } from '../../../workflows/failures';
import { quietRuntime, startTestWorker } from '../../harness/platform/test-worker';
import { expectRecorded, findUncompared, statusAtEnd } from '../compare-history';

/**
 * Compares the histories of the workflow that renders PDFs with the recorded ones, as recorded-histories.test.ts
 * does. To record new histories: RECORD_HISTORIES=1 npx jest test/workflows/histories
 */
let worker: Awaited<ReturnType<typeof startTestWorker>>;
/** If true, the fake activity fails as if the PDF could not be written. */
let isUnwritable = false;
beforeAll(async () => {
  quietRuntime();
  worker = await startTestWorker({
    renderResultPdf: async () => {
      if (isUnwritable)
        throw ApplicationFailure.nonRetryable('the PDF could not be written', failures.pdfNotMade);
      return { outcome: 'made' };
    },
    renderRequestedPdf: async () => undefined,
  });
});
afterAll(() => worker.stop());

const request = { name: 'report-0a1b2c3d4e5f6071.pdf', options: { transcript: true } };

describe('resultPdf', () => {
  it.each([
    ['automatic', undefined, 'COMPLETED'],
    ['requested', request, 'COMPLETED'],
    ['unwritable', undefined, 'FAILED'],
  ])('produces the recorded history: %s', async (name, requested, status) => {
    const id = randomUUID();
    isUnwritable = name === 'unwritable';
    const handle = await worker.startPdf(id, requested);
    expect(await statusAtEnd(handle)).toBe(status);
    await expectRecorded(`result-pdf/${name}.json`, handle, id);
  });
});

describe('the recorded histories of PDFs', () => {
  it('are all compared by the tests above', () => {
    expect(findUncompared((file) => file.startsWith('result-pdf/'))).toEqual([]);
  });
});
