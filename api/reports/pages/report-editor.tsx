import type { VNode } from 'preact';
import type { z } from 'zod';
import type { ApiError } from '../../platform/operation/api-error';
import { HiddenFields } from '../../platform/site/buttons';
import { CopyButton, Link } from '../../platform/site/elements';
import { Form, TextArea } from '../../platform/site/form';
import type { reportCatalog } from '../report-catalog';
import type { reportPreview } from '../report-preview';
import { curlOf } from './curl';
import { FieldsPanel } from './fields-panel';
import { Blocks } from './report-blocks';
import { editorFormId, ReportProblems } from './report-problems';

type Catalog = z.output<typeof reportCatalog.reply>;
type Preview = z.output<typeof reportPreview.reply>;

/** The text in the editor. `version` is missing for a new report. */
export type EditorText = { text: string; version?: number; title: string; path: string };
export type EditorOutcome = { error?: ApiError; preview?: Preview };

/**
 * The maximum length of the text in the editor. It leaves room for the spaces and line breaks of a definition of the
 * maximum size.
 */
const maxCharacters = 200_000;

type EditorProps = EditorOutcome & { editor: EditorText; catalog: Catalog; apiUrl: string };

/**
 * Renders the editor of a definition: its JSON, a preview, and the fields of the catalog. The scripts in builder/ add
 * a form for each block and update the preview after each change.
 */
export const ReportEditor = ({ editor, catalog, apiUrl, error, preview }: EditorProps): VNode => (
  <>
    <Actions editor={editor} />
    <div class="builder">
      <div class="builder-form" id="builder" />
      <div class="builder-preview" role="region" aria-label="Preview" tabindex={0}>
        <EditorOutcomes error={error} preview={preview} />
      </div>
      <section class="panel builder-json">
        <h2>Definition</h2>
        <DefinitionForm editor={editor} error={error} />
        <CurlCommand text={editor.text} apiUrl={apiUrl} />
      </section>
      <FieldsPanel datasets={catalog.datasets} />
    </div>
    {/* Browsers do not run a script of this type. The builder reads the catalog from it. */}
    <script
      type="application/json"
      id="catalog"
      dangerouslySetInnerHTML={{ __html: JSON.stringify(catalog).replaceAll('<', '\\u003c') }}
    />
  </>
);

/** Shows the errors or the blocks of a preview. The builder replaces them whenever the definition changes. */
export const EditorOutcomes = ({ error, preview }: EditorOutcome): VNode => (
  <>
    <div id="problems">
      <ReportProblems error={error} />
    </div>
    <div id="preview">
      {preview ? (
        <Blocks reply={preview} />
      ) : (
        error === undefined && <p class="soft">The preview shows the report before you publish it.</p>
      )}
    </div>
  </>
);

function Actions({ editor: { path, version } }: { editor: EditorText }): VNode {
  const isNew = version === undefined;
  return (
    <div class="acts-row builder-acts">
      <button name="intent" value="publish" form={editorFormId}>
        {isNew ? 'Create report' : 'Publish'}
      </button>
      {!isNew && (
        <button class="plain" name="intent" value="draft" form={editorFormId}>
          Save draft
        </button>
      )}
      <button class="plain only-plain" name="intent" value="preview" form={editorFormId}>
        Preview
      </button>
      <span id="history" />
      <Link to={isNew ? '/reports' : path.replace(/\/edit$/, '')}>Cancel</Link>
    </div>
  );
}

function DefinitionForm({ editor, error }: { editor: EditorText; error: ApiError | undefined }): VNode {
  const { path, text, version } = editor;
  const own = error?.details === undefined ? error : undefined;
  return (
    <Form id={editorFormId} path={path} names={['definition']} error={own}>
      {/* The Enter key presses the first button of a form, which must be the preview. */}
      <button class="skip" name="intent" value="preview" tabindex={-1} aria-hidden="true">
        Preview
      </button>
      {version !== undefined && <HiddenFields fields={{ version: String(version) }} />}
      <TextArea name="definition" label="JSON" value={text} rows={28} maxlength={maxCharacters} isCode />
    </Form>
  );
}

/** Shows the API call that returns the same preview. */
const CurlCommand = ({ text, apiUrl }: { text: string; apiUrl: string }): VNode => (
  <details class="block-data">
    <summary class="soft small">Copy as curl</summary>
    <div class="copyable">
      <pre
        id="curl"
        tabindex={0}
        role="region"
        aria-label="curl command"
        data-url={`${apiUrl}/report-preview`}
      >
        {curlOf(`${apiUrl}/report-preview`, text)}
      </pre>
      <CopyButton what="curl command" />
    </div>
  </details>
);
