import { z } from 'zod';

/** A piece of advice for the learner's next attempt, and the quotes on which it is based. */
export type NextStep = {
  text: string;
  priority: 'impact' | 'quick' | 'longterm' | null;
  guidance: { kind: string; text: string } | null;
  quotes: { text: string; turn_id: string | null }[];
};
/**
 * The feedback that a learner takes away from a coaching session. The most useful of the `next_steps` comes first.
 */
export type CoachingTakeaways = { what_went_well: string[]; next_steps: NextStep[]; fixed: string[] };

const maxEntries = 20;
const text = z.string().trim().min(1).max(10_000);
/** Reads a list and leaves out whatever does not have the expected form. */
const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) =>
      all.slice(0, maxEntries).flatMap((each) => {
        const { data } = entry.safeParse(each);
        return data === undefined ? [] : [data];
      }),
    );

const proof = z.object({
  kind: z.literal('quote'),
  text,
  ref: z.object({ result_question_id: text }).nullish().catch(null),
});
const nextStep = z
  .object({
    text,
    priority: z.enum(['impact', 'quick', 'longterm']).nullable().catch(null),
    guidance: z.object({ kind: text, text }).nullable().catch(null),
    proof: listOf(proof),
  })
  .transform(({ proof: proofs, ...step }): NextStep => ({
    ...step,
    quotes: proofs.map(({ text: quote, ref }) => ({
      text: quote,
      turn_id: ref?.result_question_id ?? null,
    })),
  }));
const takeaways = z.object({
  what_went_well: listOf(text),
  next_steps: listOf(nextStep),
  fixed: listOf(text),
});

/** Returns the takeaways that the scoring stored (`ai_analysis_other.takeaways`), or undefined if there are none. */
export function readTakeaways(raw: unknown): CoachingTakeaways | undefined {
  const { data } = takeaways.safeParse(raw);
  if (!data || data.what_went_well.length + data.next_steps.length + data.fixed.length === 0)
    return undefined;
  return data;
}
