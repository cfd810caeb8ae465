import type { Mouth } from './mouth-shapes';
import type { DrawnPerson } from './person';

/* The paths of a face. They are in the space of the head or, for an eye, a brow and the mouth, around its own middle. */

/** Writes a path with coordinates of one decimal. */
export const svgPath = (texts: TemplateStringsArray, ...values: number[]): string =>
  texts.reduce(
    (all, text, i) => all + text + (i < values.length ? Math.round((values[i] ?? 0) * 10) / 10 : ''),
    '',
  );

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

/** The outline of the face with a closed mouth. */
export function facePath({ temple, cheek, jaw, chin, length, jawY }: DrawnPerson['face']): string {
  const side = (s: number) => ({ t: s * temple, c: s * cheek, j: s * jaw, ch: s * chin });
  const [r, l] = [side(1), side(-1)];
  return svgPath`M0 -114C${r.t * 0.66} -114 ${r.t} -78 ${r.t} -28C${r.t} -6 ${r.c} 14 ${r.c - 2} 32C${r.c - 4} ${jawY - 18} ${r.j + 8} ${jawY - 13} ${r.j} ${jawY}C${r.j - 11} ${jawY + 18} ${r.ch + 10} ${length} 0 ${length}C${l.ch - 10} ${length} ${l.j + 11} ${jawY + 18} ${l.j} ${jawY}C${l.j - 8} ${jawY - 13} ${l.c + 4} ${jawY - 18} ${l.c + 2} 32C${l.c} 14 ${l.t} -6 ${l.t} -28C${l.t} -78 ${l.t * 0.66} -114 0 -114Z`;
}

/** The paths of one eye. `s` is 1 for the eye on the right of the picture, and -1 for the other. `open` is 1 for an open eye. */
export function eyePaths(eyes: DrawnPerson['eyes'], s: 1 | -1, open: number, gazeY: number) {
  const x = (value: number) => s * value * eyes.size;
  const highest = -eyes.high;
  const top = mix(eyes.low - 1.2, highest + gazeY * 0.55, open);
  const low = eyes.low + gazeY * 0.15;
  const shut = 1 - open;
  const lash = svgPath`M${x(-13.5)} 2C${x(-9)} ${top + 1} ${x(4)} ${top - 1.5} ${x(14)} ${eyes.tilt}`;
  return {
    lash,
    white: lash + svgPath`C${x(9)} ${low} ${x(-6)} ${low + 0.6} ${x(-13.5)} 2Z`,
    lid: svgPath`M${x(-13.5)} 2C${x(-9)} ${highest} ${x(4)} ${highest - 2.5} ${x(14)} ${eyes.tilt}C${x(4)} ${top - 1.5} ${x(-9)} ${top + 1} ${x(-13.5)} 2Z`,
    crease: svgPath`M${x(-11)} ${-4 + shut}C${x(-7)} ${highest - 4 + shut * 3} ${x(5)} ${highest - 6 + shut * 3} ${x(15)} ${eyes.tilt - 5 + shut * 1.5}`,
    lower: svgPath`M${x(-9)} ${low * 0.6 + 1.6}C${x(-3)} ${low * 0.92 + 0.4} ${x(6)} ${low * 0.92 + 0.2} ${x(12.5)} ${eyes.tilt + 2.2}`,
  };
}

/** One brow at rest. */
export function browPath(
  { y, arch, inner, outer, drop, weight: w }: DrawnPerson['brows'],
  s: 1 | -1,
): string {
  const x = (value: number) => s * value;
  const middle = y - arch;
  return svgPath`M${x(inner)} ${y + w * 0.42}C${x(inner - 0.6)} ${y - w * 0.3} ${x(inner + 1)} ${y - w * 0.62} ${x(inner + 4)} ${y - w * 0.66}C${x(inner + 12)} ${middle - w * 0.62} ${x(outer - 13)} ${middle - w * 0.4} ${x(outer)} ${y + drop}C${x(outer - 12)} ${middle + w * 0.34} ${x(inner + 14)} ${middle + w * 0.5} ${x(inner)} ${y + w * 0.42}Z`;
}

/** The paths of the lips, of the opening between them and of what is seen in it. */
export function mouthPaths(m: Mouth, lips: DrawnPerson['lips'], hasBeard: boolean) {
  const w = m.width * lips.width;
  // Lips are as thick at the corners of a round mouth as above and below it.
  const inner = w * mix(0.93, 0.72, m.round ** 2);
  const up = m.open * 0.34 + m.lift;
  const low = m.open * 0.66 + m.drop - m.tuck * 2.4;
  const corner = -m.smile + m.open * 0.24;
  const thin = 1 - m.press * 0.55;
  const upperLip = lips.upper * thin * (1 + m.round * 0.22);
  const lowerLip = lips.lower * thin * (1 + m.round * 0.18) * (1 - m.tuck * 0.72);
  // How far the curves of a round mouth reach to its corners.
  const [k1, k2, side] = [mix(0.72, 1, m.round), mix(0.42, 0.56, m.round), mix(0.28, 0.56, m.round)];
  const edge = (y: number) => mix(corner, y, side);
  const rim = (from: number, y: number) =>
    svgPath`C${from * k1} ${edge(y)} ${from * k2} ${y} 0 ${y}C${-from * k2} ${y} ${-from * k1} ${edge(y)} ${-from} ${corner}`;
  const opening = svgPath`M${-inner} ${corner}` + rim(-inner, -up) + rim(inner, low) + 'Z';
  const top = -up - upperLip;
  const bow = lips.bow * (1 - m.round * 0.4);
  const bottom = low + lowerLip;
  const high = mix(corner, top, 0.45 + m.round * 0.25);
  const deep = mix(corner, bottom, 0.62 + m.round * 0.2);
  const bulge = w * mix(0.8, 0.98, m.round);
  const teeth = -up + m.teeth * Math.min(6.2, 2.2 + m.open * 0.32);
  const lowerTeeth = low - m.lowerTeeth * 4;
  const tongue = low - 1.5 - m.tongue * (m.open * 0.75);
  const t = inner * 0.72;
  const isClosed = m.open < 2.5;
  const chin = bottom + 5.4;
  const ear = w * 0.45 + 21;
  return {
    opening,
    upper:
      svgPath`M${-w} ${corner}C${-w * 0.74} ${high} ${-w * 0.46} ${top} ${-w * 0.24} ${top}C${-w * 0.12} ${top} ${-w * 0.1} ${top + bow} 0 ${top + bow}C${w * 0.1} ${top + bow} ${w * 0.12} ${top} ${w * 0.24} ${top}C${w * 0.46} ${top} ${w * 0.74} ${high} ${w} ${corner}L${inner} ${corner}` +
      rim(inner, -up + 0.6) +
      'Z',
    lower:
      svgPath`M${-w} ${corner}L${-inner} ${corner}` +
      rim(-inner, low - 0.6) +
      svgPath`L${w} ${corner}C${bulge} ${deep} ${w * 0.5} ${bottom} 0 ${bottom}C${-w * 0.5} ${bottom} ${-bulge} ${deep} ${-w} ${corner}Z`,
    teeth: svgPath`M${-inner} ${-up - 3}H${inner}V${teeth - 1.6}C${inner * 0.5} ${teeth + 0.8} ${-inner * 0.5} ${teeth + 0.8} ${-inner} ${teeth - 1.6}Z`,
    lowerTeeth: svgPath`M${-t} ${low + 4}V${lowerTeeth + 1}C${-inner * 0.4} ${lowerTeeth - 0.5} ${inner * 0.4} ${lowerTeeth - 0.5} ${t} ${lowerTeeth + 1}V${low + 4}Z`,
    tongue: svgPath`M${-t} ${low + 6}C${-t} ${tongue} ${-t * 0.4} ${tongue} 0 ${tongue + 0.8}C${t * 0.4} ${tongue} ${t} ${tongue} ${t} ${low + 6}Z`,
    line: isClosed
      ? svgPath`M${-w * 0.98} ${corner}C${-w * 0.6} ${corner * 0.4 + 0.2} ${-w * 0.3} 0.3 0 0.6C${w * 0.3} 0.3 ${w * 0.6} ${corner * 0.4 + 0.2} ${w * 0.98} ${corner}`
      : '',
    chin: svgPath`M-9 ${chin}C-4 ${chin + 2.2} 4 ${chin + 2.2} 9 ${chin}`,
    moustache: hasBeard
      ? svgPath`M0 ${top - 10}C9 ${top - 11} 19 ${top - 4} ${ear} ${corner + 3}C${ear - 8} ${corner + 1} 12 ${top + 1.5} 0 ${top + 3}C-12 ${top + 1.5} ${8 - ear} ${corner + 1} ${-ear} ${corner + 3}C-19 ${top - 4} -9 ${top - 11} 0 ${top - 10}Z`
      : '',
  };
}
