import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readSchemaFiles } from '../../../db/platform/schema-files';

/* The SQL files say what the database is now: each thing once, in the file where a reader looks for it. */

const { beforeMigrations, migrations, afterMigrations } = readSchemaFiles();
const files = [...beforeMigrations, ...afterMigrations];
const isAccess = (name: string) => path.basename(name).startsWith('access');

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, first = '']) => first);
const twice = (names: string[]) => names.filter((name, at) => names.indexOf(name) !== at);
/** Returns the file names with what the pattern finds in each file. */
const findIn = (texts: typeof files, pattern: RegExp): string[] =>
  texts.flatMap(({ name, text }) => matches(text, pattern).map((found) => `${name}: ${found}`));
const withoutComments = (text: string) => text.replaceAll(/--.*$/gm, '');

const functions = /^create (?:or replace )?(?:function|procedure) app\.(\w+)/gim;
const triggers = /^create (?:or replace )?trigger (\w+)/gim;
const policies = /^create policy (\w+)/gim;

describe('the SQL files', () => {
  it.each([
    ['function', functions, 200],
    ['trigger', triggers, 50],
    ['policy', policies, 370],
  ])('define every %s once', (_what, pattern, atLeast) => {
    const names = [...migrations, ...files].flatMap(({ text }) => matches(text, pattern));
    expect(names.length).toBeGreaterThan(atLeast);
    expect(twice(names)).toEqual([]);
  });

  it('keep tables and data in migrations, and what can be replaced outside of them', () => {
    expect(
      findIn(
        migrations,
        /^(create (?:or replace )?(?:function|procedure|trigger|policy|view) \S+|(?:grant|revoke) .*)/gim,
      ),
    ).toEqual([]);
    expect(
      findIn(
        files,
        /^(create (?:unlogged )?(?:table|unique index|index|type) \S+|alter table \S+|insert into .*)/gim,
      ),
    ).toEqual([]);
  });

  it('can be applied again', () => {
    expect(findIn(files, /^(create (?!or replace |policy |schema if not exists ).*)/gim)).toEqual([]);
    const access = files.filter(({ name }) => isAccess(name));
    expect(
      findIn(
        files.filter((file) => !access.includes(file)),
        /^(create policy .*|grant (?:select|insert|update|delete).*)/gim,
      ),
    ).toEqual([]);
    for (const { name, text } of access) {
      const reset = matches(text, /^call pg_temp\.reset_access\('(\w+)'\);$/gm);
      const changed = [
        ...matches(text, /^create policy \w+\s+on (\w+)/gm),
        ...matches(withoutComments(text), /\son (\w+)\s+to [\w, \n]+;/g),
      ];
      expect([name, changed.filter((table) => !reset.includes(table))]).toEqual([name, []]);
    }
    expect(
      twice(access.flatMap(({ text }) => matches(text, /^call pg_temp\.reset_access\('(\w+)'\)/gm))),
    ).toEqual([]);
  });

  it('are all applied, and have at most 300 lines', () => {
    const root = path.resolve(__dirname, '../../../db');
    const found = readdirSync(root)
      .filter((domain) => existsSync(path.join(root, domain, 'sql')))
      .flatMap((domain) =>
        readdirSync(path.join(root, domain, 'sql')).map((file) => `${domain}/sql/${file}`),
      );
    expect(files.map(({ name }) => name).toSorted()).toEqual(found.toSorted());
    expect(
      [...migrations, ...files].filter(({ text }) => text.split('\n').length > 301).map(({ name }) => name),
    ).toEqual([]);
  });

  it('raise errors that are sentences', () => {
    const messages = files.flatMap(({ text }) => matches(text, /raise exception '((?:[^']|'')*)'/g));
    expect(messages.length).toBeGreaterThan(10);
    expect(messages.filter((message) => !/^([A-Z]|[a-z]+_).*\.$/.test(message))).toEqual([]);
  });

  it('have the trigger that creates deliveries, its function and the watched fields in one file', () => {
    const { text = '' } = files.find(({ name }) => name === 'webhooks/sql/deliveries.sql') ?? {};
    const between = (from: string, to: string) => text.split(from)[1]?.split(to)[0] ?? '';
    const watched = matches(between('watched constant text[] := array[', '];'), /'(\w+)'/g);
    expect(watched).toHaveLength(10);
    expect(matches(between('changed text[] := array_remove(array[', '], null)'), /then\s+'(\w+)'/g)).toEqual(
      watched,
    );
    const trigger = between('create or replace trigger interview_result_announce_changed', ';');
    expect(matches(trigger, /old\.(?!erased_at)(\w+)/g)).toEqual(watched);
    expect(matches(trigger, /new\.(?!erased_at)(\w+)/g)).toEqual(watched);
    expect(trigger).toContain('execute function app.announce_result()');
  });
});
