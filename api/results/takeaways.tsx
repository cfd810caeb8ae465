import type { VNode } from 'preact';
import { readTakeaways } from '../../db/results/takeaways';
import { Badge } from '../platform/site/elements';
import { partElementId } from './evidence';
import type { PartHref } from './evidence';
import type { ResultDetails } from './result-words';

const priorities = { impact: 'Biggest effect', quick: 'Quick to do', longterm: 'Over time' } as const;

/** Shows what a learner takes away from a session of coaching, with links to the answers that are quoted. */
export function Takeaways({ result, toPart }: { result: ResultDetails; toPart: PartHref }): VNode | null {
  const takeaways = readTakeaways(result.ai_analysis_other?.['takeaways']);
  if (!takeaways) return null;
  const { what_went_well: well, next_steps: steps, fixed } = takeaways;
  return (
    <section>
      <h3>Takeaways for the learner</h3>
      <List title="What went well" texts={well} />
      <List title="Done since the last attempt" texts={fixed} />
      {steps.length > 0 && <h4>Next steps</h4>}
      <ol>
        {steps.map(({ text, priority, guidance, quotes }, at) => (
          <li>
            <bdi>{text}</bdi> {priority && <Badge>{priorities[priority]}</Badge>}
            {guidance && guidance.text !== steps[at - 1]?.guidance?.text && (
              <p class="said">
                <span class="soft">{guidance.kind}:</span> {guidance.text}
              </p>
            )}
            {quotes.map((quote) => {
              const index = result.transcript.findIndex(({ id }) => id === quote.turn_id);
              const shown = <bdi>“{quote.text}”</bdi>;
              return (
                <div class="quote">
                  {index < 0 ? shown : <a href={toPart(index, partElementId(index))}>{shown}</a>}
                </div>
              );
            })}
          </li>
        ))}
      </ol>
    </section>
  );
}

const List = ({ title, texts }: { title: string; texts: readonly string[] }): VNode | null =>
  texts.length === 0 ? null : (
    <>
      <h4>{title}</h4>
      <ul class="plain-list">
        {texts.map((text) => (
          <li>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
