import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Page } from 'puppeteer-core';
import { platformTemplateIds } from '../../../local/seed/templates';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import { peopleCalls } from '../../harness/people/people';
import { sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import { guideCode } from '../../harness/platform/guide-code';
import { infrastructure } from '../../harness/platform/infrastructure';
import type { Platform } from '../../harness/platform/platform';
import { takePort } from '../../harness/platform/ports';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { embedCalls } from '../../harness/taking/embed';
import type { EmbedKey } from '../../harness/taking/embed';
import { waitFor } from '../../harness/wait-for';

/*
 * The portal is at http://localhost. The pages that embed its interviews are at http://127.0.0.1, which a browser
 * treats as a different site. The page that the embed key allows comes from the example server in
 * docs/guide/embedding.md.
 */

let platform: Platform;
let browser: TestBrowser;
let embedded: EmbeddedSite;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
  embedded = await startSite();
});

type EmbeddedSite = { site: string; interviewId: string; key: EmbedKey };
const merchantServers: ChildProcess[] = [];

/** Makes an interview with an embed key, and starts the example server, whose page embeds this interview. */
async function startSite(
  definition: Record<string, unknown> = { interview_template_id: platformTemplateIds.offline_avatar_3 },
): Promise<EmbeddedSite> {
  const questions = [given('What did you build?'), given('What went wrong?')];
  const fields = { result_view: 'minimal', ...definition };
  const { id: interviewId } = await definitionCalls(platform).build(questions, fields);
  const port = await takePort();
  const site = `http://127.0.0.1:${port}`;
  const key = await embedCalls(platform).makeKey(interviewId, [site]);
  const file = path.join(infrastructure().folder, `embedding-${port}.mjs`);
  writeFileSync(file, guideCode('embedding', 'The server'));
  const env = {
    EMBED_ID: key.embed_id,
    EMBED_SIGNING_KEY: key.embed_signing_key,
    PORTAL: platform.stack.portal_url,
    PORT: String(port),
  };
  merchantServers.push(spawn(process.execPath, [file], { stdio: 'ignore', env }));
  await waitFor('the server of the guide', () =>
    fetch(site).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { site, interviewId, key };
}
afterAll(async () => {
  for (const server of merchantServers) if (server.kill()) await once(server, 'exit');
});

/** Servers of one page each, on other ports of 127.0.0.1. They are closed after each test. */
const servers: Server[] = [];
const servePage = async (html: string): Promise<string> => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html);
  });
  servers.push(server);
  const port = await takePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${port}`;
};
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Waits until the document in the page's frame has an element that matches `selector`, and returns the frame. */
const frameOf = (page: Page, selector = 'h1'): Promise<Frame> =>
  waitFor('the frame', async () => {
    const frame = page.frames()[1];
    const found = await frame?.$(selector).catch(() => null);
    return frame && found ? frame : false;
  });
const headingOf = (frame: Frame) => frame.$eval('h1', (heading) => heading.textContent);
/** Waits until the frame shows a document with this heading, and returns the frame. */
const shows = (page: Page, heading: string): Promise<Frame> =>
  waitFor(heading, async () => {
    const frame = await frameOf(page);
    return (await headingOf(frame).catch(() => '')) === heading ? frame : false;
  });
/** Returns the HTML of the page that embeds the interview. Another site could copy this HTML. */
const framePage = async () => (await fetch(embedded.site)).text();

describe('an interview inside a site', () => {
  it('is taken from the consent to the end', async () => {
    const { site, interviewId, key } = embedded;
    const page = await browser.open();
    await page.goto(site);
    const start = await frameOf(page, '[name=consent]');
    expect(start.url()).toBe(`${platform.stack.portal_url}/embed/${key.embed_id}/`);
    await start.locator('[name=consent]').click();
    await start.locator('form[action*=begin] button').click();
    const welcome = await frameOf(page, '[name=seen]');
    await welcome.locator('::-p-xpath(//button[normalize-space()="Type instead"])').click();
    await welcome.locator('form button').click();
    for (const [question, answer] of [
      ['What did you build?', 'A bridge.'],
      ['What went wrong?', 'Nothing.'],
    ] as const) {
      const frame = await shows(page, question);
      await frame.locator('textarea').fill(answer);
      await frame.locator('form button').click();
    }
    const review = await shows(page, 'Review your answers');
    await review.locator('form[action*=submit] button').click();
    await shows(page, 'Thank you');
    const rows = await platform.database.rows(
      `select r.status, e.email, e.external_id from interview_result r join enrolment e on e.id = r.enrolment_id
       where r.interview_id = $1`,
      [interviewId],
    );
    expect(rows).toEqual([{ status: 'active', email: 'ada@example.com', external_id: 'cand-1' }]);
  });

  it('uses the microphone if the frame allows it, and is typed otherwise', async () => {
    const { site } = await startSite({ interview_template_id: platformTemplateIds.interactive_voice });
    const page = await browser.open();
    const checkIn = () => {
      let label: string | undefined;
      return waitFor('the check', async () => {
        // The button does nothing before the script has started, so it is pressed until its label is gone. A click by
        // script, because a click at a position misses a button that moves while the page completes.
        const look = `(() => {
          const part = document.querySelector('.devices');
          const buttons = [...(part?.querySelectorAll('button') ?? [])];
          const label = ${JSON.stringify(label)} ?? buttons[0]?.textContent;
          const found = /The bar moves|does not allow access/.exec(part?.textContent ?? '')?.[0];
          if (!found) buttons.find(({ textContent }) => textContent === label)?.click();
          return { label, found };
        })()`;
        // A frame that is replaced meanwhile may never answer.
        const seen = await Promise.race([
          page.frames()[1]?.evaluate(look) as Promise<{ label?: string; found?: string } | undefined>,
          sleep(2_000, undefined),
        ]).catch(() => undefined);
        label = seen?.label ?? label;
        return seen?.found;
      });
    };
    await page.goto(site);
    const start = await frameOf(page, '[name=consent]');
    await start.locator('[name=consent]').click();
    await start.locator('form[action*=begin] button').click();
    expect(await checkIn()).toBe('The bar moves');
    await page.setRequestInterception(true);
    page.on('request', async (request) => {
      if (request.url() !== `${site}/`) return request.continue();
      const html = (await (await fetch(site)).text()).replace(/ allow="[^"]*"/, '');
      return request.respond({ contentType: 'text/html', body: html });
    });
    await page.reload();
    expect(await checkIn()).toBe('does not allow access');
  });

  it('is shown by no page of another site, and is the only page of the portal that can be framed', async () => {
    const page = await browser.open();
    await page.goto(await servePage(await framePage()));
    const frame = await waitFor('the blocked frame', async () => {
      const found = page.frames()[1];
      return found?.url().startsWith('chrome-error:') && found;
    });
    expect(await frame.$('[name=consent]')).toBeNull();
    const [row] = await peopleCalls(platform).register([{ email: 'bo@example.com' }], {
      interview_id: embedded.interviewId,
    });
    for (const address of [row?.interview_url ?? '', `${platform.stack.portal_url}/`]) {
      await page.goto(await servePage(`<iframe src="${address}"></iframe>`));
      await waitFor(`the blocked frame of ${address.slice(0, 60)}`, async () =>
        page.frames()[1]?.url().startsWith('chrome-error:'),
      );
    }
  });
});
