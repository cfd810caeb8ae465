import { Router } from 'express';
import { sendDocument } from './document';
import { portalStyle } from './site-assets';

/** `GET /`: shows browsers where the console and the documentation are. Other clients get the API's 404. */
export function frontPage(): Router {
  const router = Router();
  router.get('/', (request, response, next) => {
    response.vary('accept');
    if (request.accepts(['json', 'html']) !== 'html') {
      next();
      return;
    }
    sendDocument(response, {
      title: 'Interview platform',
      lang: 'en',
      styles: [portalStyle],
      body: (
        <main>
          <h1>Interview platform</h1>
          <ul>
            <li>
              <a href="/console">Console</a>
            </li>
            <li>
              <a href="/docs">API documentation</a>
            </li>
          </ul>
        </main>
      ),
    });
  });
  return router;
}
