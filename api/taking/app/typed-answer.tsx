import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { AnswerFields } from '../pages/turn-view';
import type { ShownTurn } from '../pages/turn-view';
import type { AnswerInput } from './interview';
import type { InterviewState } from './interview-state';
import type { AppProps } from './use-interview';

type Props = AppProps & { state: InterviewState; turn: ShownTurn; isHeld: boolean };

/** The form of a typed or chosen answer. Keeps a draft of the text in the tab until the answer is stored. */
export function TypedAnswer({ data, texts, interview, state, turn, isHeld }: Props): VNode {
  const form = useRef<HTMLFormElement>(null);
  const field = () => form.current?.querySelector('textarea') ?? null;
  const wrong = () => form.current?.querySelector<HTMLElement>('[aria-invalid]');

  useLayoutEffect(() => {
    const typed = field();
    if (typed && typed.value === '') typed.value = interview.drafts.read(turn.turn_id);
  }, [turn.turn_id]);
  useLayoutEffect(() => {
    if (state.problem) wrong()?.focus();
  }, [state.problem, state.sending]);

  useEffect(() =>
    interview.offer(() => (turn.answer.mode === 'none' ? undefined : readAnswer(form.current, turn))),
  );

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isSkipped = (event.submitter as HTMLButtonElement | null)?.name === 'seen';
    const answer = isSkipped ? ({ seen: true } as const) : readAnswer(form.current, turn);
    if (answer) void interview.send(answer);
    else
      interview.dispatch({
        type: 'refused',
        problem: turn.answer.mode === 'choice' ? 'error_choice' : 'error_empty',
      });
  };
  return (
    <form
      ref={form}
      method="post"
      novalidate
      aria-busy={state.sending !== null}
      onSubmit={submit}
      onInput={() => interview.drafts.write(turn.turn_id, field()?.value ?? '')}
    >
      <AnswerFields
        texts={texts}
        turn={turn}
        canEdit={data.canEdit}
        refused={state.problem ? { problem: state.problem, sent: field()?.value ?? '' } : undefined}
        isBusy={state.sending !== null}
        isHeld={isHeld}
      />
    </form>
  );
}

function readAnswer(form: HTMLFormElement | null, turn: ShownTurn): AnswerInput | undefined {
  if (!form) return undefined;
  if (turn.answer.mode === 'none') return { seen: true };
  const fields = new FormData(form);
  const choice = fields.get('choice');
  const text = fields.get('text');
  if (turn.answer.mode === 'choice') return typeof choice === 'string' ? { choice } : undefined;
  return typeof text === 'string' && text.trim() !== '' ? { text } : undefined;
}
