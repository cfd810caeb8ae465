import { palette } from './html-page';

/** The console's style sheet. In a narrow window, tables become lists of cards. */
export const consoleStyle = `${palette}
  body { margin: 0; color: var(--ink); background: var(--ground); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
  a { color: var(--accent); }
  a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, summary:focus-visible, main:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  .skip { position: absolute; left: -100vw; }
  .skip:focus { left: .5rem; top: .5rem; z-index: 1; padding: .5rem 1rem; background: var(--paper); }
  .top { background: var(--paper); border-bottom: 1px solid var(--line); }
  .top > div { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; max-width: 76rem; margin: 0 auto; padding: .6rem 1.25rem; }
  .brand { font-weight: 700; margin-right: auto; }
  .who { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; font-size: .9375rem; color: var(--soft); }
  .who form { margin: 0; }
  nav ul { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; list-style: none; }
  nav a { display: block; padding: .35rem .75rem; border-radius: .5rem; color: inherit; text-decoration: none; }
  nav a:hover { background: var(--ground); }
  nav a[aria-current] { background: var(--accent); color: var(--on-accent); font-weight: 600; }
  main { max-width: 76rem; margin: 0 auto; padding: 1.25rem; }
  main.narrow { max-width: 34rem; padding-top: 12vh; }
  h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.3; }
  h2 { margin: 0 0 .5rem; font-size: 1.125rem; }
  .panel { margin: 0 0 1.25rem; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
  .soft { color: var(--soft); }
  .small { font-size: .875rem; }
  .mono, code, pre { font: .875rem/1.5 ui-monospace, monospace; }
  .mono, code, pre, .long { overflow-wrap: anywhere; }
  .one-line { display: inline-block; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
  pre { margin: .5rem 0; padding: .75rem; max-height: 24rem; overflow: auto; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; }
  .flash, .fault { margin: 0 0 1.25rem; padding: .75rem 1rem; background: var(--paper); border: 1px solid var(--line); border-left: .35rem solid var(--good); border-radius: .5rem; }
  .fault { border-left-color: var(--bad); }
  .fault p { margin: 0; }
  .field-error { color: var(--bad); font-size: .9375rem; font-weight: 600; }
  [aria-invalid=true]:not(fieldset) { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
  fieldset[aria-invalid=true] { padding-left: .75rem; border-left: .25rem solid var(--bad); }
  .scroll { overflow-x: auto; }
  table { width: 100%; border-collapse: collapse; }
  td { overflow-wrap: anywhere; }
  td > span { display: block; min-width: 5.5rem; }
  td button { white-space: nowrap; }
  th { white-space: nowrap; }
  th, td { padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
  th { font-size: .875rem; font-weight: 600; color: var(--soft); }
  tbody tr:last-child td { border-bottom: 0; }
  td.acts, th.acts { text-align: right; padding-right: 0; }
  .badge { display: inline-block; padding: .05rem .55rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; color: var(--soft); }
  .badge.good { color: var(--good); }
  .badge.warn { color: var(--warn); }
  .badge.bad { color: var(--bad); }
  time, .word { white-space: nowrap; }
  dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0; }
  dl.facts dt { color: var(--soft); }
  dl.facts dd { margin: 0; min-width: 0; }
  .fields { display: grid; gap: 1rem; max-width: 34rem; }
  .inline { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem 1rem; }
  .field { display: grid; gap: .25rem; min-width: 0; }
  .field label, fieldset legend { font-weight: 600; font-size: .9375rem; }
  .check { display: flex; align-items: baseline; gap: .5rem; }
  fieldset { margin: 0; padding: 0; border: 0; }
  input:not([type=checkbox], [type=radio]), select, textarea { width: 100%; min-width: 0; padding: .5rem .65rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--paper); color: inherit; font: inherit; }
  input[readonly] { background: var(--ground); }
  .inline .field { flex: 0 1 16rem; }
  button, .button { padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; text-decoration: none; display: inline-block; }
  button.plain { background: none; border-color: var(--line); color: inherit; font-weight: 400; padding: .25rem .75rem; }
  button.danger { background: none; border-color: var(--bad); color: var(--bad); }
  .confirm { max-width: min(26rem, calc(100% - 2rem)); padding: 1.25rem; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; text-align: left; overflow-wrap: break-word; }
  .confirm:modal::backdrop { background: rgb(0 0 0 / .4); }
  .confirm p { margin: 0 0 1rem; }
  .confirm .inline { justify-content: flex-end; }
  .confirm button { padding: .5rem 1rem; }
  details.disclosure > summary { display: inline-block; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer; list-style: none; }
  details.disclosure > summary::-webkit-details-marker { display: none; }
  details.disclosure > form { margin-top: .75rem; }
  .pages { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem; margin-top: .75rem; }
  @media (max-width: 76rem) {
    .cards time { white-space: normal; }
    .one-line { max-width: 14rem; }
  }
  @media (max-width: 62rem) {
    .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .cards, .cards tbody { display: block; }
    .cards tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 0 1.5rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
    .cards tr:last-child { border-bottom: 0; }
    .cards td { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .75rem; padding: .2rem 0; border: 0; text-align: left; justify-items: start; }
    .cards td::before { content: attr(data-label); color: var(--soft); font-size: .875rem; line-height: 1.5rem; }
    .cards td > span { min-width: 0; max-width: 100%; }
    .one-line { max-width: 100%; }
  }
  @media (max-width: 44rem) {
    dl.facts { grid-template-columns: 1fr; gap: 0; }
    dl.facts dd { margin-bottom: .6rem; }
    .inline .field { flex-basis: 100%; }
  }
`;
