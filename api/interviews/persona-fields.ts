import { z } from 'zod';
import { personaParts, playsPersona } from '../../db/interviews/persona';
import type { Persona } from '../../db/interviews/persona';
import { ApiError } from '../platform/operation/api-error';
import { text } from '../platform/operation/vocabulary';
import { isVisible, withoutInvisible } from '../platform/text/visible-text';

const meanings: Record<keyof Persona, string> = {
  name: 'Name of the person. Candidates and learners see it.',
  role: 'Who the person is, such as `Buyer at a retail chain`. Candidates and learners see it.',
  situation: 'What both sides know when the conversation begins. Candidates and learners see it.',
  goal: 'What the person wants. Only the AI knows it.',
  mood: 'How the person feels and speaks. Only the AI knows it.',
  opening_line: 'The first thing that the person says, in the language of the interview.',
};

const partsOf = <T extends z.ZodType>(toSchema: (part: keyof Persona) => T) =>
  Object.fromEntries(
    personaParts.map((part) => [part, toSchema(part).meta({ description: meanings[part] })]),
  ) as Record<keyof Persona, T>;

/** The person that the AI plays, as replies show it. */
export const persona = z
  .object(partsOf(() => z.string()))
  .meta({ id: 'Persona', description: 'The person that the AI plays.' });

/** The parts of a person that a call sends. Blank ones count as left out. */
export const personaInput = z
  .object(partsOf(() => text(1_000).nullish()))
  .transform((sent): Partial<Persona> =>
    Object.fromEntries(
      personaParts.flatMap((part) => {
        const given = sent[part]?.trim() ?? '';
        return isVisible(given) ? [[part, part === 'name' ? nameIn(given) : given]] : [];
      }),
    ),
  )
  .meta({
    description:
      'The person that the AI plays, for the types persona and persona_interview only; each text has at most 1,000 characters. Create: the AI writes the parts that are left out. Update: parts that are left out stay as they are. A change reaches the next attempt.',
  });

/** A name is shown in lines with other words, so it has no line breaks. */
const nameIn = (given: string): string => withoutInvisible(given).replaceAll(/\s+/gu, ' ').trim();

/** Rejects a person for types whose AI plays none. */
export const personaTypeCheck = {
  check: (input: { type: string; persona?: Partial<Persona> }) =>
    input.persona === undefined || playsPersona(input.type),
  path: ['persona'],
  error: 'applies to the types persona and persona_interview only',
  params: { code: 'not_applicable' },
};

/**
 * Returns what is wrong with the person that an update sends. A definition that was created before the field existed has
 * none yet, so its first person needs all parts.
 */
export function findPersonaErrors(
  sent: Partial<Persona> | null | undefined,
  { type, persona: stored }: { type: unknown; persona: Persona | null },
): ApiError[] {
  if (sent === undefined) return [];
  if (sent === null)
    return stored === null ? [] : [new ApiError('invalid_type', 'persona must not be null.', 'persona')];
  if (!playsPersona(type))
    return [new ApiError('not_applicable', `persona ${personaTypeCheck.error}.`, 'persona')];
  return personaParts
    .filter((part) => stored === null && sent[part] === undefined)
    .map((part) => new ApiError('required', `persona.${part} is required.`, `persona.${part}`));
}
