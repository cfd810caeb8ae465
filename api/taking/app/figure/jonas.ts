import { earShapes, noseShape } from './person';
import type { DrawnPerson } from './person';

const c = {
  light: '#f6d6bf',
  skin: '#efc5a8',
  shade: '#dca888',
  deep: '#b3775a',
  neck: '#e0b090',
  lid: '#e4b596',
  blush: '#e08a76',
  white: '#f8f5f1',
  iris: '#587389',
  irisRim: '#37495a',
  lash: '#4c3b33',
  brow: '#77736f',
  lipUpper: '#bf7c6e',
  lipLower: '#cf9384',
  lipLine: '#8d5247',
  cavity: '#4a1f20',
  tongue: '#bd6a66',
  hair: '#8b8d91',
  hairLight: '#b3b5b8',
  hairDeep: '#6a6c71',
  beard: '#a19f9d',
  beardDark: '#868482',
  coat: '#3d5c57',
  coatDeep: '#314b47',
  coatLight: '#4d706a',
  shirt: '#f1f4f7',
};

export const jonas: DrawnPerson = {
  colors: c,
  face: { temple: 75, cheek: 75, jaw: 62, chin: 30, length: 112, jawY: 72, mouthY: 67 },
  eyes: { apart: 32, high: 9, low: 6.2, tilt: 0, size: 1.06, lash: 2.3 },
  brows: { y: -20.5, arch: 3.8, inner: 14, outer: 50, drop: 1, weight: 6.6 },
  lips: { width: 24, upper: 3.8, lower: 6, bow: 1.2 },
  smile: 5.4,
  glasses: '#2f343b',
  neck: 'M198 262H282V336C284 352 300 362 322 372L240 420L158 372C180 362 196 352 198 336Z',
  plane: 'M48 -120C66 -60 68 -10 62 26C58 60 42 88 8 116L90 130L110 -60Z',
  hairBack: '',
  hairShadow: `<path d="M-90 -130H90V-14H72C70 -40 62 -58 46 -68C14 -64 -24 -62 -46 -72C-62 -58 -70 -40 -72 -14H-90Z" fill="${c.deep}" opacity=".3"/>`,
  hairFront: `<path fill="${c.hair}" d="M-80 4C-86 -16 -90 -44 -84 -70C-76 -110 -38 -134 8 -132C54 -131 84 -106 87 -66C88 -42 86 -16 80 4C77 -2 75 -14 74 -26C73 -46 64 -62 50 -76C20 -68 -22 -66 -46 -80C-62 -66 -72 -46 -74 -26C-75 -14 -77 -2 -80 4Z"/><path d="M-46 -80C-66 -92 -68 -104 -56 -114C-34 -130 20 -134 50 -114C20 -122 -22 -118 -40 -104C-48 -98 -50 -90 -46 -80ZM-30 -86C-4 -96 36 -96 58 -84C44 -80 6 -74 -30 -86Z" fill="${c.hairLight}" opacity=".7"/><path d="M-80 4C-86 -16 -89 -40 -85 -62C-80 -54 -76 -40 -74 -26C-75 -14 -77 -2 -80 4ZM80 4C86 -16 88 -40 86 -62C81 -54 76 -40 74 -26C75 -14 77 -2 80 4Z" fill="${c.hairDeep}" opacity=".75"/>`,
  ears: earShapes(c, 0, 76),
  nose: noseShape(c, 13.5, 43, 0.26),
  lines: `<path d="M-29 46C-35 52 -39 59 -40 67M29 46C35 52 39 59 40 67M-24 -52C-8 -55 8 -55 24 -52M-52 5C-57 7 -60 10 -62 14M52 5C57 7 60 10 62 14" fill="none" stroke="${c.deep}" stroke-width="1.7" stroke-linecap="round" opacity=".34"/>`,
  beard: `<path fill="${c.beard}" d="M-84 2C-73 16 -69 34 -63 50C-58 64 -46 68 -37 66C-31 60 -26 53 -16 50.5C-8 49 -4 51 0 51C4 51 8 49 16 50.5C26 53 31 60 37 66C46 68 58 64 63 50C69 34 73 16 84 2V120C50 140 -50 140 -84 120Z"/>
<path d="M-66 40C-62 66 -44 96 0 104C44 96 62 66 66 40C66 80 44 122 0 122C-44 122 -66 80 -66 40Z" fill="${c.beardDark}" opacity=".55"/>
<path d="M-52 74C-50 80 -46 86 -42 90M-34 82C-32 88 -29 93 -25 97M-14 88C-13 93 -11 98 -8 102M52 74C50 80 46 86 42 90M34 82C32 88 29 93 25 97M14 88C13 93 11 98 8 102" fill="none" stroke="#c4c2bf" stroke-width="1.6" stroke-linecap="round" opacity=".45"/>`,
  clothes: `<path d="M190 352C170 368 120 380 88 396C62 410 48 446 44 482H436C432 446 418 410 392 396C360 380 310 368 290 352C284 388 262 410 240 410S196 388 190 352Z" fill="${c.coat}"/><path d="M290 352C310 368 360 380 392 396C418 410 432 446 436 482H330C330 440 320 400 290 352Z" fill="${c.coatDeep}" opacity=".8"/><path d="M190 352C186 358 180 361 176 363C184 400 212 424 240 424S296 400 304 363C300 361 294 358 290 352C284 388 262 410 240 410S196 388 190 352Z" fill="${c.coatLight}"/><path d="M198 336C188 342 184 350 183 358C190 378 204 394 220 404L240 392L216 366C206 358 199 348 198 336ZM282 336C292 342 296 350 297 358C290 378 276 394 260 404L240 392L264 366C274 358 281 348 282 336Z" fill="${c.shirt}"/><path d="M183 358C190 378 204 394 220 404L223 402C208 390 194 374 186 354ZM297 358C290 378 276 394 260 404L257 402C272 390 286 374 294 354Z" fill="#cfd6dd"/><path d="M98 438C102 452 104 468 104 482M382 438C378 452 376 468 376 482" fill="none" stroke="#1f312e" stroke-width="2" opacity=".45" stroke-linecap="round"/>`,
};
