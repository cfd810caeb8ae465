import { createHash } from 'node:crypto';
import type { VNode } from 'preact';
import type { JobContent } from '../../db/catalogue/jobs';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { portalTexts } from '../platform/portal/texts';
import type { MarkdownCompiler } from './markdown-pages';

/**
 * Compiles the long description of a job or session, which is Markdown. Returns undefined if it is too long to show.
 * Throws 503 if it is not ready in time.
 */
export async function compileDescription(
  pages: Pick<MarkdownCompiler, 'compile'>,
  rowId: string,
  merchantId: string,
  markdown: string,
): Promise<string | undefined> {
  const version = createHash('sha256').update(markdown).digest('base64');
  const page = await pages.compile({ rowId, version, merchantId, kind: 'description', markdown });
  return page.isTooLong ? undefined : page.parts.join('');
}

/** A compiled description. */
export const CompiledDescription = ({ markup }: { markup: string }): VNode => (
  <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: markup }} />
);

/** The names and values of a job, for a `dl`. */
export function JobFacts({ job, language }: { job: JobContent; language: LanguageCode }): VNode {
  const texts = portalTexts(language);
  const rows = [
    ['job_company', job.company ?? texts('job_unnamed')],
    ['job_location', job.location],
    ['job_department', job.department],
    ['job_salary', job.salary],
  ] as const;
  return (
    <>
      {rows.map(
        ([label, value]) =>
          value && (
            <>
              <dt>{texts(label)}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </>
          ),
      )}
    </>
  );
}
