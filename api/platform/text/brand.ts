/** An accent color as merchants choose it: `#` and six hexadecimal digits in lower case. */
export const accentPattern = /^#[0-9a-f]{6}$/;
/** Returns the address of a logo on every host of the platform. `path` is that in the object store. */
export const logoAddress = (path: string): string => `/brand/${path}`;
/** The accent color of merchants that have chosen none, as in palette.css. */
export const defaultAccent = '#1a56c4';

/** The color on which text in the accent color stands, in light and dark pages (palette.css). */
const grounds = { light: '#f3f5f8', dark: '#1a2028' };
/** The contrast that WCAG 2.2 requires of text (AA). */
const minContrast = 4.5;

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Moves a color towards black (0) or white (255), until text in it can be read on the ground. */
function adapt(color: string, ground: string, end: number): string {
  for (let step = 0; ; step += 1) {
    const mixed = channelsOf(color).map((channel) => Math.round(channel + ((end - channel) * step) / 50));
    const hex = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
    if (contrastOf(hex, ground) >= minContrast) return hex;
  }
}

/** An accent color, and the color of text on it. */
export type Shade = { accent: string; onAccent: string };

const shadeOf = (accent: string): Shade => ({
  accent,
  onAccent: contrastOf(accent, '#ffffff') >= contrastOf(accent, '#000000') ? '#ffffff' : '#000000',
});

/**
 * Returns the accent color for light and dark pages. A color that would be hard to read as text is made darker or
 * lighter. Text on it is black or white, whichever has more contrast.
 */
export const brandColors = (color: string): { light: Shade; dark: Shade } => ({
  light: shadeOf(adapt(color, grounds.light, 0)),
  dark: shadeOf(adapt(color, grounds.dark, 255)),
});
