import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { html, Html, htmlLanguage } from '../contracts/html';
import type { LanguageCode } from '../contracts/vocabulary';

/** Sends a page of the portal: no script, no frame around it, nothing from elsewhere. */
export function sendPage(
  response: Response,
  status: number,
  { language, title, content }: { language: LanguageCode; title: string; content: Html },
): void {
  const { lang, dir } = htmlLanguage(language);
  const page = html`<!doctype html>
    <html lang="${lang}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`;
  response
    .status(status)
    .set({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    .type('html')
    .send(page.text);
}

const style = `
  :root { color-scheme: light dark; --ink: #1d2430; --soft: #566072; --line: #d8dde6; --paper: #fff; --ground: #f3f5f8; --accent: #1a56c4; --on-accent: #fff; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6eaf0; --soft: #a3adbc; --line: #333c49; --paper: #1a2028; --ground: #11151a; --accent: #86b1ff; --on-accent: #10151c; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; color: var(--ink); background: var(--ground); font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
  main { width: 100%; max-width: 34rem; padding: 2rem 1.75rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
  h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.3; }
  p { margin: .75rem 0 0; }
  .soft { color: var(--soft); }
  .state { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
  button { margin-top: 1.5rem; padding: .7rem 1.4rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
  button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;
/** Its hash is of every character in it: no template may lay it out anew. */
const styleElement = new Html(`<style>${style}</style>`);
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
