import type { VNode } from 'preact';
import type { z } from 'zod';
import type { Issue } from './issue';
import { reportSchema } from './limits';
import { parseJson, placeOfError } from './json-text';
import { CatalogList } from './report-catalog-list';
import { reportCatalog } from './report-catalog';
import { reportCreate } from './report-create';
import { reportGet } from './report-get';
import { Blocks } from './report-blocks';
import { requireEditable } from './report-page';
import { reportPreview } from './report-preview';
import { reportUpdate } from './report-update';
import { ApiError } from '../platform/operation/api-error';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { Hidden } from '../platform/site/buttons';
import { Link, Panel } from '../platform/site/elements';
import { Form, TextArea } from '../platform/site/form';
import type { Go, Sent, Site } from '../platform/site/site';
import { textOf } from '../platform/site/site';
import type { Page } from '../platform/site/layout';
import { mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

/** Spaces and line breaks of a definition of the largest size fit, too. */
const maxCharacters = 200_000;
type Preview = z.output<typeof reportPreview.reply>;
type Editor = { text: string; version?: number; title: string; path: string };
type Outcome = { error?: ApiError; preview?: Preview };

/** Adds the pages that create a report and edit one: its definition as JSON, a preview, and the catalog. */
export function addReportEditPages(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: Visit, editor: Editor, { error, preview }: Outcome = {}): Promise<Page> => {
    const catalog = replyOf(await callOperation(deps, visit, reportCatalog, {}));
    return {
      title: editor.title,
      at: '/reports',
      status: error?.status,
      content: (
        <>
          {error && <Problems error={error} />}
          <div class="builder">
            <Panel title="Definition">
              <DefinitionForm editor={editor} error={error} />
            </Panel>
            <CatalogList datasets={catalog.datasets} />
          </div>
          {preview && (
            <>
              <h2 id="preview">Preview</h2>
              <Blocks reply={preview} />
            </>
          )}
        </>
      ),
    };
  };
  /** Previews the text of a form, or stores it. */
  const submit = async (
    visit: Visit,
    sent: Sent,
    editor: Editor,
    store: (definition: object, target: 'draft' | 'published') => Promise<Go | ApiError>,
  ): Promise<Page | Go> => {
    const definition = parseDefinition(editor.text);
    if (definition instanceof ApiError) return render(visit, editor, { error: definition });
    const intent = textOf(sent, 'intent');
    if (intent === 'draft' || intent === 'publish') {
      const stored = await store(definition, intent === 'draft' ? 'draft' : 'published');
      return stored instanceof ApiError ? render(visit, editor, { error: stored }) : stored;
    }
    const { reply: preview, error } = await callOperation(deps, visit, reportPreview, { definition });
    return render(visit, editor, error ? { error } : { preview });
  };
  const newEditor = (text: string): Editor => ({ text, title: 'New report', path: '/reports/new' });

  site.page('console-report-new', '/reports/new', async (visit) => {
    if (!mayChange(visit)) throw new ApiError(403, 'You have read-only access');
    return render(visit, newEditor(writeDefinition(firstDefinition)));
  });

  site.act(
    'console-report-create',
    '/reports/new',
    (visit, sent) =>
      submit(visit, sent, newEditor(textOf(sent, 'definition')), async (definition) => {
        const { reply, error } = await callOperation(deps, visit, reportCreate, { definition });
        if (error) return error;
        const flash = 'Report created. Only you and owners can see it until you share it.';
        return { goTo: `/reports/${reply.id}`, flash };
      }),
    { isLarge: true },
  );

  site.page('console-report-edit', '/reports/:id/edit', async (visit, { params }) => {
    const report = requireEditable(
      replyOf(await callOperation(deps, visit, reportGet, { id: params['id'] ?? '' })),
    );
    const { draft, definition, version } = report;
    return render(visit, { ...editorOf(report.id), text: writeDefinition(draft ?? definition), version });
  });

  site.act(
    'console-report-update',
    '/reports/:id/edit',
    (visit, sent) => {
      const id = sent.params['id'] ?? '';
      const version = Number(textOf(sent, 'version'));
      const editor = { ...editorOf(id), text: textOf(sent, 'definition'), version };
      return submit(visit, sent, editor, async (definition, target) => {
        const input = { id, version, definition, target };
        const { reply, error } = await callOperation(deps, visit, reportUpdate, input);
        if (error?.status === 404) throw error;
        if (error) return error;
        return reply.published
          ? { goTo: `/reports/${id}`, flash: 'Report published.' }
          : { goTo: `/reports/${id}/edit`, flash: 'Draft saved. Readers still see the published version.' };
      });
    },
    { isLarge: true },
  );
}

const editorOf = (id: string) => ({ title: 'Edit report', path: `/reports/${id}/edit` });
const writeDefinition = (definition: unknown): string => JSON.stringify(definition, null, 2);

const firstDefinition = {
  schema: reportSchema,
  title: 'New report',
  filters: { period: { preset: 'last_90_days' } },
  blocks: [
    {
      id: 'numbers',
      type: 'kpi',
      dataset: 'interview_results',
      measures: ['completed', 'avg_score'],
      compare: 'previous_period',
      width: 4,
    },
    {
      id: 'weeks',
      type: 'line',
      dataset: 'interview_results',
      dimensions: [{ field: 'completed_at', grain: 'week' }],
      measures: ['completed', 'shortlisted'],
      width: 8,
    },
  ],
};

/** Reads the text of the form. Returns the error of a text that is not a JSON object. */
function parseDefinition(text: string): object | ApiError {
  const value = parseJson(text);
  if (value === undefined)
    return new ApiError(422, `definition is not valid JSON: ${placeOfError(text)}`, 'definition');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  return new ApiError(422, 'definition must be a JSON object', 'definition');
}

function DefinitionForm({ editor, error }: { editor: Editor; error: ApiError | undefined }): VNode {
  const { path, text, version } = editor;
  const isNew = version === undefined;
  const own = error?.details === undefined ? error : undefined;
  return (
    <Form path={path} names={['definition']} error={own}>
      {!isNew && <Hidden fields={{ version: String(version) }} />}
      <TextArea name="definition" label="JSON" value={text} rows={28} maxlength={maxCharacters} isCode />
      <div class="acts-row">
        <button class="plain" name="intent" value="preview">
          Preview
        </button>
        {!isNew && (
          <button class="plain" name="intent" value="draft">
            Save draft
          </button>
        )}
        <button name="intent" value="publish">
          {isNew ? 'Create report' : 'Publish'}
        </button>
        <Link to={isNew ? '/reports' : path.replace(/\/edit$/, '')}>Cancel</Link>
      </div>
    </Form>
  );
}

/** The issues of a definition: where each is, what is wrong, and how to repair it. */
function Problems({ error }: { error: ApiError }): VNode | null {
  if (error.details === undefined) return null;
  const issues = error.details as readonly Issue[];
  return (
    <section class="error" role="alert">
      <h2>{issues.length === 1 ? '1 problem' : `${issues.length} problems`}</h2>
      <ol class="issues">
        {issues.map((issue) => (
          <li>
            <code>{issue.path || 'definition'}</code>
            <br />
            {issue.error}
            <br />
            <span class="soft">{repairOf(issue)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The repair that docs/reports.md#errors describes, as a sentence. */
function repairOf({ code, suggestion, valid }: Issue): VNode {
  const value = suggestion ?? valid[0];
  if (value === undefined) return <>Delete it.</>;
  return (
    <>
      {code === 'unknown_key' ? 'Rename it to ' : 'Replace it with '}
      <code>{JSON.stringify(value)}</code>
    </>
  );
}
