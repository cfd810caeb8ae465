import type { VNode } from 'preact';
import { MessageForm, OptionList } from './message-form';
import { maxTroubleReports, troubleCauses } from './message-input';
import type { InterviewVisit } from './visit';

const troubleTexts = {
  sound: 'trouble_sound',
  picture: 'camera',
  connection: 'connection',
  question: 'trouble_question',
  other: 'trouble_other',
} as const;

/** Shows advice for a candidate who has trouble, and the form that reports the trouble to the recruiters. */
export function TroubleHelp({ visit }: { visit: InterviewVisit }): VNode {
  const { texts, interview, surroundings, refusedMessage } = visit;
  const merchant = interview.merchant_name;
  const answer = visit.attempt?.turn?.answer;
  const isRecorded = answer?.mode === 'voice' || answer?.mode === 'video';
  const isVideoNeeded = isRecorded && !answer.may_type;
  return (
    <details class="trouble" id="trouble" open={refusedMessage?.kind === 'trouble'}>
      <summary>{texts('trouble')}</summary>
      <p>{texts('trouble_text')}</p>
      <div id="checks" />
      <p>
        {texts(isVideoNeeded ? 'video_problem' : 'trouble_advice')}{' '}
        {isRecorded && !isVideoNeeded && texts('can_type')}
      </p>
      {surroundings.trouble_reports >= maxTroubleReports ? (
        <p class="soft">{texts('message_limit', { merchant })}</p>
      ) : (
        <MessageForm
          visit={visit}
          kind="trouble"
          isNewTab
          label={texts('trouble_details')}
          button={texts('trouble_send', { merchant })}
        >
          <OptionList
            visit={visit}
            kind="trouble"
            name="trouble"
            label={texts('trouble_what')}
            options={troubleCauses.map((trouble) => [trouble, texts(troubleTexts[trouble])])}
          />
        </MessageForm>
      )}
    </details>
  );
}
