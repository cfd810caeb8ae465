import type { Response } from 'express';
import { html, htmlLanguage } from '../text/html';
import type { Html } from '../text/html';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { createPageSender, palette } from '../site/html-page';

/** Sends a page of the portal, without scripts, frames around it, or content from other hosts. */
export function sendPage(
  response: Response,
  status: number,
  { language, title, content }: { language: LanguageCode; title: string; content: Html },
): void {
  send(response, status, { ...htmlLanguage(language), title, body: html`<main>${content}</main>` });
}

const send = createPageSender(`${palette}
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; color: var(--ink); background: var(--ground); font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
  main { width: 100%; max-width: 34rem; padding: 2rem 1.75rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
  h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.3; }
  p { margin: .75rem 0 0; }
  .soft { color: var(--soft); }
  .state { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
  button, .button { display: inline-block; margin-top: 1.5rem; padding: .7rem 1.4rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
  :is(button, .button):focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`);
