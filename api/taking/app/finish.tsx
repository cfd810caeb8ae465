import type { VNode } from 'preact';
import type { InterviewState } from './interview-state';
import { Sending } from './sending';
import type { AppProps } from './use-interview';

/** Asks once whether the candidate wants to end the interview before its last question. */
export const Finish = ({ texts, interview, state }: AppProps & { state: InterviewState }): VNode => (
  <>
    <h1 tabindex={-1}>{texts('finish_title')}</h1>
    {state.problem && (
      <p class="error" role="alert">
        {texts(state.problem)}
      </p>
    )}
    <p>{texts('finish_text')}</p>
    {interview.hasEntered() && <p class="note">{texts('finish_answer')}</p>}
    <div class="buttons">
      <button class="plain" disabled={state.sending !== null} onClick={() => void interview.finish()}>
        {texts('finish_yes')}
      </button>
      <button
        disabled={state.sending !== null}
        onClick={() => interview.dispatch({ type: 'finishing', isOpen: false })}
      >
        {texts('finish_no')}
      </button>
    </div>
    <Sending texts={texts} sending={state.sending} />
  </>
);
