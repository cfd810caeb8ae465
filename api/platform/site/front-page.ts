import { Router } from 'express';
import { html } from '../text/html';
import { createPageSender, palette } from './html-page';

const send = createPageSender(`${palette}
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; color: var(--ink); background: var(--ground); font: 1.0625rem/1.6 system-ui, sans-serif; }
  main { width: 100%; max-width: 34rem; padding: 2rem 1.75rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
  h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.3; }
  ul { margin: 0; padding-left: 1.2rem; }
  a { color: var(--accent); }
  a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`);

/** `GET /` in a browser: shows where the console and the documentation are. Programs get the API's 404. */
export function frontPage(): Router {
  const router = Router();
  router.get('/', (request, response, next) => {
    response.vary('accept');
    if (request.accepts(['json', 'html']) !== 'html') {
      next();
      return;
    }
    send(response, 200, {
      title: 'Interview platform',
      lang: 'en',
      dir: 'ltr',
      body: html`<main>
        <h1>Interview platform</h1>
        <ul>
          <li><a href="/console">Console</a></li>
          <li><a href="/docs">API documentation</a></li>
        </ul>
      </main>`,
    });
  });
  return router;
}
