import type { VNode } from 'preact';
import { CopyButton, Panel } from '../../platform/site/elements';
import type { InterviewDefinition } from './interview-form-fields';

const words: Partial<Record<InterviewDefinition['visibility'], string>> = {
  public: 'Your portal and the list of all merchants show it.',
  merchant_public: 'Your portal lists it.',
  merchant_unlisted: 'No list shows it. Whoever has the address can open it and apply.',
};

/** Shows the address of the page on which people apply, if the interview or position has one. */
export function JobPagePanel({
  definition,
  portal,
}: {
  definition: InterviewDefinition;
  portal: string;
}): VNode | null {
  const { slug, visibility, environment, status, type } = definition;
  const isJob =
    definition.is_multistage ||
    (definition.position_id === null &&
      (type === 'interview' || type === 'assessment' || type === 'persona_interview'));
  const listed = words[visibility];
  if (!isJob || slug === null || listed === undefined || environment !== 'production') return null;
  return (
    <Panel title="Job page">
      <div class="field">
        <label for="job-address">Address</label>
        <div class="copyable">
          <input id="job-address" class="mono" readonly value={`${portal}/jobs/${slug}`} />
          <CopyButton what="Address" />
        </div>
        <p class="soft small">{status === 'active' ? listed : 'The page opens once the status is active.'}</p>
      </div>
    </Panel>
  );
}
