/** The parts of the character that the AI plays, in the order in which forms show them. */
export const personaParts = ['name', 'role', 'situation', 'goal', 'mood', 'opening_line'] as const;
export type Persona = Record<(typeof personaParts)[number], string>;

/** Returns true for the types whose AI plays a character. */
export const playsPersona = (type: unknown): boolean => type === 'persona' || type === 'persona_interview';
