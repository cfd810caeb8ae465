import { palette } from '../site/html-page';

/** The links between the guide and the references at the top of their pages. Scalar reads their height. */
export const headerStyle = `${palette}
:root { --header-height: 3rem; --scalar-custom-header-height: var(--header-height); }
html { scroll-padding-top: calc(var(--header-height) + 1rem); }
body { margin: 0; background: var(--paper); }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: .5rem; top: .5rem; z-index: 30; padding: .5rem; background: var(--paper); }
.areas { position: sticky; top: 0; z-index: 20; height: var(--header-height); background: var(--paper); border-bottom: 1px solid var(--line); }
.areas nav { display: flex; gap: 1.25rem; height: 100%; padding: 0 1.25rem; overflow-x: auto; font: .9375rem/1 system-ui, sans-serif; white-space: nowrap; }
.areas a { display: flex; align-items: center; color: var(--soft); text-decoration: none; border: solid transparent; border-width: 3px 0; }
.areas a:hover { color: var(--ink); }
.areas a:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
.areas a[aria-current] { color: var(--ink); font-weight: 600; border-bottom-color: var(--accent); }
.areas .aside { margin-left: auto; }
@media print { .areas { display: none; } }
`;

/** The style of the guide's pages. */
export const guideStyle = `
body { color: var(--ink); font: 1rem/1.65 system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.guide { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 78rem; margin: 0 auto; padding: 0 1.25rem 4rem; }
.to-pages { display: inline-block; margin-top: 1rem; }
.pages { padding: 1rem 0; }
.pages ul { margin: .35rem 0; padding: 0; list-style: none; }
.pages ul ul { margin: .15rem 0 .5rem; padding-left: .9rem; border-left: 2px solid var(--line); font-size: .9375rem; }
.pages a { display: block; padding: .2rem 0; color: var(--soft); text-decoration: none; }
.pages a:hover { color: var(--ink); text-decoration: underline; }
.pages a[aria-current] { color: var(--ink); font-weight: 600; }
.guide main { min-width: 0; max-width: 48rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 1.5rem 0 1rem; font-size: 2rem; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.4rem; }
h3 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
li { margin: .25rem 0; }
code { padding: .1em .3em; background: var(--ground); border-radius: .25rem; font: .9em/1.5 ui-monospace, monospace; overflow-wrap: break-word; }
pre { margin: 1rem 0; padding: .9rem 1rem; overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; }
pre code { padding: 0; background: none; font-size: .875rem; overflow-wrap: normal; }
.wide { margin: 1rem 0; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: .45rem .9rem .45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
td:first-child code { overflow-wrap: normal; }
blockquote { margin: 1rem 0; padding: .1rem 1rem; background: var(--ground); border-left: 4px solid var(--accent); }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.turn a:only-child[rel=next] { margin-left: auto; }
@media (min-width: 60rem) {
  .guide { grid-template-columns: 15rem minmax(0, 1fr); gap: 3.5rem; }
  .pages { order: -1; position: sticky; top: 3rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; padding: 1.75rem 0; }
  .to-pages { display: none; }
}
@media print { .pages, .turn { display: none; } }
`;
