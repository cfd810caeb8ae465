import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import sharp from 'sharp';
import { createPdfWriter } from '../../../activities/platform/pdf-writer';
import type { PdfWriter } from '../../../activities/platform/pdf-writer';
import { createResultPdfActivities } from '../../../activities/results/render-result-pdf';
import type { RequestedPdf } from '../../../activities/results/render-result-pdf';
import { bracketTexts } from '../../../api/platform/text/language-texts';
import { recordAuditEntry } from '../../../db/platform/audit';
import { createObjectStore } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { findPdfSource } from '../../../db/results/result-pdf';
import { overrideScore } from '../../../db/scoring/requests';
import { eraseAttempt } from '../../../db/taking/retention';
import { createAnnouncingWorld } from '../../db/webhooks/announcing-world';
import type { AnnouncingWorld } from '../../db/webhooks/announcing-world';

/** Hides the log, because these tests cause errors on purpose. */
const activityEnvironment = () =>
  new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR', () => undefined) });

const folder = mkdtempSync(path.join(tmpdir(), 'pdfs-'));
let world: AnnouncingWorld;
let objects: ObjectStore;
beforeAll(async () => {
  world = await createAnnouncingWorld();
  objects = await createObjectStore(
    { kind: 'folder', folder },
    await generateSigningKeys(),
    'https://api.example.com',
  );
});
afterAll(async () => {
  pdfs.close();
  rmSync(folder, { recursive: true });
});

type Key = { result_id: string; attempt: number };
const config = { platform_language_code: 'de', transcript: true, contact_details: true };
const pdfs = createPdfWriter({ onFailedTry: () => undefined });
const activities = (more: { pdfs?: Pick<PdfWriter, 'write'>; objects?: ObjectStore } = {}) =>
  createResultPdfActivities({
    database: world.worker,
    objects,
    pdfs,
    publicOrigin: 'https://api.example.com',
    ...more,
  });
/** Returns activities that make a change while the first PDF is stored, and what they print. */
const changedWhileStored = (change: () => Promise<unknown>) => {
  const printed: string[] = [];
  const changing = activities({
    pdfs: {
      write: (template, data) => {
        printed.push(JSON.stringify(data));
        return pdfs.write(template, data);
      },
    },
    objects: {
      ...objects,
      put: async (file, body) => {
        await objects.put(file, body);
        if (printed.length === 1) await change();
      },
    },
  });
  return { changing, printed };
};
const render = (key: Key, from = activities()) =>
  activityEnvironment().run(from.renderResultPdf, key) as Promise<{ outcome: string }>;
const request = (key: Key, asked: RequestedPdf, from = activities()) =>
  activityEnvironment().run(from.renderRequestedPdf, { ...key, request: asked });
const row = async ({ result_id }: Key) => world.show(result_id);
const fileOf = ({ result_id, attempt }: Key, name = 'report.pdf') =>
  `${world.cell.merchantId}/${world.cell.environment}/${result_id}/${attempt}/${name}`;
const read = async (file: string) => {
  const opened = await objects.get(file);
  if (!opened) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of opened.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
};

describe('renderResultPdf', () => {
  it('stores the PDF, sets an address that works for 30 days, and releases the event once', async () => {
    const { key } = await world.scored({ pdf_export_auto_config: JSON.stringify(config) });
    expect(await world.born(key.result_id)).toEqual([['interview_collected', 'interview_status']]);
    expect(await render(key)).toEqual({ outcome: 'made' });
    const { pdf_export_url: url, pdf_failed_at } = await row(key);
    expect(pdf_failed_at).toBeNull();
    const token = new URL(String(url)).searchParams.get('file_token');
    const { exp } = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number;
    };
    expect(Math.round((exp - Date.now() / 1000) / 86_400)).toBe(30);
    expect(await objects.findSigned(fileOf(key), token)).toMatchObject({ contentType: 'application/pdf' });
    const pdf = await read(fileOf(key));
    expect(pdf).toMatch(/^%PDF/);
    expect(pdf).toContain('/Lang (de)');
    const events = await world.born(key.result_id);
    expect(events.map(([event]) => event)).toEqual(['interview_result']);

    expect(await render(key)).toEqual({ outcome: 'made' });
    expect((await row(key))['pdf_export_url']).toBe(url);
    expect(await world.born(key.result_id)).toEqual([]);
  });

  it('prints the logo of the merchant, and goes on without one whose file is gone', async () => {
    const { key } = await world.scored({ pdf_export_auto_config: JSON.stringify(config) });
    const { merchantId } = world.cell;
    const logo = `${merchantId}/logo/${'0'.repeat(32)}.png`;
    await world.database.rows('update merchant set logo_path = $2 where id = $1', [merchantId, logo]);
    await render(key);
    expect(await read(fileOf(key))).not.toMatch(/\/Subtype *\/Image/);
    await objects.put(
      logo,
      await sharp({ create: { width: 9, height: 9, channels: 3, background: '#1a56c4' } })
        .png()
        .toBuffer(),
    );
    await render(key);
    expect(await read(fileOf(key))).toMatch(/\/Subtype *\/Image/);
    await world.database.rows('update merchant set logo_path = null where id = $1', [merchantId]);
  });

  it('gives a PDF that is made again after a day a new address', async () => {
    const { key } = await world.scored({ pdf_export_auto_config: JSON.stringify(config) });
    await render(key);
    const { pdf_export_url: before } = await row(key);
    await world.change(key.result_id, { pdf_made_at: new Date(Date.now() - 2 * 86_400_000) });
    await render(key);
    expect((await row(key))['pdf_export_url']).not.toBe(before);
  });

  it('does nothing without the setting, and for an attempt that was reopened', async () => {
    const { key } = await world.scored();
    expect(await render(key)).toEqual({ outcome: 'skipped' });
    expect(await render({ ...key, attempt: 2 })).toEqual({ outcome: 'skipped' });
    expect(await render({ ...key, result_id: crypto.randomUUID() })).toEqual({ outcome: 'skipped' });
    expect(await read(fileOf(key))).toBeUndefined();
  });

  it('sends the event without an address when the document cannot be written, and again when a later PDF is made', async () => {
    const { key } = await world.scored({ pdf_export_auto_config: JSON.stringify(config) });
    await world.born(key.result_id);
    const tries: string[] = [];
    const slow = createPdfWriter({ limitMs: 1, onFailedTry: (reason) => tries.push(reason) });
    const failing = render(key, activities({ pdfs: slow }));
    await expect(failing).rejects.toMatchObject({ type: 'PdfNotMade', nonRetryable: true });
    expect(tries).toHaveLength(3);
    expect(await row(key)).toMatchObject({ pdf_export_url: null, pdf_failed_at: expect.any(String) });
    expect((await world.born(key.result_id)).map(([event]) => event)).toEqual(['interview_result']);
    await render(key);
    expect(await row(key)).toMatchObject({ pdf_export_url: expect.any(String), pdf_failed_at: null });
    expect(await world.born(key.result_id)).toEqual([['interview_result', 'pdf_export_url']]);
  });

  it('is retried while the object store is away', async () => {
    const { key } = await world.scored({ pdf_export_auto_config: JSON.stringify(config) });
    const away = { ...objects, put: () => Promise.reject(new Error('the store is away')) };
    await expect(render(key, activities({ objects: away }))).rejects.toThrow('the store is away');
    expect(await row(key)).toMatchObject({ pdf_failed_at: null });
  });

  it('renders again if a person sets the score of an answer while the PDF is stored', async () => {
    const { key } = await world.scored({ pdf_export_auto_config: JSON.stringify(config) });
    const [question] = await world.database.rows<{ id: string }>(
      'select id from result_question where result_id = $1 and is_answer limit 1',
      [key.result_id],
    );
    const decide = () =>
      world.asRecruiter((trx) =>
        trx.one(overrideScore(key.result_id, question?.id ?? '', 4.7, 'Heard the recording.', bracketTexts)),
      );
    const { changing, printed } = changedWhileStored(async () => {
      expect(await decide()).toMatchObject({ outcome: 'decided' });
    });
    expect(await render(key, changing)).toEqual({ outcome: 'made' });
    expect(printed.map((data) => data.includes('4,7'))).toEqual([false, true]);
  });

  it('leaves no file of an attempt that is erased meanwhile', async () => {
    const { key } = await world.scored({ pdf_export_auto_config: JSON.stringify(config) });
    const erasing = {
      ...objects,
      put: async (file: string, body: Parameters<ObjectStore['put']>[1]) => {
        await world.writeAsWorker((trx) => trx.one(eraseAttempt({ ...world.cell, merchant_id: '', ...key })));
        await objects.put(file, body);
      },
    };
    expect(await render(key, activities({ objects: erasing }))).toEqual({ outcome: 'skipped' });
    expect(await read(fileOf(key))).toBeUndefined();
    expect((await row(key))['pdf_export_url']).toBeNull();
  });
});

describe('renderRequestedPdf', () => {
  it('stores a PDF under its name and leaves the result as it is', async () => {
    const { key } = await world.scored();
    const before = await row(key);
    await request(key, { name: 'report-1.pdf', options: { transcript: true } });
    expect(await read(fileOf(key, 'report-1.pdf'))).toMatch(/^%PDF/);
    expect(await row(key)).toEqual(before);
  });

  it('shows a score that a person sets while the PDF is stored, because a later call may wait for the same PDF', async () => {
    const { key } = await world.scored();
    const { changing, printed } = changedWhileStored(() =>
      world.asRecruiter((trx) =>
        trx.one(overrideScore(key.result_id, null, 1.7, 'Heard the recording.', bracketTexts)),
      ),
    );
    await request(key, { name: 'report-2.pdf', options: { platform_language_code: 'en' } }, changing);
    expect(printed.map((data) => data.includes('1.7'))).toEqual([false, true]);
  });

  it('names who set the score, decided and wrote the note, with the time, and keeps the score of the AI', async () => {
    const { key } = await world.scored();
    const { score } = await row(key);
    const { profileId } = world.cell;
    const [{ name } = { name: '' }] = await world.database.rows<{ name: string }>(
      'select coalesce(name, email) as name from profile where id = $1',
      [profileId],
    );
    const update = (fields: Parameters<typeof decideResult>[2]) =>
      world.asRecruiter(async (trx) => {
        const updated_fields = await decideResult(trx, key.result_id, fields);
        await trx.count(recordAuditEntry('job-interview-result-update', key.result_id, { updated_fields }));
      });
    await world.asRecruiter((trx) =>
      trx.one(overrideScore(key.result_id, null, 1.7, 'Heard it.', bracketTexts)),
    );
    await update({ recruiter_go_next_round: true });
    await update({ recruiter_go_next_round: false, recruiter_shortlist: true });
    await update({ user_feedback_recruiter: 'Call again.' });
    const source = async (attempt: number) =>
      (await world.worker.queryAsWorker(findPdfSource(key.result_id, attempt)))[0];
    const act = { by: name, at: expect.any(String) };
    const expected = {
      score: 1.7,
      decisions: [{ ...act, question_id: null, score_ai: score, reason: 'Heard it.' }],
      recruiter_go_next_round: false,
      recruiter_shortlist: true,
      user_feedback_recruiter: 'Call again.',
      acts: { recruiter_go_next_round: act, recruiter_shortlist: act, user_feedback_recruiter: act },
    };
    expect(await source(1)).toMatchObject(expected);
    const [last] = await world.database.rows<{ at: string }>(
      `select max(created_at)::timestamptz::text as at from audit_entry
       where subject_id = $1 and details -> 'updated_fields' ? 'recruiter_go_next_round'`,
      [key.result_id],
    );
    expect(Date.parse((await source(1))?.acts.recruiter_go_next_round?.at ?? '')).toBe(
      Date.parse(last?.at ?? ''),
    );

    // An earlier attempt keeps its own decision, and the next one has none.
    await world.asRecruiter((trx) => reopenResult(trx, key.result_id));
    await update({ user_feedback_recruiter: 'About the second attempt.' });
    expect(await source(1)).toMatchObject(expected);
    expect(await source(2)).toMatchObject({ decisions: [], recruiter_go_next_round: null });
  });

  it('fails for an attempt that does not exist', async () => {
    const { key } = await world.scored();
    await expect(request({ ...key, attempt: 2 }, { name: 'a.pdf', options: {} })).rejects.toMatchObject({
      type: 'PdfNotMade',
    });
  });
});
