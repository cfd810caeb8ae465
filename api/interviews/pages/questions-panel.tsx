import type { VNode } from 'preact';
import type { z } from 'zod';
import { ApiError } from '../../platform/operation/api-error';
import { HiddenFields, PostButton, Submit } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Badge, Link, Panel, Soft } from '../../platform/site/elements';
import { Form } from '../../platform/site/form';
import { Reorder, reordered } from '../../platform/site/reorder';
import { sentValues, sentText } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { jobInterviewGet } from '../job-interview-get';
import { jobInterviewRenderVideos } from '../job-interview-render-videos';
import { jobInterviewUpdate } from '../job-interview-update';
import type { Question, questionUpdate } from '../question';
import type { InterviewDefinition } from './interview-form-fields';
import type { RenderInterview } from './interview-note';

type PanelProps = {
  id: string;
  interview: InterviewDefinition;
  order: readonly string[] | undefined;
  isEditable: boolean;
};

/** Reads the questions of an interview. */
export async function readQuestions(deps: ConsoleDeps, visit: ConsoleVisit, id: string): Promise<Question[]> {
  const { questions } = replyOf(await callOperation(deps, visit, jobInterviewGet, { position_id: id }));
  if (questions === null) throw new ApiError('not_found', 'A position has no questions of its own.');
  return questions;
}

/** Stores the complete list of questions in this order. A question without id is new. */
export const saveQuestions = (
  deps: ConsoleDeps,
  visit: ConsoleVisit,
  id: string,
  questions: readonly (Partial<Question> & { question: string })[],
) =>
  callOperation(deps, visit, jobInterviewUpdate, {
    position_id: id,
    questions: questions as z.input<typeof questionUpdate>[],
  });

const changedMeanwhile = () =>
  new ApiError(
    'concurrent_change',
    'Somebody else has changed the questions since you opened the page. Nothing was saved. This is how they are now.',
  );

/** Adds the action that moves and removes questions. */
export function addQuestionActions(site: Site, deps: ConsoleDeps, render: RenderInterview): void {
  site.post('console-questions', '/interviews/:id/questions', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const wanted = sentValues(sent, 'question');
    const order = reordered(wanted, sent);
    if (order) return render(visit, id, { order });
    const questions = await readQuestions(deps, visit, id);
    const byId = new Map(questions.map((question) => [question.id, question]));
    const kept = wanted.flatMap((each) => byId.get(each) ?? []);
    const isAsShown = sentText(sent, 'shown') === [...byId.keys()].join(' ');
    if (!isAsShown || kept.length < wanted.length) return render(visit, id, { error: changedMeanwhile() });
    const { error } = await saveQuestions(deps, visit, id, kept);
    if (error) return render(visit, id, { error, order: wanted });
    return { goTo: `/interviews/${id}`, flash: 'Questions saved.' };
  });

  site.post('console-question-videos', '/interviews/:id/videos', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const { error } = await callOperation(deps, visit, jobInterviewRenderVideos, { position_id: id });
    if (error) return render(visit, id, { error });
    return { goTo: `/interviews/${id}`, flash: 'Videos are being rendered.' };
  });
}

/** Says how many videos of the questions are ready, and offers to render those again that failed. Updates by itself. */
function Videos({ id, interview, isEditable }: Omit<PanelProps, 'order'>): VNode | null {
  if (interview.question_videos === null) return null;
  const { ready, rendering, failed } = interview.question_videos;
  return (
    <div id="videos" data-live>
      <p>
        Videos: {ready} ready, {rendering} being rendered, {failed} failed.
        {failed > 0 && ' The drawn figure speaks where a video is missing.'}
      </p>
      {isEditable && failed + rendering > 0 && (
        <PostButton path={`/interviews/${id}/videos`} label="Render again" />
      )}
    </div>
  );
}

/**
 * Shows the questions of an interview, with a form that moves and removes them. `order` are the ids of the questions in
 * an order that is not saved yet.
 */
export function QuestionsPanel(props: PanelProps): VNode {
  const { id, interview, order, isEditable } = props;
  const questions = interview.questions ?? [];
  const ids = questions.map((question) => question.id);
  const shown = (order ?? ids).flatMap((each) => questions.find((question) => question.id === each) ?? []);
  return (
    <Panel title="Questions">
      <p class="soft">
        Questions, time and rubrics. Welcome, thank-you and the rubric of the whole interview are in the{' '}
        <Link to={`/interviews/${id}/settings`}>settings</Link>. Changes reach the next candidates who begin.
      </p>
      <Videos {...{ id, interview, isEditable }} />
      {isEditable ? (
        <Form path={`/interviews/${id}/questions`}>
          <HiddenFields fields={{ shown: ids.join(' ') }} />
          <Reorder
            label="Questions"
            canRemove
            entries={shown.map((question) => ({
              name: question.question,
              content: (
                <>
                  <HiddenFields fields={{ question: question.id }} />
                  <Link to={`/interviews/${id}/questions/${question.id}`}>{question.question}</Link>
                  <Marks question={question} />
                </>
              ),
            }))}
          />
          {order && <p role="status">The new order is not saved yet.</p>}
          <div class="acts-row">
            <Submit isPlain>Save order</Submit>
            <Link class="button plain" to={`/interviews/${id}/questions/new`}>
              Add question
            </Link>
            <Link class="button plain" to={`/interviews/${id}/questions/new`} query={{ kind: 'choice' }}>
              Add multiple choice
            </Link>
          </div>
        </Form>
      ) : (
        <ol>
          {shown.map((question) => (
            <li>
              {question.question} <Marks question={question} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** What is special about a question. */
const Marks = ({ question }: { question: Question }): VNode => {
  const { label, duration, is_conditional, is_multiple_choice, is_without_scoring } = question;
  const marks = [
    is_conditional && 'Conditional',
    is_multiple_choice && 'Multiple choice',
    is_without_scoring && 'Not scored',
    question.avatar_video?.state === 'failed' && 'No video',
    question.avatar_video?.state === 'rendering' && 'Video being rendered',
    !is_without_scoring &&
      question.candidate_expectations_json === null &&
      (is_multiple_choice ? 'No right option' : 'No rubric'),
  ].filter((mark) => mark !== false);
  return (
    <>
      <br />
      <Soft>{[label, duration && `${duration} s`].filter(Boolean).join(' · ')}</Soft>{' '}
      {marks.map((mark) => [<Badge tone={mark.startsWith('No ') ? 'warn' : 'plain'}>{mark}</Badge>, ' '])}
    </>
  );
};
