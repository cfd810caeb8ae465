import { compileMarkdown } from '../../../api/catalogue/markdown';
import type { DirectiveSlot } from '../../../api/catalogue/markdown';

const session = '0190a000-0000-7000-8000-00000000000a';
/** Returns the compiled markup on one line, including its slots. */
const compile = (markdown: string): string => {
  const { parts, slots } = compileMarkdown({ kind: 'page', markdown });
  const shown = (slot: DirectiveSlot | undefined) => (slot ? `{${showSlot(slot)}}` : '');
  return parts
    .map((part, index) => part + shown(slots[index]))
    .join('')
    .replace(/\n/g, '');
};
const showSlot = (slot: DirectiveSlot): string => {
  if (slot.kind === 'plan_progress') return 'plan';
  if (slot.kind === 'sessions') return `sessions ${slot.term ?? '*'} ${slot.limit ?? '*'}`;
  return `${slot.isGrid ? 'grid' : 'cell'} ${slot.cards.map(({ kind, id }) => `${kind} ${id}`).join(', ')}`;
};
const text = (line: string) => `<p>${line.replace(/</g, '&lt;').replace(/>/g, '&gt;')}</p>`;

describe('a directive alone on its line', () => {
  it.each([
    ['[plan-progress]', '{plan}'],
    ['[directory:sales-en]', '{grid directory sales-en}'],
    ['[directory:a_b-c]', '{grid directory a_b-c}'],
    [`[session:${session}]`, `{grid session ${session}}`],
    [`[session:${session.toUpperCase()}]`, `{grid session ${session}}`],
    ['[sessions]', '{sessions * *}'],
    ['[sessions:cold calls]', '{sessions cold calls *}'],
    ['[sessions:  cold, calls ]', '{sessions cold, calls *}'],
    ['[sessions:filter=cold,limit=3]', '{sessions cold 3}'],
    ['[sessions:filter=a,limit=2,limit=100]', '{sessions a,limit=2 100}'],
    ['[sessions:filter=a,limit=500]', '{sessions a 500}'],
    ['[sessions:filter=a,limit=501]', '{sessions a 500}'],
    ['[sessions:filter=a,limit=999999999]', '{sessions a 500}'],
    ['[sessions:filter= a b , limit= 5 ]', '{sessions a b 5}'],
    ['[sessions:filter=a]', '{sessions a *}'],
    ['[sessions:filter=a, b]', '{sessions a, b *}'],
    ['[sessions:limit=3]', '{sessions * 3}'],
    ['[chip:New]', '<p class="chips"><span class="chip neutral">New</span></p>'],
    ['[chip:New, tone= danger]', '<p class="chips"><span class="chip danger">New</span></p>'],
    ['[chip:New, really,tone=danger]', '<p class="chips"><span class="chip danger">New, really</span></p>'],
    ['[chip:a]\n[chip:b]\n\n[chip:c]', '<p class="chips"><span class="chip neutral">a</span><span class="chip neutral">b</span></p><p class="chips"><span class="chip neutral">c</span></p>'],
    ['[callout:warning]\nMind *it*.\n[/callout]', '<div class="callout warning"><p>Mind <em>it</em>.</p></div>'],
    ['[cards]\n[directory:a]\n[directory:b]\n[/cards]', '<div class="cards">{cell directory a}{cell directory b}</div>'],
    ['[columns]\na\n\nb\n[/columns]', '<div class="columns"><p>a</p><p>b</p></div>'],
    ['[button:Book it,url=https://a.example/b?c=d&e=f]', '<p><a class="button" href="https://a.example/b?c=d&#38;e=f" rel="noopener nofollow">Book it</a></p>'],
    ['[button:Book it, url=https://a.example]', '<p><a class="button" href="https://a.example" rel="noopener nofollow">Book it</a></p>'],
    ['\uFEFF[sessions]', '{sessions * *}'],
    [`[directory:a]\n[session:${session}]\n[directory:b]`, `{grid directory a, session ${session}, directory b}`],
    [`[directory:a]\n\n[directory:b]`, '{grid directory a}{grid directory b}'],
    ['   [sessions]   ', '{sessions * *}'],
    ['before\n[sessions]\nafter', '<p>before</p>{sessions * *}<p>after</p>'],
    ['[sessions]\n---', '{sessions * *}<hr>'],
    ['- a\n  [sessions]\n- b', '<ul><li>a{sessions * *}</li><li>b</li></ul>'],
    ['> a\n[sessions]', '<blockquote><p>a</p></blockquote>{sessions * *}'],
    ['|a|\n|-|\n|b|\n[sessions]', '<div class="wide" tabindex="0"><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table></div>{sessions * *}'],
    ['[sessions]\r\n[plan-progress]\r\n', '{sessions * *}{plan}'],
  ])('renders %j', (markdown, expected) => expect(compile(markdown)).toBe(expected)); // prettier-ignore
});

describe('the slots of a page', () => {
  it('are at most 500, and further ones leave no markup', () => {
    const { parts, slots } = compileMarkdown({ kind: 'page', markdown: '[sessions]\n\n'.repeat(70_000) });
    expect([slots.length, parts.length, new Set(parts)]).toEqual([500, 501, new Set([''])]);
  });
});

describe('text that is no directive', () => {
  it.each([
    '[sessions] and more', 'more [sessions]', '[sessions][sessions]', '\\[sessions]', '[Sessions]', '[session]',
    '[ sessions]', '[sessions:]', '[sessions: ]', '[sessions:filter=,limit=3]', '[sessions:filter=]', '[sessions:limit=]',
    '[sessions:filter=a,limit=0]', '[sessions:filter=a,limit=-1]', '[sessions:filter=a,limit=x]', '[sessions:filter=a,limit=3.5]',
    '[sessions:filter=a,limit=]', '[sessions:limit=3,filter=a]', '[sessions:limit=0]', '[column:a]', '[/column]',
    `[sessions:${'a'.repeat(201)}]`, '[directory]', '[directory:]', '[directory:A]', '[directory:a--b]', '[directory:../a]',
    '[session:abc]', `[session:${session}0]`, '[plan-progress:a]', '[plan_progress]', '[chip]', '[chip:]', '[chip:,tone=accent]',
    '[chip:a,tone=pink]', '[chip:a,tone=]', '[chip:a]b]', '[chip:[a]]', '[chip:a] [chip:b]', '[callout]', '[callout:pink]', '[button:a]',
    '[button:a,url=http://a.example]', '[button:a,url=javascript:alert(1)]', '[button:a,url=//a.example]', '[button:,url=https://a.example]',
    '[button:a,url=https://u:p@a.example/]', '[button:a,url=https://a.example/ b]', '[unknown]', '[unknown:a]', '[/sessions]', '[/cards:a]',
    '[to-string]', '[constructor:a]', '[cards:a]', `[chip:${'a'.repeat(4_000)}]`,
  ])('stays text: %j', (line) => expect(compile(line)).toBe(text(line.replace(/^\\/, '')))); // prettier-ignore

  it.each([
    ['in a fence', '```\n[sessions]\n```', '<pre tabindex="0"><code>[sessions]</code></pre>'],
    ['in indented code', '    [sessions]', '<pre tabindex="0"><code>[sessions]</code></pre>'],
    ['in code of a line', '`[sessions]`', '<p><code>[sessions]</code></p>'],
    ['an end in a fence', '[cards]\n```\n[/cards]\n```', '<p>[cards]</p><pre tabindex="0"><code>[/cards]</code></pre>'],
    ['a block without an end', '[cards]\na', '<p>[cards]</p><p>a</p>'],
    ['an end without a beginning', 'a\n[/cards]', '<p>a</p><p>[/cards]</p>'],
    ['an end of another kind', '[cards]\n[/columns]', '<p>[cards]</p><p>[/columns]</p>'],
    ['a second end', '[cards]\n[/cards]\n[/cards]', '<div class="cards"></div><p>[/cards]</p>'],
    ['a block that ends in another', '[cards]\n[columns]\n[/cards]\n[/columns]', '<div class="cards"><p>[columns]</p></div><p>[/columns]</p>'],
    ['a block that ends outside of its item', '- a\n  [cards]\n- b\n\n[/cards]', '<ul><li>a<p>[cards]</p></li><li>b</li></ul><p>[/cards]</p>'],
    ['after the mark of an item', '- [sessions]\n1. [sessions]\n-\t[sessions]', '<ul><li>[sessions]</li></ul><ol><li>[sessions]</li></ol><ul><li>[sessions]</li></ul>'],
    ['after the mark of a quote', '> [sessions]\n> a\n> [sessions]', '<blockquote><p>[sessions]a[sessions]</p></blockquote>'],
    ['a separator outside of columns', '[column]\na\n[callout:accent]\n[column]\n[/callout]', '<p>[column]</p><p>a</p><div class="callout accent"><p>[column]</p></div>'],
    ['a separator in a block of the columns', '[columns]\n[cards]\n[column]\n[/cards]\n- a\n  [column]\n[/columns]', '<div class="columns"><div class="cards"><p>[column]</p></div><ul><li>a<p>[column]</p></li></ul></div>'],
  ])('stays text: %s', (_what, markdown, expected) => expect(compile(markdown)).toBe(expected)); // prettier-ignore
});

describe('nested blocks', () => {
  const nested = (depth: number) => '[columns]\n'.repeat(depth) + 'a\n' + '[/columns]\n'.repeat(depth);

  it('keep their pairs, also those of one kind', () => {
    expect(compile('[columns]\n[callout:accent]\n[columns]\na\n[/columns]\n[/callout]\nb\n[/columns]')).toBe(
      '<div class="columns"><div class="callout accent"><div class="columns"><p>a</p></div></div><p>b</p></div>',
    );
  });

  it('nest ten deep at most, and treat deeper blocks as text at both ends', () => {
    expect(compile(nested(10))).toBe(`${'<div class="columns">'.repeat(10)}<p>a</p>${'</div>'.repeat(10)}`);
    expect(compile(nested(12))).toBe(
      `${'<div class="columns">'.repeat(10)}<p>[columns]</p><p>[columns]</p><p>a</p><p>[/columns]</p><p>[/columns]</p>${'</div>'.repeat(10)}`,
    );
  });

  it('use a grid for cards, except inside of cards and columns', () => {
    const cards = '[directory:a]\n[directory:b]\n';
    expect(compile(`[columns]\n${cards}[callout:accent]\n${cards}[/callout]\n[/columns]`)).toBe(
      '<div class="columns">{cell directory a}{cell directory b}<div class="callout accent">{grid directory a, directory b}</div></div>',
    );
  });
});

describe('columns with a separator', () => {
  it.each([
    ['paragraphs between separators', '[columns]\na\n\nb\n[column]\nc\n[/columns]', '<div class="columns"><div class="column"><p>a</p><p>b</p></div><div class="column"><p>c</p></div></div>'],
    ['a separator before the first column', '[columns]\n[column]\na\n[column]\nb\n[/columns]', '<div class="columns"><div class="column"><p>a</p></div><div class="column"><p>b</p></div></div>'],
    ['cards as a grid', '[columns]\n[directory:a]\n[directory:b]\n[column]\na\n[/columns]', '<div class="columns"><div class="column">{grid directory a, directory b}</div><div class="column"><p>a</p></div></div>'],
    ['separated columns in columns', '[columns]\n[columns]\na\n[column]\nb\n[/columns]\n[column]\nc\n[/columns]', '<div class="columns"><div class="column"><div class="columns"><div class="column"><p>a</p></div><div class="column"><p>b</p></div></div></div><div class="column"><p>c</p></div></div>'],
  ])('render %s', (_what, markdown, expected) => expect(compile(markdown)).toBe(expected)); // prettier-ignore
});

describe('Markdown', () => {
  it.each([
    ['# A\n###### B', '<h2>A</h2><h6>B</h6>'],
    ['[a](https://b.example)', '<p><a href="https://b.example" rel="noopener nofollow">a</a></p>'],
    ['[a](mailto:b@c.example)', '<p><a href="mailto:b@c.example" rel="noopener nofollow">a</a></p>'],
    ['<https://b.example>', '<p><a href="https://b.example" rel="noopener nofollow">https://b.example</a></p>'],
    ['https://b.example', '<p>https://b.example</p>'],
    ['[a](/b)', '<p>[a](/b)</p>'],
    ['[a](/catalogue/b)', '<p><a href="/catalogue/b" rel="noopener nofollow">a</a></p>'],
    ['[a](/session/b#c)', '<p><a href="/session/b#c" rel="noopener nofollow">a</a></p>'],
    ['[a](#b)', '<p><a href="#b" rel="noopener nofollow">a</a></p>'],
    ['[a](//catalogue/b)', '<p>[a](//catalogue/b)</p>'],
    ['[a](/catalogues/b)', '<p>[a](/catalogues/b)</p>'],
    ['![a](/catalogue/b)', '<p>a</p>'],
    ['\uFEFF# A', '<h2>A</h2>'],
    ['[a](javascript:b)', '<p>[a](javascript:b)</p>'],
    ['![a](https://b.example/c.png)', '<p><img src="https://b.example/c.png" alt="a" loading="lazy"></p>'],
    ['![a & *b*](http://b.example/c.png)', '<p>a &#38; b</p>'],
    ['![a](data:image/png;base64,AAAA)', '<p>![a](data:image/png;base64,AAAA)</p>'],
    ['<b>a</b>', '<p>&lt;b&gt;a&lt;/b&gt;</p>'],
    ['|a|b|\n|:-|-:|\n|c|d|', '<div class="wide" tabindex="0"><table><thead><tr><th class="align-left">a</th><th class="align-right">b</th></tr></thead><tbody><tr><td class="align-left">c</td><td class="align-right">d</td></tr></tbody></table></div>'],
    ['a\0b', '<p>a\uFFFDb</p>'],
    ['&#0;', '<p>\uFFFD</p>'],
    ['', ''],
  ])('renders %j', (markdown, expected) => expect(compile(markdown)).toBe(expected)); // prettier-ignore

  it('treats directives of a session as text', () => {
    expect(compileMarkdown({ kind: 'description', markdown: '[sessions]\n\n# A' }).parts).toEqual([
      '<p>[sessions]</p>\n<h2>A</h2>\n',
    ]);
  });

  it('accepts addresses and titles of at most 2,048 characters in links and images', () => {
    const url = (length: number) => 'https://b.example/'.padEnd(length, 'c');
    const longest = url(2_048);
    expect(compile(`[a](${longest})`)).toBe(`<p><a href="${longest}" rel="noopener nofollow">a</a></p>`);
    for (const markdown of [`[a](${longest}c)`, `![a](${longest}c)`, `[a]\n\n[a]: ${longest}c`])
      expect(compile(markdown)).not.toMatch(/<a|<img/);
    const title = 't'.repeat(2_048);
    for (const markdown of [`[a](/session/b "${title}")`, `[a]\n\n[a]: /session/b "${title}"`])
      expect(compile(markdown)).toBe(
        `<p><a href="/session/b" title="${title}" rel="noopener nofollow">a</a></p>`,
      );
    for (const markdown of [`[a](/session/b "${title}t")`, `[a]\n\n[a]: /session/b "${title}t"`])
      expect(compile(markdown)).toBe('<p><a href="/session/b" rel="noopener nofollow">a</a></p>');
  });
});
