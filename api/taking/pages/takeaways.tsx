import type { VNode } from 'preact';
import type { CoachingTakeaways as Shown } from '../../../db/results/public';
import type { TakingTexts } from '../texts';

/** Shows what a learner takes away from a session of coaching: what went well, and what to do next time. */
export const Takeaways = ({ texts, takeaways }: { texts: TakingTexts; takeaways: Shown }): VNode => (
  <>
    <Lines title={texts('went_well')} lines={takeaways.what_went_well} />
    <Lines title={texts('fixed')} lines={takeaways.fixed} />
    {takeaways.next_steps.length > 0 && (
      <>
        <h2>{texts('next_steps')}</h2>
        <ol class="answers">
          {takeaways.next_steps.map(({ text, priority, guidance, quotes }, index, steps) => (
            <li>
              <strong>
                <bdi>{text}</bdi>
              </strong>
              {priority && <p class="soft small">{texts(`step_${priority}`)}</p>}
              {guidance && guidance.text !== steps[index - 1]?.guidance?.text && (
                <p class="said" dir="auto">
                  {guidance.text}
                </p>
              )}
              {quotes.map((quote) => (
                <blockquote>
                  <span class="soft small">{texts('evidence')}</span> <q dir="auto">{quote.text}</q>
                </blockquote>
              ))}
            </li>
          ))}
        </ol>
      </>
    )}
  </>
);

const Lines = ({ title, lines }: { title: string; lines: readonly string[] }): VNode | null =>
  lines.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <ul>
        {lines.map((line) => (
          <li>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
