/** The colors of a person. Clothes and jewelry have further ones. */
type Colors = Record<
  | 'light'
  | 'skin'
  | 'shade'
  | 'deep'
  | 'neck'
  | 'lid'
  | 'blush'
  | 'white'
  | 'iris'
  | 'irisRim'
  | 'lash'
  | 'brow'
  | 'lipUpper'
  | 'lipLower'
  | 'lipLine'
  | 'cavity'
  | 'tongue',
  string
> & { beardDark?: string };

/**
 * A drawn person. Clothes and neck are in the space of the picture, 480 wide and high. All other shapes are in the space of the head,
 * whose origin lies between the eyes.
 */
export type DrawnPerson = {
  colors: Colors;
  /** Half the widths of the face, where its jaw begins, how far down it reaches, and where the mouth is. */
  face: Record<'temple' | 'cheek' | 'jaw' | 'chin' | 'length' | 'jawY' | 'mouthY', number>;
  eyes: Record<'apart' | 'high' | 'low' | 'tilt' | 'size' | 'lash', number>;
  brows: Record<'y' | 'arch' | 'inner' | 'outer' | 'drop' | 'weight', number>;
  lips: Record<'width' | 'upper' | 'lower' | 'bow', number>;
  /** How far the corners of the mouth are up at rest. */
  smile: number;
  neck: string;
  /** The side of the face that is in the shade. */
  plane: string;
  hairBack: string;
  hairShadow: string;
  hairFront: string;
  ears: string;
  nose: string;
  lines?: string;
  beard?: string;
  /** The color of the frame of the glasses. */
  glasses?: string;
  clothes: string;
};

type SkinColors = Pick<Colors, 'skin' | 'shade' | 'deep'>;

/** Draws both ears, `gap` from the middle of the face. */
export const earShapes = (c: SkinColors, y: number, gap: number): string =>
  [1, -1]
    .map(
      (s) =>
        `<path fill="${s > 0 ? c.shade : c.skin}" d="M${s * (gap - 8)} ${y - 10}C${s * (gap + 5)} ${y - 20} ${s * (gap + 14)} ${y - 12} ${s * (gap + 12)} ${y + 6}C${s * (gap + 11)} ${y + 22} ${s * (gap + 3)} ${y + 32} ${s * (gap - 8)} ${y + 30}Z"/>` +
        `<path d="M${s * (gap + 1)} ${y - 6}C${s * (gap + 7)} ${y - 8} ${s * (gap + 8)} ${y + 2} ${s * (gap + 5)} ${y + 8}C${s * (gap + 3)} ${y + 12} ${s * (gap + 4)} ${y + 16} ${s * (gap + 1)} ${y + 20}" fill="none" stroke="${c.deep}" stroke-width="1.8" stroke-linecap="round" opacity=".55"/>`,
    )
    .join('');

/** Draws a nose of half the width `w` whose tip is at `y`, with a highlight of the opacity `light`. */
export const noseShape = (c: SkinColors, w: number, y: number, light: number): string =>
  `<path d="M${w * 0.55} -12C${w * 0.35} 6 ${w * 0.6} 22 ${w * 1.02} ${y - 9}C${w * 1.16} ${y - 4} ${w * 0.9} ${y + 1} ${w * 0.4} ${y + 1}C${w * 0.3} ${y - 12} ${w * 0.1} 4 ${w * 0.55} -12Z" fill="${c.shade}" opacity=".75"/>` +
  `<path d="M${-w * 0.98} ${y - 3}C${-w * 0.8} ${y + 1.5} ${-w * 0.5} ${y + 1} ${-w * 0.34} ${y + 0.4}C${-w * 0.16} ${y + 3.4} ${w * 0.16} ${y + 3.4} ${w * 0.34} ${y + 0.4}C${w * 0.5} ${y + 1} ${w * 0.8} ${y + 1.5} ${w * 0.98} ${y - 3}C${w * 0.86} ${y + 4.5} ${w * 0.3} ${y + 5.6} 0 ${y + 5.6}C${-w * 0.3} ${y + 5.6} ${-w * 0.86} ${y + 4.5} ${-w * 0.98} ${y - 3}Z" fill="${c.deep}" opacity=".62"/>` +
  `<path d="M-1.5 4C-2.6 16 -3 26 -2.4 ${y - 8}" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" opacity="${light}"/>`;
