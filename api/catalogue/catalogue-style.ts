/** The style of catalogue pages: wide, for both writing directions, light and dark. */
export const catalogueStyle = `
  body { margin: 0; color: var(--ink); background: var(--ground); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
  a { color: inherit; text-underline-offset: .15em; }
  a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
  .top { padding: 1rem max(1rem, calc((100% - 68rem) / 2)); background: var(--paper); border-block-end: 1px solid var(--line); font-weight: 600; }
  .top a { text-decoration: none; }
  .top a:hover { text-decoration: underline; }
  main { max-width: 70rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
  .head { display: grid; gap: 1rem 2rem; align-items: center; margin-block-end: 2rem; }
  .head .cover { border-radius: .75rem; }
  h1 { margin: 0; font-size: clamp(1.6rem, 1.2rem + 2vw, 2.25rem); line-height: 1.2; }
  .lead { margin: .75rem 0 0; max-width: 45rem; font-size: 1.125rem; color: var(--soft); }
  .soft { color: var(--soft); }
  .cover { display: block; width: 100%; aspect-ratio: 16 / 9; object-fit: cover; background: var(--line); }
  .grid, .cards { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); margin: 1.5rem 0; padding: 0; list-style: none; }
  .grid > li { display: grid; }
  .cards > .grid, .cards > section, .cards > .cards, .cards > .columns { grid-column: 1 / -1; margin: 0; }
  .columns { display: grid; gap: 1.25rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); margin: 1.5rem 0; align-items: start; }
  .columns > *, .columns > .callout { margin-block: 0; min-width: 0; }
  .column > :first-child { margin-block-start: 0; } .column > :last-child { margin-block-end: 0; }
  .card, .cards > :is(p, ul, ol, blockquote, pre, .callout) { position: relative; display: flex; flex-direction: column; margin: 0; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; overflow: hidden; min-width: 0; }
  .cards > :is(p, ul, ol, blockquote, pre) { display: block; padding: 1rem 1.25rem; }
  .cards > :is(ul, ol) { padding-inline-start: 2.25rem; }
  @media (min-width: 30rem) { .grid:has(img.cover) .card:not(:has(> img.cover))::before { content: ''; aspect-ratio: 16 / 9; background: linear-gradient(135deg, var(--ground), var(--line)); } }
  .card.directory { border-block-start: 4px solid var(--accent); }
  .card:hover { border-color: var(--accent); }
  .card:focus-within { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); }
  .words { display: flex; flex-direction: column; gap: .5rem; flex: 1; padding: 1rem 1.25rem 1.25rem; }
  .card h2 { margin: 0; font-size: 1.0625rem; line-height: 1.35; }
  .card h2 a { display: block; text-decoration: none; }
  .card h2 a::after { content: ''; position: absolute; inset: 0; }
  .card h2 a:focus-visible, [tabindex]:focus-visible { outline: none; }
  .card:hover h2 a { text-decoration: underline; }
  .description { margin: 0; color: var(--soft); font-size: .9375rem; line-height: 1.5; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; line-clamp: 3; overflow: hidden; }
  .facts { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .5rem; margin: auto 0 0; font-size: .875rem; }
  .head .facts { margin-block-start: .75rem; }
  .time { color: var(--soft); margin-inline-end: .25rem; }
  .done { color: var(--good); font-weight: 600; margin-inline-end: .25rem; }
  .done::before { content: ''; display: inline-block; width: .35em; height: .7em; margin-inline: .2em .5em; border: solid currentColor; border-width: 0 .15em .15em 0; transform: translateY(-.1em) rotate(45deg); }
  .chips { display: flex; flex-wrap: wrap; gap: .4rem .5rem; }
  .chip { max-width: 100%; padding: .05rem .6rem; border: 1px solid var(--tone, var(--line)); border-radius: 1rem; color: var(--tone, var(--soft)); font-size: .8125rem; }
  .neutral { --tone: initial; } .accent { --tone: var(--accent); } .success { --tone: var(--good); } .warning { --tone: var(--warn); } .danger { --tone: var(--bad); }
  .callout { margin: 1.5rem 0; padding: .75rem 1.25rem; background: var(--paper); border: 1px solid var(--line); border-inline-start: 5px solid var(--tone, var(--soft)); border-radius: .5rem; --tone: initial; }
  .callout.accent { --tone: var(--accent); } .callout.success { --tone: var(--good); } .callout.warning { --tone: var(--warn); } .callout.danger { --tone: var(--bad); }
  .cards > .callout { display: block; padding: 1rem 1.25rem; border-inline-start: 5px solid var(--tone, var(--soft)); }
  .callout > :first-child { margin-block-start: 0; } .callout > :last-child { margin-block-end: 0; }
  .button { display: inline-block; padding: .6rem 1.25rem; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; }
  .button:hover { text-decoration: underline; }
  .button:focus-visible { outline-color: var(--ink); }
  .prose > :is(p, ul:not(.grid), ol, blockquote, pre, h2, h3, h4, h5, h6, .callout) { max-width: 48rem; }
  .prose :is(h2, h3, h4, h5, h6) { line-height: 1.3; }
  .prose > :is(h2, h3, h4) { margin: 2rem 0 .75rem; }
  .prose img:not(.cover) { max-width: 100%; height: auto; border-radius: .5rem; }
  .prose a:not(.button, .stage, h2 a) { color: var(--accent); }
  .wide { max-width: 100%; margin: 1rem 0; overflow-x: auto; }
  .prose table { border-collapse: collapse; }
  .prose :is(th, td) { padding: .4rem .75rem; border: 1px solid var(--line); text-align: start; overflow-wrap: break-word; }
  .prose .align-right { text-align: right; } .prose .align-center { text-align: center; } .prose .align-left { text-align: left; }
  pre { padding: 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; direction: ltr; text-align: left; }
  code { font: .875em/1.5 ui-monospace, monospace; }
  blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 4px solid var(--line); color: var(--soft); }
  hr { border: 0; border-block-start: 1px solid var(--line); margin: 2rem 0; }
  .plan { margin: 1.5rem 0; padding: 1rem 1.25rem 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
  .plan h2 { margin: 0 0 .5rem; font-size: 1.125rem; }
  .plan ol { margin: 0; padding: 0; list-style: none; display: grid; }
  .plan li { display: grid; grid-template-columns: minmax(8rem, 1fr) minmax(5rem, 1fr) auto; gap: .25rem 1rem; align-items: center; padding: .5rem 0; border-block-start: 1px solid var(--line); }
  .plan li:first-child { border: 0; }
  .plan progress { width: 100%; accent-color: var(--accent); }
  .plan .count { grid-column: 3; min-width: 3.5rem; text-align: end; font-variant-numeric: tabular-nums; }
  .plan .soft { margin: .75rem 0 0; }
  @media (min-width: 48rem) { .head:has(> .cover) { grid-template-columns: 3fr 2fr; } }
  @media (max-width: 30rem) { .plan li { grid-template-columns: 1fr auto; } .plan .stage { grid-column: 1 / -1; } .plan .count { grid-column: 2; } }
`;
