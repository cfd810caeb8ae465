import type { VNode } from 'preact';
import type { PortalSession } from '../../db/catalogue/portal-catalogue';
import type { Practice } from '../../db/catalogue/practice';
import { portalTexts } from '../platform/portal/texts';
import { availableUntil } from '../platform/text/available-until';
import { takingTexts } from '../taking/public';

type Texts = ReturnType<typeof portalTexts>;

/** Shows the learner's progress in a session, and the button that starts it. Other visitors see how to start. */
export function PracticeBox({ session }: { session: PortalSession }): VNode {
  const texts = portalTexts(session.platform_language_code, true);
  const { practice } = session;
  const till = availableUntil(session.interview_available_till);
  const isOver = till !== null && till.getTime() <= Date.now();
  return (
    <section class="practice">
      {practice && <Progress texts={texts} practice={practice} />}
      {till !== null && isOver ? (
        <p>{texts('over', { date: till })}</p>
      ) : practice ? (
        <Next texts={texts} practice={practice} session={session} />
      ) : (
        <p>{texts('practice_link')}</p>
      )}
    </section>
  );
}

function Progress({
  texts,
  practice: { finished, score, max_score },
}: {
  texts: Texts;
  practice: Practice;
}): VNode | null {
  if (finished === 0) return null;
  return (
    <p class="facts">
      <span>{texts('practice_finished', { count: finished })}</span>{' '}
      {score !== null && <span>{texts('practice_score', { number: score, of: max_score })}</span>}
    </p>
  );
}

/** Says what the learner can do next. After an attempt without a result, the button says `Start` again. */
function Next({
  texts,
  practice: { state, finished },
  session: { id, platform_language_code: language },
}: {
  texts: Texts;
  practice: Practice;
  session: PortalSession;
}): VNode {
  if (state === 'scoring') return <p>{texts('practice_scoring')}</p>;
  if (state === 'used_up') return <p>{texts('practice_used_up')}</p>;
  const taking = takingTexts(language, true);
  const labels = { new: taking('begin'), running: taking('next'), again: texts('practice_again') };
  const isFirst = state === 'again' && finished === 0;
  return (
    <>
      {state === 'new' && <p>{texts('practice_new')}</p>}
      {state === 'running' && <p>{texts('practice_running')}</p>}
      <form method="post" action={`/session/${id}/`}>
        <button class="button">{labels[isFirst ? 'new' : state]}</button>
      </form>
    </>
  );
}
