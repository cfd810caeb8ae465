import { Html, html } from '../../api/platform/text/html';

/** Renders a whole page. No script runs on it or in mails; it loads only styles and the images of mails. */
export function renderPage(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Fakes</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <nav><a href="/">Fakes</a></nav>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`.text;
}

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; frame-src 'self'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
};

/** Lists return a page only to clients that ask for HTML: browsers, not curl or fetch. */
export function wantsPage(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('text/html');
}

const style = new Html(`
  :root { color-scheme: light dark; --ink: #1d2430; --soft: #5b6575; --line: #d8dde6; --paper: #fff; --tint: #f4f6f9; --link: #1a56c4; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e4e8ee; --soft: #9aa5b5; --line: #333c49; --paper: #14181e; --tint: #1c222b; --link: #86b1ff; }
  }
  body { margin: 0 auto; max-width: 60rem; padding: 1rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  a { color: var(--link); }
  h1 { font-size: 1.5rem; margin: .5rem 0 1rem; }
  details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .5rem .75rem; }
  summary { cursor: pointer; }
  .soft { color: var(--soft); font-size: .875rem; }
  pre { background: var(--tint); border-radius: .375rem; padding: .75rem; white-space: pre-wrap; font-size: .875rem; }
  iframe { width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: .375rem; background: #fff; color-scheme: light; resize: vertical; }
`);
