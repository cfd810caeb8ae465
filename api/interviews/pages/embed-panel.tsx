import type { VNode } from 'preact';
import { ConfirmButton, PostButton, Submit } from '../../platform/site/buttons';
import { callOperation } from '../../platform/site/call-operation';
import { Code, Facts, Mono, Panel } from '../../platform/site/elements';
import { Form, TextArea } from '../../platform/site/form';
import { sentText } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import type { ConsoleDeps } from '../../platform/site/visitor';
import { jobInterviewSetState } from '../job-interview-set-state';
import { readEntered, linesField, linesOf } from './field-forms';
import type { InterviewDefinition } from './interview-form-fields';
import type { InterviewNote, RenderInterview } from './interview-note';

const origins = linesField('embed_origins', 'Sites that may show the interview', 3);

/** Adds the actions that create and revoke the embed key of an interview, and that name its sites. */
export function addEmbedActions(site: Site, deps: ConsoleDeps, render: RenderInterview): void {
  site.post('console-interview-embed', '/interviews/:id/embed', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const is_embedded = sentText(sent, 'is_embedded') === 'true';
    const { reply, error } = await callOperation(deps, visit, jobInterviewSetState, {
      position_id: id,
      is_embedded,
    });
    if (error) return render(visit, id, { error });
    const goTo = `/interviews/${id}`;
    if (!('embed_id' in reply))
      return { goTo, flash: is_embedded ? 'The interview has an embed key.' : 'Embed key revoked.' };
    return {
      goTo,
      flash: 'Embed key created.',
      secret: {
        title: 'Embed signing key',
        secrets: [['embed-signing-key', 'Signing key', reply.embed_signing_key]],
      },
    };
  });

  site.post('console-interview-embed-origins', '/interviews/:id/embed/origins', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const entered = readEntered([origins], sent);
    const { error } = await callOperation(deps, visit, jobInterviewSetState, {
      position_id: id,
      embed_origins: linesOf(entered['embed_origins'] ?? ''),
    });
    if (error) return render(visit, id, { form: 'embed', error, entered });
    return { goTo: `/interviews/${id}`, flash: 'Sites saved.' };
  });
}

/** Shows the embed key of an interview and how a site shows it. `portal` is the origin of candidates' pages. */
export function EmbedPanel(props: {
  id: string;
  interview: InterviewDefinition;
  note: InterviewNote;
  portal: string;
}): VNode {
  const { id, interview, note, portal } = props;
  const { embed_id: embedId, embed_origins: stored } = interview;
  const isAvatar = interview.type === 'public_avatar';
  if (embedId === null)
    return (
      <Panel title="Embed">
        <p class="soft">
          Your own site can show this interview in a frame. It needs an embed key
          {isAvatar ? '.' : ', with which your server signs who the candidate is.'}
        </p>
        <PostButton
          path={`/interviews/${id}/embed`}
          label="Create embed key"
          fields={{ is_embedded: 'true' }}
        />
      </Panel>
    );
  const error = note.form === 'embed' ? note.error : undefined;
  return (
    <Panel title="Embed">
      <Facts entries={[['Embed ID', <Mono>{embedId}</Mono>]]} />
      {!isAvatar && (
        <p class="soft">
          Your server signs a token for each page view with the signing key, and puts it into this frame.{' '}
          <a href="/docs/embedding">How to sign tokens</a>
        </p>
      )}
      <Code label="Frame" text={frameOf(`${portal}/embed/${embedId}${isAvatar ? '' : '?token=TOKEN'}`)} />
      <Form path={`/interviews/${id}/embed/origins`} names={[origins.name]} error={error}>
        <TextArea
          name={origins.name}
          label={origins.label}
          hint="One origin per line, such as https://careers.example.com."
          rows={3}
          value={(error && note.entered?.[origins.name]) ?? stored?.join('\n') ?? ''}
        />
        <Submit isPlain>Save sites</Submit>
      </Form>
      <div class="acts-row">
        <ConfirmButton
          path={`/interviews/${id}/embed`}
          id="revoke-embed-key"
          label="Revoke embed key"
          fields={{ is_embedded: 'false' }}
        >
          Frames with this key stop working at once. Candidates who have begun can finish.
        </ConfirmButton>
      </div>
    </Panel>
  );
}

const frameOf = (address: string): string =>
  `<iframe src="${address}" title="Interview"
  allow="microphone; camera" style="width: 100%; height: 90vh; border: 0"></iframe>`;
