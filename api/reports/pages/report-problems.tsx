import type { VNode } from 'preact';
import { z } from 'zod';
import type { ApiError } from '../../platform/operation/api-error';
import type { Repair } from '../language/apply-repair';
import { issueCodes } from '../language/issue';
import type { Issue } from '../language/issue';
import { parseJson } from '../language/json-text';

/** The id of the form with the definition, which the buttons of repairs submit. */
export const editorFormId = 'editor';

/** Lists the issues of a definition: where each is, what is wrong, and a button that repairs it. */
export function ReportProblems({ error }: { error: ApiError | undefined }): VNode | null {
  if (error?.details === undefined) return null;
  const issues = error.details as readonly Issue[];
  return (
    <section class="error" role="alert">
      <h2>{issues.length === 1 ? '1 problem' : `${issues.length} problems`}</h2>
      <ol class="issues">
        {issues.map((issue) => (
          <li data-block={issue.block_id ?? undefined}>
            <code>{issue.path || 'definition'}</code>
            <br />
            {issue.error}
            <br />
            <RepairButton issue={issue} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Offers the repair that docs/reports.md#errors describes. The label says what the repair does. */
function RepairButton({ issue }: { issue: Issue }): VNode {
  const { code, path, suggestion, valid, source } = issue;
  const value = suggestion ?? valid[0];
  const label =
    value === undefined
      ? 'Delete it'
      : `${code === 'unknown_key' ? 'Rename it to' : 'Replace it with'} ${JSON.stringify(value)}`;
  if (source !== 'definition' || path === '') return <span class="soft small">{label}</span>;
  const repair: Repair = { code, path, suggestion, valid: valid.slice(0, 1) };
  return (
    <button class="plain" name="repair" value={JSON.stringify(repair)} form={editorFormId}>
      {label}
    </button>
  );
}

const repairSchema = z.object({
  code: z.enum(issueCodes),
  path: z.string().min(1).max(2_000),
  suggestion: z.unknown().optional(),
  valid: z.array(z.unknown()),
});

/** Reads the repair that a button has sent. Returns undefined for any other text. */
export const readRepair = (sent: string): Repair | undefined => repairSchema.safeParse(parseJson(sent)).data;
