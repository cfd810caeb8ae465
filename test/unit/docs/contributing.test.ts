import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '../../..');
const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|sql|json|md)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
const product = ['api', 'db', 'activities', 'workflows', 'local'].flatMap(filesOf);
const isAbout = (word: RegExp) => (file: string) =>
  word.test(file) || word.test(readFileSync(join(root, file), 'utf8'));
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** Returns the files in the table below a heading of CONTRIBUTING.md, with their placeholders filled in. */
const listed = (heading: string, fill: Record<string, string>): string[] => {
  const section = guide.split(`### ${heading}\n`)[1]?.split(/^##/m)[0] ?? '';
  return Array.from(section.matchAll(/^\| `([^`]+)` \|/gm), ([, file = '']) =>
    file.replaceAll(/<[^>]+>/g, (placeholder) => fill[placeholder] ?? placeholder),
  ).sort();
};

describe('the lists of files in CONTRIBUTING.md', () => {
  it.each(['sv', 'th', 'hr'])('name every file that knows a language: %s', (code) => {
    const found = product.filter(isAbout(new RegExp(`['"\`/]${code}['"\`]|\\b${code}:|/${code}\\.json$`)));
    expect(found.sort()).toEqual(listed('A language', { '<code>': code }));
  });

  it('name every file that knows an event of webhooks', () => {
    const event = 'interview_collected';
    const documents = filesOf('docs').filter((file) => /guide\/webhooks|glossary/.test(file));
    // The seed has deliveries of each event, but a new event needs none. Migrations of later events repeat the CHECKs.
    const isNotNeeded = /^local\/seed\/|^db\/migrations\/(?!0012)/;
    const found = [...product, ...documents].filter(isAbout(new RegExp(`\\b${event}\\b`)));
    expect(found.filter((file) => !isNotNeeded.test(file)).sort()).toEqual(
      listed('An event of webhooks', {
        '<next number>': '0012',
        '<what>': 'webhooks-tables',
      }),
    );
  });

  it('name every file that knows a dataset of reports', () => {
    const known = /\bcoaching_sessions\b|coachingSessions\b|\bdatasets\/coaching-sessions\b/;
    const files = [...product, ...filesOf('docs/guide'), 'test/db/reports/datasets.test.ts'];
    // A template of a report uses the dataset, but a new dataset needs none.
    const found = files.filter(isAbout(known)).filter((file) => file !== 'api/reports/templates.ts');
    expect(found.sort()).toEqual(listed('A dataset of reports', { '<name>': 'coaching-sessions' }));
  });

  it('name every file that knows an operation with a page of the console', () => {
    const known =
      /\bwebhookReplayCancel\b|'webhook-replay-cancel'|\baddReplaysPage\b|path: '\/replays'|\bcancelReplay\b/;
    const found = product.filter((file) => /^(?:api|db)\//.test(file)).filter(isAbout(known));
    const list = listed('An operation with a page of the console', {
      '<domain>': 'webhooks',
      '<subject>': 'replays',
      '<name>': 'webhook-replay-cancel',
    }).map((file) => file.replace('webhooks/replays-page', 'webhooks/pages/replays-page'));
    expect(found.sort()).toEqual(list);
    expect(filesOf('test/end-to-end').some(isAbout(/\bwebhook-replay-cancel\b/))).toBe(true);
  });
});
