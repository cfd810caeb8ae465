import type { VNode } from 'preact';
import { timeFactors } from '../../../db/taking/surroundings';
import { writeDuration } from '../../platform/text/text-reader';
import { MessageForm, OptionList } from './message-form';
import type { InterviewVisit } from './visit';

/** Shows the state of the candidate's request for more time, and the form for a request. */
export function MoreTime({ visit }: { visit: InterviewVisit }): VNode | null {
  const { texts, interview, surroundings, language, refusedMessage } = visit;
  const { more_time: request, time_factor: current } = surroundings;
  if (current === null) return null;
  const merchant = interview.merchant_name;
  const options = timeFactors
    .filter((factor) => factor > current)
    .map((factor): [string, string] => {
      const minutes = Math.ceil((interview.max_seconds / current / 60) * factor);
      return [String(factor), writeDuration(minutes, 'minute', language)];
    });
  return (
    <>
      {request && (
        <p class="note" role="status">
          {texts(`time_${request}`, { merchant })}
        </p>
      )}
      {request !== 'open' && options.length > 0 && (
        <details open={refusedMessage?.kind === 'more_time'}>
          <summary>{texts('time_ask')}</summary>
          <p>{texts('time_text', { merchant })}</p>
          <MessageForm
            visit={visit}
            kind="more_time"
            label={texts('time_message', { merchant })}
            button={texts('time_send')}
          >
            <OptionList
              visit={visit}
              kind="more_time"
              name="time_factor"
              label={texts('time_choice')}
              options={options}
            />
          </MessageForm>
        </details>
      )}
    </>
  );
}
