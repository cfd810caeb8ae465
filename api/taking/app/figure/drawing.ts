import { browPath, eyePaths, facePath, mouthPaths } from './face-paths';
import { blendMouth } from './mouth-shapes';
import type { DrawnPerson } from './person';
import type { Pose } from './pose';

/*
 * Draws a person in layers, each an SVG element of its own. The head and its parts are moved by CSS transforms, for which a browser
 * paints nothing; only the mouth and the eyes are painted again when they change. Lengths are in units of the drawing, whose visible
 * part is 440 wide and high.
 */

type Box = readonly [x: number, y: number, width: number, height: number];
const visible = 440;
/** The origin of the head in the visible part, and the height around which the head tilts. */
const head = { x: 220, y: 182 };
const neckY = 112;
/** Where the body begins in the visible part. */
const bodyOrigin = { x: -20, y: -40 };
/** An open jaw stretches the face below this height. */
const jawFrom = -60;

/** A length of the drawing in CSS. `cqw` is a hundredth of the width of the figure. */
const length = (value: number): string => `${((value / visible) * 100).toFixed(2)}cqw`;
/** How far a part moves, in steps of about an eighth of a pixel, so that a slow movement does not change each part in each frame. */
const shift = (value: number): string => length(Math.round(value * 5) / 5);

let drawings = 0;

/** Adds the drawing of a person to `host`, and returns the functions that show a pose. */
export function drawPerson(host: HTMLElement, person: DrawnPerson) {
  drawings += 1;
  const id = (name: string) => `figure-${drawings}-${name}`;
  const { colors: c, face } = person;
  const parts = new Map<string, Element>();
  const collect = (element: Element) => {
    for (const part of element.querySelectorAll('[data-part]'))
      parts.set(part.getAttribute('data-part') ?? '', part);
  };

  const group = (parent: HTMLElement): HTMLElement => {
    const element = document.createElement('div');
    element.style.transformOrigin = `${length(head.x)} ${length(head.y + neckY)}`;
    parent.append(element);
    return element;
  };
  const layer = (
    parent: HTMLElement,
    name: string,
    [x, y, width, height]: Box,
    markup: string,
    origin = head,
  ): SVGSVGElement => {
    const viewBox = `${x} ${y} ${width} ${height}`;
    parent.insertAdjacentHTML('beforeend', `<svg data-layer="${name}" viewBox="${viewBox}">${markup}</svg>`);
    const svg = parent.lastElementChild as SVGSVGElement;
    Object.assign(svg.style, {
      left: length(origin.x + x),
      top: length(origin.y + y),
      width: length(width),
      height: length(height),
    });
    collect(svg);
    return svg;
  };
  const changing = (name: string, attributes: string) => `<path data-part="${name}" ${attributes}/>`;

  const skin = `<linearGradient id="${id('skin')}" x1="0" y1="0" x2="1" y2=".35"><stop stop-color="${c.light}"/><stop offset=".5" stop-color="${c.skin}"/><stop offset="1" stop-color="${c.shade}"/></linearGradient>`;
  const blush = `<radialGradient id="${id('blush')}"><stop stop-color="${c.blush}" stop-opacity=".26"/><stop offset="1" stop-color="${c.blush}" stop-opacity="0"/></radialGradient>`;
  const cheeks = [-43, 43]
    .map((x) => `<ellipse cx="${x}" cy="36" rx="34" ry="26" fill="url(#${id('blush')})"/>`)
    .join('');
  const outline = facePath(face);
  const eye = (side: string, s: 1 | -1) =>
    `<g transform="translate(${s * person.eyes.apart} 0)"><clipPath id="${id(side)}">${changing(`clip ${side}`, '')}</clipPath>${changing(`white ${side}`, `fill="${c.white}"`)}
<g clip-path="url(#${id(side)})"><g data-part="iris ${side}"><circle r="7.6" fill="${c.irisRim}"/><circle r="6.4" fill="${c.iris}"/><circle r="3.2" fill="#17120f"/><circle cx="-2.2" cy="-2.6" r="1.6" fill="#fff" opacity=".92"/></g>${changing(`shadow ${side}`, 'fill="none" stroke="#2a1a14" stroke-opacity=".22" stroke-width="5"')}</g>
${changing(`lid ${side}`, `fill="${c.lid}"`)}${changing(`lower ${side}`, `fill="none" stroke="${c.deep}" stroke-width="1.2" stroke-linecap="round" opacity=".42"`)}${changing(`lash ${side}`, `fill="none" stroke="${c.lash}" stroke-width="${person.eyes.lash}" stroke-linecap="round"`)}${changing(`crease ${side}`, `fill="none" stroke="${c.deep}" stroke-width="1.3" stroke-linecap="round" opacity=".55"`)}</g>`;
  const lipLine = `fill="none" stroke="${c.lipLine}" stroke-width="1.5" stroke-linecap="round"`;
  const mouthMarkup = `<clipPath id="${id('mouth')}">${changing('clip', '')}</clipPath>
${changing('moustache', `fill="${c.beardDark ?? 'none'}"`)}${changing('chin', `fill="none" stroke="${c.beardDark ?? c.deep}" stroke-width="2.4" stroke-linecap="round" opacity=".38"`)}${changing('opening', `fill="${c.cavity}" stroke="${c.lipLine}"`)}
<g clip-path="url(#${id('mouth')})">${changing('tongue', `fill="${c.tongue}"`)}${changing('lowerTeeth', 'fill="#e4ddd3"')}${changing('teeth', 'fill="#f4f0ea"')}</g>
${changing('upper', `fill="${c.lipUpper}"`)}${changing('lower', `fill="${c.lipLower}"`)}${changing('line', lipLine)}`;

  const backOfHead = group(host);
  layer(backOfHead, 'back', [-120, -165, 240, 310], person.hairBack + person.ears);
  const body = layer(
    host,
    'body',
    [20, 250, 440, 232],
    `<clipPath id="${id('neck')}"><path d="${person.neck}"/></clipPath><path d="${person.neck}" fill="${c.neck}"/><path d="M170 282H310V326C300 372 260 380 240 380C220 380 180 372 170 326Z" clip-path="url(#${id('neck')})" fill="${c.deep}" opacity=".5"/>${person.clothes}`,
    bodyOrigin,
  );
  const front = group(host);
  const faceLayer = layer(
    front,
    'face',
    [-90, -118, 180, 244],
    `<defs>${skin}${blush}<clipPath id="${id('face')}"><path d="${outline}"/></clipPath></defs><path d="${outline}" fill="url(#${id('skin')})"/><g clip-path="url(#${id('face')})"><path d="${person.plane}" fill="${c.shade}" opacity=".55"/>${cheeks}${person.lines ?? ''}${person.hairShadow}${person.beard ?? ''}</g>`,
  );
  faceLayer.style.transformOrigin = `50% ${((jawFrom + 118) / 244) * 100}%`;
  const features = group(front);
  const browAt = (s: 1 | -1) =>
    layer(
      features,
      'brow',
      [s > 0 ? 4 : -64, -42, 60, 34],
      `<path d="${browPath(person.brows, s)}" fill="${c.brow}"/>`,
    );
  const brows = { right: browAt(1), left: browAt(-1) };
  const noseLayer = layer(features, 'nose', [-24, -16, 48, 70], person.nose);
  layer(
    features,
    'eyes',
    [-90, -34, 180, 60],
    eye('right', 1) + eye('left', -1) + (person.glasses ? glasses(person.glasses) : ''),
  );
  const mouthOrigin = { x: head.x, y: head.y + face.mouthY };
  const mouth = layer(features, 'mouth', [-46, -30, 92, 66], mouthMarkup, mouthOrigin);
  const hair = layer(front, 'hair', [-112, -150, 224, 290], person.hairFront);

  /** What was set last, so that nothing is set twice. */
  const last = new Map<Element | string, string>();
  const isNew = (key: Element | string, value: string): boolean =>
    last.get(key) !== value && Boolean(last.set(key, value));
  const set = (name: string, value: string, attribute = 'd') => {
    if (isNew(name, value)) parts.get(name)?.setAttribute(attribute, value);
  };
  const move = (element: HTMLElement | SVGSVGElement, x: number, y: number, rest = '') => {
    const value = `translate(${shift(x)},${shift(y)})${rest}`;
    if (isNew(element, value)) element.style.transform = value;
  };

  function showMouth({ mouth: weights, smile }: Pose): void {
    const shape = blendMouth(weights, smile);
    const stretch = 1 + shape.jaw / (face.length - jawFrom);
    // In steps of a pixel at most, because a changed face has all layers above it put together again.
    move(faceLayer, 0, 0, `scaleY(${Math.round(stretch * 150) / 150})`);
    move(mouth, 0, shape.jaw * 0.12);
    const paths = mouthPaths(shape, person.lips, person.beard !== undefined);
    for (const [name, value] of Object.entries(paths)) set(name, value);
    set('clip', paths.opening);
  }
  function showEye(side: 'left' | 'right', s: 1 | -1, { lids, gazeX, gazeY }: Pose): void {
    if (!isNew(`eye ${side}`, `${lids} ${gazeX.toFixed(1)} ${gazeY.toFixed(1)}`)) return;
    const paths = eyePaths(person.eyes, s, lids, gazeY);
    for (const name of ['white', 'lash', 'lid', 'crease', 'lower'] as const)
      set(`${name} ${side}`, paths[name]);
    set(`clip ${side}`, paths.white);
    set(`shadow ${side}`, paths.lash);
    const at = [gazeX - s * 0.5, gazeY - 0.8].map((value) => Math.round(value * 10) / 10);
    set(`iris ${side}`, `translate(${at.join(' ')})`, 'transform');
  }
  function showHead(pose: Pose): void {
    const { yaw, pitch, breath, furrow } = pose;
    const tilt = `rotate(${Math.round(pose.tilt * 20) / 20}deg)`;
    const y = pitch * 0.9 - breath * 1.2;
    move(backOfHead, -yaw * 0.2, y - pitch * 0.5, tilt);
    move(front, yaw * 0.5, y, tilt);
    move(body, 0, -breath * 1.6);
    move(hair, yaw * 0.35, pitch * 0.3);
    move(features, yaw, pitch);
    move(noseLayer, yaw * 0.35, pitch * 0.3);
    for (const [side, s, raise] of [
      ['right', 1, pose.browRight],
      ['left', -1, pose.browLeft],
    ] as const) {
      const turn = `rotate(${Math.round(s * furrow * 60) / 10}deg)`;
      move(brows[side], -s * furrow * 1.6, furrow * 1.2 - raise * 5, turn);
      showEye(side, s, pose);
    }
  }
  return { showHead, showMouth };
}

/** Glasses, whose arms end under the hair above the ears. */
function glasses(frame: string): string {
  const lens = (s: number) =>
    `M${s * 12} -9C${s * 12} -15 ${s * 17} -17 ${s * 31} -17C${s * 46} -17 ${s * 52} -14 ${s * 52} -6C${s * 52} 9 ${s * 44} 17 ${s * 32} 17C${s * 19} 17 ${s * 12} 8 ${s * 12} -9Z`;
  return `<g fill="none" stroke="${frame}" stroke-width="3.1" stroke-linejoin="round" stroke-linecap="round"><path d="${lens(-1)}${lens(1)}" fill="#fff" fill-opacity=".1"/><path d="M-12 -7C-6 -11.5 6 -11.5 12 -7M52 -8L80 -11M-52 -8L-80 -11"/></g><path d="M-46 -9L-34 -14.5H-27L-47 2ZM18 -9L30 -14.5H34L19 2Z" fill="#fff" opacity=".16"/>`;
}
