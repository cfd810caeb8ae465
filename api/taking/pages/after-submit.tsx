import type { VNode } from 'preact';
import { MessageForm, OptionList } from './message-form';
import { ratings } from './message-input';
import type { InterviewVisit } from './visit';

/** What a candidate can read and do after submitting (docs/taking.md#after-the-submit). */
export const AfterSubmit = ({ visit }: { visit: InterviewVisit }): VNode => (
  <>
    <NextStep visit={visit} />
    {!visit.surroundings.is_erased && (
      <>
        <p>
          <a href={visit.address('answers')} download>
            {visit.texts('download')}
          </a>
        </p>
        <HumanReview visit={visit} />
        <Survey visit={visit} />
      </>
    )}
  </>
);

/** Says what happens next and by when, if the merchant has said so. Nobody decides about learners. */
function NextStep({ visit: { texts, interview, surroundings } }: { visit: InterviewVisit }): VNode | null {
  const { next_step_text: text, answer_by: date } = surroundings;
  if (interview.is_practice || (text === null && date === null)) return null;
  return (
    <section>
      <h2>{texts('next_title')}</h2>
      {text !== null && (
        <p class="said" dir="auto">
          {text}
        </p>
      )}
      {date !== null && (
        <p>{texts('next_by', { merchant: interview.merchant_name, date: new Date(date) })}</p>
      )}
    </section>
  );
}

function HumanReview({ visit }: { visit: InterviewVisit }): VNode {
  const { texts, interview, surroundings, refusedMessage } = visit;
  const merchant = interview.merchant_name;
  const review = surroundings.human_review;
  if (!review)
    return (
      <details open={refusedMessage?.kind === 'human_review'}>
        <summary>{texts('human_title')}</summary>
        <p>{texts('human_text', { merchant })}</p>
        <MessageForm
          visit={visit}
          kind="human_review"
          label={texts('human_why')}
          button={texts('human_send')}
        />
      </details>
    );
  return (
    <section>
      <h2>{texts('human_title')}</h2>
      <p class="said" dir="auto">
        {review.text}
      </p>
      {review.reply === null ? (
        <p role="status">{texts('human_open', { merchant, date: new Date(review.due_at) })}</p>
      ) : (
        <>
          <h3>{texts('human_reply', { merchant })}</h3>
          <p class="said" dir="auto">
            {review.reply}
          </p>
        </>
      )}
    </section>
  );
}

function Survey({ visit }: { visit: InterviewVisit }): VNode {
  const { texts, surroundings } = visit;
  if (surroundings.has_survey)
    return (
      <p class="note" role="status">
        {texts('survey_thanks')}
      </p>
    );
  return (
    <section>
      <h2>{texts('survey_title')}</h2>
      <p class="soft small">
        {texts('survey_note')} {texts('survey_scale')}
      </p>
      <MessageForm visit={visit} kind="survey" label={texts('survey_comment')} button={texts('survey_send')}>
        <OptionList
          visit={visit}
          kind="survey"
          name="rating"
          label={texts('survey_rating')}
          options={ratings.map((rating) => [String(rating), texts('score_of', { number: rating, of: 5 })])}
        />
      </MessageForm>
    </section>
  );
}
