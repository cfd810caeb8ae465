import { ApiError } from '../../platform/operation/api-error';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import type { Page } from '../../platform/site/layout';
import type { RedirectWithMessage, RequestData, Site } from '../../platform/site/site';
import { sentText } from '../../platform/site/site';
import { chartScript } from '../../platform/site/site-assets';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { applyRepair } from '../language/apply-repair';
import { parseJson, describeJsonError } from '../language/json-text';
import { reportSchema } from '../language/limits';
import { orderDefinitionKeys } from '../language/order-keys';
import { reportCatalog } from '../report-catalog';
import { reportCreate } from '../report-create';
import { reportGet } from '../report-get';
import { reportPreview } from '../report-preview';
import { reportUpdate } from '../report-update';
import { builderScript } from './builder-script';
import { EditorOutcomes, ReportEditor } from './report-editor';
import type { EditorText, EditorOutcome } from './report-editor';
import { requireEditable } from './report-page';
import { readRepair } from './report-problems';
import { addReportVersions, readDefinition, readVersion, Versions } from './report-versions';

type Store = (definition: object, target: 'draft' | 'published') => Promise<RedirectWithMessage | ApiError>;

/** Adds the pages that create a report and edit one, and the action that restores an earlier version. */
export function addReportEditPages(site: Site, deps: ConsoleDeps): void {
  const render = async (
    visit: ConsoleVisit,
    editor: EditorText,
    outcome: EditorOutcome = {},
  ): Promise<Page> => {
    const catalog = replyOf(await callOperation(deps, visit, reportCatalog, {}));
    const apiUrl = `${deps.publicOrigin}/v1`;
    return {
      title: editor.title,
      at: '/reports',
      status: outcome.error?.status,
      scripts: [builderScript, chartScript],
      content: <ReportEditor {...outcome} editor={editor} catalog={catalog} apiUrl={apiUrl} />,
    };
  };
  const previewOf = async (visit: ConsoleVisit, definition: object): Promise<EditorOutcome> => {
    const { reply: preview, error } = await callOperation(deps, visit, reportPreview, { definition });
    return error ? { error } : { preview };
  };
  /** Previews or repairs the text of a form, or stores it. */
  const submit = async (
    visit: ConsoleVisit,
    sent: RequestData,
    editor: EditorText,
    store: Store,
  ): Promise<Page | RedirectWithMessage> => {
    const intent = sentText(sent, 'intent');
    const parsed = parseDefinition(editor.text);
    const repair = readRepair(sentText(sent, 'repair'));
    const definition = parsed instanceof ApiError || !repair ? parsed : asObject(applyRepair(parsed, repair));
    const text = repair && !(definition instanceof ApiError) ? writeDefinition(definition) : editor.text;
    if (!(definition instanceof ApiError) && (intent === 'draft' || intent === 'publish')) {
      const stored = await store(definition, intent === 'draft' ? 'draft' : 'published');
      return stored instanceof ApiError ? render(visit, editor, { error: stored }) : stored;
    }
    const outcome =
      definition instanceof ApiError ? { error: definition } : await previewOf(visit, definition);
    if (intent !== 'live') return render(visit, { ...editor, text }, outcome);
    // The builder's script fetches this page after a change or a repair, and copies two of its elements into the open
    // editor: the outcomes and `#definition`.
    return {
      title: editor.title,
      status: outcome.error?.status,
      content: (
        <>
          <EditorOutcomes {...outcome} />
          <textarea id="definition">{text}</textarea>
        </>
      ),
    };
  };
  const newEditor = (text: string): EditorText => ({ text, title: 'New report', path: '/reports/new' });

  site.page('console-report-new', '/reports/new', async (visit) => {
    if (!mayChange(visit)) throw new ApiError('forbidden', 'You have read-only access.');
    return render(visit, newEditor(writeDefinition(firstDefinition)));
  });

  site.post(
    'console-report-create',
    '/reports/new',
    (visit, sent) =>
      submit(visit, sent, newEditor(sentText(sent, 'definition')), async (definition) => {
        const { reply, error } = await callOperation(deps, visit, reportCreate, { definition });
        if (error) return error;
        const flash = 'Report created. Only you and owners can see it until you share it.';
        return { goTo: `/reports/${reply.id}`, flash };
      }),
    { isLarge: true },
  );

  site.page('console-report-edit', '/reports/:id/edit', async (visit, { params, query }) => {
    const report = requireEditable(
      replyOf(await callOperation(deps, visit, reportGet, { id: params['id'] ?? '' })),
    );
    const { id, version, draft_version, published_version } = report;
    const newest = draft_version ?? published_version;
    const shown = query['version'] === undefined ? newest : readVersion(query['version']);
    const definition =
      shown === newest ? (report.draft ?? report.definition) : await readDefinition(deps, visit, id, shown);
    const page = await render(visit, { ...editorOf(id), text: writeDefinition(definition), version });
    return {
      ...page,
      content: (
        <>
          {shown !== newest && (
            <p class="lead warn">{`This is version ${shown}. Publish it to restore it.`}</p>
          )}
          {page.content}
          <Versions report={report} shown={shown} />
        </>
      ),
    };
  });

  site.post(
    'console-report-update',
    '/reports/:id/edit',
    (visit, sent) => {
      const id = sent.params['id'] ?? '';
      const version = Number(sentText(sent, 'version'));
      const editor = { ...editorOf(id), text: sentText(sent, 'definition'), version };
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

  addReportVersions(site, deps);
}

const editorOf = (id: string) => ({ title: 'Edit report', path: `/reports/${id}/edit` });
const writeDefinition = (definition: object): string =>
  JSON.stringify(orderDefinitionKeys(definition), null, 2);

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

/** Reads the text of the form. Returns an error if the text is not a JSON object. */
function parseDefinition(text: string): object | ApiError {
  const value = parseJson(text);
  if (value === undefined)
    return new ApiError(
      'invalid_value',
      `definition is not valid JSON: ${describeJsonError(text)}.`,
      'definition',
    );
  return asObject(value);
}

function asObject(value: unknown): object | ApiError {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  return new ApiError('invalid_value', 'definition must be a JSON object.', 'definition');
}
