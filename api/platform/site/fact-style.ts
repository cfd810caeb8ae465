/** The style of reference content: tabs above lists, a delivery's timeline, a transcript. */
export const factStyle = `
  .tabs { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0 0 1rem; padding: 0; list-style: none; }
  .tabs a { display: block; padding: .3rem .75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--paper); color: inherit; text-decoration: none; }
  .tabs a[aria-current] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
  .filters > summary { cursor: pointer; font-weight: 600; }
  .filters[open] > summary { margin-bottom: .75rem; }
  .inline .field.short { flex-basis: 8rem; }
  .lead { margin: 0 0 1rem; font-size: 1.0625rem; }
  .lead.bad { border-left: .35rem solid var(--bad); padding-left: .75rem; }
  .lead.warn { border-left: .35rem solid var(--warn); padding-left: .75rem; }
  .lead.good { border-left: .35rem solid var(--good); padding-left: .75rem; }
  .acts-row { display: flex; flex-wrap: wrap; align-items: start; gap: .5rem .75rem; margin: 1rem 0 0; }
  .acts-row + details, .acts-row + dl { margin-top: 1rem; }
  .acts-row form, .acts-row details { margin: 0; }
  .trouble { margin: 0; padding: 0; list-style: none; }
  .trouble li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .trouble li:last-child { border-bottom: 0; padding-bottom: 0; }
  h1, .facts dd { overflow-wrap: anywhere; }
  .distance, .attempt summary time { white-space: nowrap; }
  .timeline { margin: 0; padding: 0; list-style: none; }
  .attempt { border-left: .25rem solid var(--line); padding: .35rem 0 .35rem .85rem; margin: 0 0 .75rem; }
  .attempt.good { border-color: var(--good); }
  .attempt.warn { border-color: var(--warn); }
  .attempt.bad { border-color: var(--bad); }
  .attempt summary { cursor: pointer; }
  .attempt details > :not(summary) { margin-top: .6rem; }
  .attempt h3, .spoken h3 { margin: .9rem 0 .25rem; font-size: .9375rem; }
  .phases { display: block; width: 100%; max-width: 34rem; height: .85rem; border-radius: .25rem; background: var(--ground); }
  .legend { display: flex; flex-wrap: wrap; gap: .15rem 1rem; margin: .35rem 0 0; padding: 0; list-style: none; font-size: .875rem; }
  .legend svg { width: .75rem; height: .75rem; }
  .dns { fill: #7a6ff0; } .connect { fill: #2f8fd0; } .tls { fill: #1f9d8a; } .first-byte { fill: #d08a1c; } .rest { fill: #8a94a3; }
  .spoken { margin: 0 0 1rem; padding: 0 0 1rem; border-bottom: 1px solid var(--line); }
  .spoken:last-child { margin: 0; padding: 0; border-bottom: 0; }
  .spoken p { margin: .25rem 0; }
  .answer { margin: .35rem 0 .35rem; padding: 0 0 0 .85rem; border-left: .2rem solid var(--line); white-space: pre-wrap; }
  .said { white-space: pre-wrap; unicode-bidi: isolate; margin: 0 0 .75rem; }
  .report, .report > summary { unicode-bidi: isolate; }
  .report { display: block; max-width: 34rem; overflow-wrap: anywhere; }
  .report > summary { cursor: pointer; }
  .report > .said { margin: .5rem 0 0; padding-left: .85rem; border-left: .2rem solid var(--line); }
  .two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 1.5rem; }
  .two ul, .plain-list { margin: 0 0 .75rem; padding-left: 1.2rem; }
  audio, video { display: block; width: 100%; max-width: 34rem; margin: .5rem 0; }
  h3 { margin: .75rem 0 .25rem; font-size: 1rem; }
  progress { width: 100%; max-width: 16rem; accent-color: var(--accent); }
  @media (max-width: 44rem) { .inline .field.short { flex-basis: 100%; } }
`;
