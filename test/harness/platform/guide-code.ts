import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';

const guideFolder = path.resolve(__dirname, '../../../docs/guide');

/** Returns the text of a page of the guide. */
export const guideText = (page: string): string => readFileSync(path.join(guideFolder, `${page}.md`), 'utf8');

/** Returns the first block of code under a heading of a page of the guide. */
export function guideCode(page: string, heading: string): string {
  const text = guideText(page);
  const [, section = ''] = text.split(new RegExp(`^#+ ${heading.replaceAll('.', '\\.')}$`, 'm'));
  const [, code] = /^```\w+\n([\s\S]*?)^```$/m.exec(section) ?? [];
  if (code === undefined) throw new Error(`docs/guide/${page}.md has no code under "${heading}"`);
  return code;
}

/** Returns the blocks of a Markdown text that are in this language. */
export const codeBlocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );

/**
 * Runs the TypeScript of a page of the guide in `folder`, with the built client. `change` sets the reader's own
 * values. Returns what it printed.
 */
export async function runGuideProgram(
  folder: string,
  pages: readonly string[],
  change: (code: string) => string,
): Promise<string> {
  const code = pages
    .flatMap((page) => codeBlocks(readFileSync(path.join(guideFolder, `${page}.md`), 'utf8'), 'ts'))
    .join('\n');
  const modules = path.join(folder, 'node_modules/@interview-platform');
  mkdirSync(modules, { recursive: true });
  symlinkSync(path.resolve(__dirname, '../../../clients/typescript'), path.join(modules, 'client'));
  const program = path.join(folder, 'program.mjs');
  writeFileSync(program, transformSync(change(code), { loader: 'ts', format: 'esm' }).code);
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: folder });
  return stdout;
}
