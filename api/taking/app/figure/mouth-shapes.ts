/** The shapes that a mouth takes while it speaks, by the sounds that they belong to. */
export type MouthShape = 'PP' | 'FF' | 'CH' | 'SS' | 'nn' | 'aa' | 'E' | 'ih' | 'oh' | 'ou';
/** How much of each shape is seen, from 0 to 1. What is missing to 1 is the mouth at rest. */
export type MouthWeights = Partial<Record<MouthShape, number>>;

/** The parts of a mouth. `width` is a factor; lengths are in units of the drawing, the others from 0 to 1. */
const parts = [
  'width',
  'open',
  'round',
  'jaw',
  // The upper lip up, and the lower lip down.
  'lift',
  'drop',
  'teeth',
  'lowerTeeth',
  'tongue',
  // The lower lip under the upper teeth.
  'tuck',
  // The lips pressed together.
  'press',
] as const;
export type Mouth = Record<(typeof parts)[number] | 'smile', number>;

const rest = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const shapes: Record<MouthShape, readonly number[]> = {
  PP: [0.96, 0, 0.05, 0, 0, 0, 0, 0, 0, 0, 1],
  FF: [0.98, 3.6, 0, 1.5, 0.8, 0.4, 1, 0, 0, 0.5, 0],
  CH: [0.76, 5.6, 0.6, 2, 1.4, 0.8, 1, 0.8, 0.1, 0, 0],
  SS: [1.04, 4, 0, 1, 0.5, 0.5, 1, 0.9, 0, 0, 0],
  nn: [1, 4.4, 0.05, 2, 0.2, 0, 0.7, 0, 0.95, 0, 0],
  aa: [0.96, 15, 0.5, 10, 0.3, 0, 0.9, 0.15, 0.3, 0, 0],
  E: [1.04, 9, 0.3, 5.5, 0.6, 0, 1, 0.3, 0.4, 0, 0],
  ih: [1.08, 5.8, 0.2, 3.2, 0.6, 0.2, 1, 0.4, 0.5, 0, 0],
  oh: [0.64, 14, 1, 8, 0.8, 0.4, 0.2, 0, 0.2, 0, 0],
  ou: [0.46, 7.5, 1, 4, 1, 0.8, 0, 0, 0.1, 0, 0],
};

/** Blends the shapes by their weights. A round mouth smiles less than `smile`. */
export function blendMouth(weights: MouthWeights, smile: number): Mouth {
  const shown = Object.entries(weights) as [MouthShape, number][];
  const total = shown.reduce((sum, [, weight]) => sum + weight, 0);
  const scale = total > 1 ? 1 / total : 1;
  const values = rest.map((atRest, index) =>
    shown.reduce(
      (sum, [name, weight]) => sum + weight * scale * (shapes[name][index] ?? 0),
      atRest * Math.max(0, 1 - total),
    ),
  );
  const mouth = Object.fromEntries(parts.map((part, index) => [part, values[index]])) as Mouth;
  return { ...mouth, smile: smile * (1 - mouth.round * 0.8) };
}
