import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(__dirname, '../../../docs/guide');

/** Returns the first block of code under a heading of a page of the guide. */
export function guideCode(page: string, heading: string): string {
  const text = readFileSync(path.join(folder, `${page}.md`), 'utf8');
  const [, section = ''] = text.split(new RegExp(`^#+ ${heading.replaceAll('.', '\\.')}$`, 'm'));
  const [, code] = /^```\w+\n([\s\S]*?)^```$/m.exec(section) ?? [];
  if (code === undefined) throw new Error(`docs/guide/${page}.md has no code under "${heading}"`);
  return code;
}
