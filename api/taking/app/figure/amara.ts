import { earShapes, noseShape } from './person';
import type { DrawnPerson } from './person';

const c = {
  light: '#96634a',
  skin: '#84543d',
  shade: '#6c412f',
  deep: '#4a2a1f',
  neck: '#714634',
  lid: '#754834',
  blush: '#a8503c',
  white: '#f3ece4',
  iris: '#38231a',
  irisRim: '#20140f',
  lash: '#160e0b',
  brow: '#20140f',
  lipUpper: '#713635',
  lipLower: '#95514b',
  lipLine: '#451d1e',
  cavity: '#33100f',
  tongue: '#a4524f',
  hair: '#221a18',
  hairLight: '#3d302b',
  hairDeep: '#15100e',
  coat: '#b5562f',
  coatDeep: '#99452a',
  coatLight: '#c9693d',
  shirt: '#c9693d',
  metal: '#e3b65c',
};

export const amara: DrawnPerson = {
  colors: c,
  face: { temple: 72, cheek: 72, jaw: 55, chin: 22, length: 106, jawY: 68, mouthY: 64 },
  eyes: { apart: 31, high: 10.2, low: 6.8, tilt: -1.8, size: 1.12, lash: 3.2 },
  brows: { y: -21.2, arch: 4, inner: 14, outer: 50, drop: 0.5, weight: 5 },
  lips: { width: 24, upper: 6.6, lower: 8.6, bow: 1.8 },
  smile: 6.4,
  neck: 'M208 262H272V340C276 356 300 366 322 376L240 428L158 376C180 366 204 356 208 340Z',
  plane: 'M46 -120C64 -60 64 -10 58 24C54 56 38 82 8 110L90 130L110 -60Z',
  hairBack: `<path fill="${c.hair}" d="M0 -154C24 -160 44 -150 56 -140C78 -134 94 -118 100 -98C114 -80 114 -58 108 -42C108 -22 98 -4 84 4L-84 4C-98 -4 -108 -22 -108 -42C-114 -58 -114 -80 -100 -98C-94 -118 -78 -134 -56 -140C-44 -150 -24 -160 0 -154Z"/>`,
  hairShadow: `<path d="M-90 -130H90V10H72C70 -30 58 -62 36 -70C14 -78 -14 -78 -36 -70C-58 -62 -70 -30 -72 10H-90Z" fill="${c.deep}" opacity=".45"/>`,
  hairFront: `<path fill="${c.hair}" d="M-72 -2C-88 -8 -98 -26 -96 -46C-100 -66 -94 -86 -82 -98C-74 -116 -54 -128 -36 -130C-14 -140 14 -140 36 -130C54 -128 74 -116 82 -98C94 -86 100 -66 96 -46C98 -26 88 -8 72 -2C73 -30 64 -56 46 -68C28 -82 14 -78 0 -82C-14 -78 -28 -82 -46 -68C-64 -56 -73 -30 -72 -2Z"/><path d="M-78 -60C-74 -92 -46 -118 -6 -122C-36 -112 -58 -94 -66 -70C-70 -62 -76 -54 -78 -60ZM10 -124C38 -122 64 -106 74 -80C60 -98 40 -112 10 -124Z" fill="${c.hairLight}" opacity=".7"/>`,
  ears:
    earShapes(c, 2, 73) +
    [1, -1]
      .map(
        (s) =>
          `<circle cx="${s * 76}" cy="38" r="4.6" fill="${c.metal}"/><circle cx="${s * 76 - 1.2}" cy="36.8" r="1.4" fill="#fff" opacity=".6"/>`,
      )
      .join(''),
  nose: noseShape(c, 14, 40, 0.14),
  clothes: `<path d="M196 352C180 372 128 382 96 398C66 412 52 448 48 482H432C428 448 414 412 384 398C352 382 300 372 284 352Z" fill="${c.coat}"/><path d="M284 352C300 372 352 382 384 398C414 412 428 448 432 482H322C330 440 318 392 284 352Z" fill="${c.coatDeep}" opacity=".75"/><path d="M202 330C198 346 196 360 200 378C220 394 260 394 280 378C284 360 282 346 278 330C262 342 218 342 202 330Z" fill="${c.coatLight}"/><path d="M200 378C220 394 260 394 280 378L281 386C260 402 220 402 199 386Z" fill="${c.coatDeep}" opacity=".7"/><path d="M262 338C270 336 275 333 278 330C282 346 284 360 280 378C274 383 268 386 260 388C266 370 266 354 262 338Z" fill="${c.coatDeep}" opacity=".45"/><path d="M104 440C108 454 110 468 110 482M376 440C372 454 370 468 370 482" fill="none" stroke="#6e2f1c" stroke-width="2" opacity=".5" stroke-linecap="round"/>`,
};
