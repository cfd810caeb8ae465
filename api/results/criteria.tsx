import type { VNode } from 'preact';
import { Badge } from '../platform/site/elements';
import type { LinkedClaim, LinkedCriterion, PartHref } from './evidence';

const verdicts = {
  yes: ['Met', 'good'],
  no: ['Not met', 'plain'],
  unclear: ['Unclear', 'warn'],
} as const;

/** A weak item describes a poor answer, so it is good if it does not apply. */
const weakVerdicts = {
  yes: ['Observed', 'warn'],
  no: ['Not observed', 'good'],
  unclear: ['Unclear', 'warn'],
} as const;

/** What the key of a multiple choice says about an option. */
const worth = { strong: 'right', moderate: 'half right', weak: 'wrong' } as const;
const worthTones = { strong: 'good', moderate: 'plain', weak: 'warn' } as const;

/** Lists the options of a multiple choice that its score is about: the chosen one, and those that are right. */
export const ChosenOptions = ({ criteria, label }: { criteria: LinkedCriterion[]; label: string }): VNode => (
  <ol class="criteria" aria-label={label}>
    {criteria.map(({ mark, met, bracket, text }) => (
      <li id={mark.claimId}>
        <Badge tone={met === 'yes' ? worthTones[bracket] : 'plain'}>
          {met === 'yes' ? 'Chosen' : 'Not chosen'}
        </Badge>{' '}
        <span class="soft small">{worth[bracket]}</span> <bdi>{text}</bdi>
      </li>
    ))}
  </ol>
);

type CriteriaProps = { criteria: LinkedCriterion[]; toPart: PartHref; label: string; elsewhere?: string };
/**
 * Lists criteria, each with its verdict. A criterion that is met is followed by the quote that proves it. `elsewhere` says
 * where a quote is that is not in the transcript.
 */
export const Criteria = (props: CriteriaProps): VNode => (
  <ol class="criteria" aria-label={props.label}>
    {props.criteria.map((each) => {
      const [word, tone] = (each.bracket === 'weak' ? weakVerdicts : verdicts)[each.met];
      return (
        <li id={each.mark.claimId}>
          <Badge tone={tone}>{word}</Badge> <span class="soft small">{each.bracket}</span>{' '}
          <bdi>{each.text}</bdi>
          {each.met === 'yes' && <Quote quoted={each} toPart={props.toPart} elsewhere={props.elsewhere} />}
        </li>
      );
    })}
  </ol>
);

/** Shows a quote as a link to its highlighted passage, or as plain text if the quote is not in the transcript. */
export function Quote({
  quoted,
  toPart,
  elsewhere = 'not in the transcript',
}: {
  quoted: LinkedCriterion | LinkedClaim;
  toPart: PartHref;
  elsewhere?: string | undefined;
}): VNode | null {
  const { quote, foundIn, mark } = quoted;
  if (!quote && foundIn === undefined) return null;
  const text = <bdi>{quote ? `“${quote}”` : 'Show in the transcript'}</bdi>;
  return (
    <div class="quote">
      {foundIn === undefined ? (
        <span class="soft">
          {text} ({elsewhere})
        </span>
      ) : (
        <a href={toPart(foundIn, mark.passageId)}>{text}</a>
      )}
    </div>
  );
}

/** Shows the numbers of criteria as links to the passages that the criteria quote. */
export const PassageLinks = ({
  criteria,
  toPart,
}: {
  criteria: readonly LinkedCriterion[];
  toPart: PartHref;
}): VNode => (
  <>
    {criteria.flatMap(({ foundIn, mark }) =>
      foundIn === undefined
        ? []
        : [
            <a class="mark-link" href={toPart(foundIn, mark.passageId)} aria-label={`Quote: ${mark.name}`}>
              {mark.label}
            </a>,
          ],
    )}
  </>
);
