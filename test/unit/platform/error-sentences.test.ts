import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');
const sources = ['api', 'activities', 'db']
  .flatMap((layer) =>
    readdirSync(path.join(root, layer), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${layer}/${file}`,
    ),
  )
  .filter((file) => /\.tsx?$/.test(file));

/** The literal messages of `new ApiError(code, message, …)` in a source. Messages that are computed are left out. */
const messagesOf = (source: string): string[] =>
  [...source.matchAll(/new ApiError\(\s*[^,()]+,\s*(['`])((?:\\.|(?!\1).)+)\1/gs)].map(
    ([, , message = '']) => message,
  );

describe('the literal messages of ApiError', () => {
  const messages = sources.flatMap((file) =>
    messagesOf(readFileSync(path.join(root, file), 'utf8')).map((message) => `${file}: ${message}`),
  );

  it('are whole sentences, which end with a period', () => {
    expect(messages.length).toBeGreaterThan(150);
    expect(messages.filter((message) => !message.endsWith('.'))).toEqual([]);
  });
});
