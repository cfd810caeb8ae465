import type { RequestHandler } from 'express';
import { findDirectoryForVisitor, readDirectoryContent } from '../../db/catalogue/portal-catalogue';
import type { PortalDirectory } from '../../db/catalogue/portal-catalogue';
import type { Database } from '../../db/platform/database';
import { sendMissingPage } from '../platform/portal/notice';
import { Cover } from './catalogue-elements';
import { sendCataloguePage } from './catalogue-page';
import type { PortalVisit, Visits } from './catalogue-visit';
import { gridContent, pageContent } from './directory-content';
import type { CompiledMarkdown } from './markdown';
import { directoryId } from './markdown-directive';
import type { MarkdownCompiler } from './markdown-pages';

type Deps = { database: Pick<Database, 'read' | 'write' | 'query'>; pages: MarkdownCompiler; visits: Visits };

const maxIdCharacters = 200;

/**
 * `GET /catalogue/<directory id>`: shows the directory with the content that this visitor may see. A directory that the
 * visitor may not see gets the same reply as one that does not exist.
 */
export function directoryPage({ database, pages, visits }: Deps): RequestHandler {
  return async (request, response) => {
    const visit = await visits.open(request, 'catalogue-page');
    const id = String(request.params['directory_id']);
    const isId = id.length <= maxIdCharacters && directoryId.test(id);
    const [directory] = isId ? await database.query(visit, findDirectoryForVisitor(id)) : [];
    if (!directory) return sendMissingPage(request, response);
    const page = directory.has_content
      ? await compiledPage({ database, pages }, visit, directory)
      : undefined;
    const draw = await database.read(visit, (trx) =>
      page ? pageContent(trx, directory, page) : gridContent(trx, directory),
    );
    sendCataloguePage(response, directory, {
      language: directory.platform_language_code,
      title: directory.name,
      content: (
        <>
          <div class="head">
            <div>
              <h1 dir="auto">{directory.name}</h1>
              {directory.description && (
                <p class="lead" dir="auto">
                  {directory.description}
                </p>
              )}
            </div>
            <Cover url={directory.cover_image_url} />
          </div>
          {draw()}
        </>
      ),
    });
  };
}

/**
 * Returns the compiled page. If the page has just been changed, the result can be newer than the directory's
 * `version`. Runs outside of a transaction, because a long page takes seconds to compile.
 */
async function compiledPage(
  { database, pages }: Pick<Deps, 'database' | 'pages'>,
  visit: PortalVisit,
  { row_id: rowId, merchant_id: merchantId, version }: PortalDirectory,
): Promise<CompiledMarkdown> {
  const kept = pages.find(rowId, version);
  if (kept) return kept;
  const [content] = await database.query(visit, readDirectoryContent(rowId));
  return pages.compile({
    rowId,
    version: content?.version ?? version,
    merchantId,
    kind: 'page',
    markdown: content?.content_md ?? '',
  });
}
