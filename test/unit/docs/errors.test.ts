import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCodes, rowCodes, rowErrorCodes } from '../../../api/platform/operation/error-codes';

const text = readFileSync(path.join(__dirname, '../../../docs/guide/errors.md'), 'utf8');

/** The rows of the page's tables as lists of cells, without the headings. */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\|? *| *\|?$/g, '')));

it('lists every code with its status and meaning, and no other, in docs/guide/errors.md', () => {
  expect(rows).toEqual([
    ...Object.entries(errorCodes).map(([code, { status, meaning }]) => [
      `\`${code}\``,
      String(status),
      meaning,
    ]),
    ...Object.entries({ ...rowCodes, ...rowErrorCodes }).map(([code, meaning]) => [`\`${code}\``, meaning]),
  ]);
});
