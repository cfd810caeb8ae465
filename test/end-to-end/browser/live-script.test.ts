import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { h } from 'preact';
import type { Page } from 'puppeteer-core';
import { ConfirmButton } from '../../../api/platform/site/buttons';
import { render } from '../../harness/identity/visitor';
import { sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import { waitFor } from '../../harness/wait-for';

// The build bundles the script of api/platform/site/browser.
const liveScript = readFileSync('dist/api/scripts/live.js');
let browser: TestBrowser;
let server: Server;
let shown = '';
/** The URLs that the live script requested, in the order of the requests. */
let asked: (string | undefined)[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.headers['x-console-live'] !== undefined) asked.push(request.url);
    const isScript = request.url === '/live.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? liveScript : shown);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  browser = await sharedBrowser();
});
afterAll(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const body = (lines: string) => `<pre id="body" style="height: 4em; overflow: auto">${lines}</pre>`;
const attempt = (number: number, more = '') =>
  `<li><details id="attempt-${number}" open><summary>Attempt ${number}</summary>${more}</details></li>`;
const write = (content: string, source = '') =>
  void (shown = `<!doctype html><script src="/live.js" defer></script><main ${source}><div id="part" data-live>${content}</div></main>`);
const open = async (path = '/'): Promise<Page> => {
  asked = [];
  const page = await browser.open();
  // The script waits two seconds between updates.
  await page.evaluateOnNewDocument(
    'const { setTimeout: wait } = window; window.setTimeout = (work, ms) => wait(work, ms / 10);',
  );
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  return page;
};
const shows = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector('#part').textContent.includes(${JSON.stringify(text)})`);
const selected = (page: Page) => page.evaluate('getSelection().toString()');

describe('live updates', () => {
  it('keep the scroll position, closed details and focus while other parts of the list change', async () => {
    const lines = 'line\n'.repeat(50);
    write(`<p>1 attempt</p><ol>${attempt(1, body(lines))}</ol>`);
    const page = await open();
    await page.$eval('#body', (pre) => (pre.scrollTop = 200));
    await page.click('#attempt-1 summary');
    await page.focus('#attempt-1 summary');
    await page.evaluate(`document.querySelector('#attempt-1').isTheSame = true`);

    write(`<p>2 attempts</p><ol>${attempt(2)}${attempt(1, `<p>answered</p>${body(lines)}`)}</ol>`);
    await shows(page, '2 attempts');
    expect(
      await page.evaluate(`({
        order: [...document.querySelectorAll('details')].map(({ id, open }) => id + (open ? ' open' : '')),
        isTheSame: document.querySelector('#attempt-1').isTheSame,
        isFocused: document.activeElement === document.querySelector('#attempt-1 summary'),
      })`),
    ).toEqual({ order: ['attempt-2 open', 'attempt-1'], isTheSame: true, isFocused: true });
    await page.click('#attempt-1 summary');
    expect(await page.$eval('#body', (pre) => pre.scrollTop)).toBe(200);
  });

  it('wait while text of the changed part is selected', async () => {
    write('<p id="first">Select me</p>');
    const page = await open();
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('#first'))`);
    write('<p id="first">Changed</p>');
    const before = asked.length;
    await waitFor('two more updates', () => Promise.resolve(asked.length >= before + 2));
    expect(await selected(page)).toBe('Select me');
    await page.evaluate('getSelection().removeAllRanges()');
    await shows(page, 'Changed');
  });

  it('keep relative times up to date without replacing their elements', async () => {
    const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000 - 1_000).toISOString();
    const at = minutesAgo(5);
    write(`<p id="row">Started (<span data-distance="${at}">1 min ago</span>)</p>`);
    const page = await open();
    await page.evaluate(`getSelection().setBaseAndExtent(
      document.querySelector('#row').firstChild, 0, document.querySelector('#row').firstChild, 7)`);
    await shows(page, '(5 min ago)');
    expect(await selected(page)).toBe('Started');
  });
});

describe('a confirmation', () => {
  const question = render(h(ConfirmButton, { path: '/x', id: 'ask', label: 'Pause' }, 'Sure?'));
  const focus = (page: Page) =>
    page.evaluate(
      `document.activeElement.textContent.trim() + ' ' + document.querySelector('#ask').matches(':modal')`,
    );

  it('opens as a modal dialog that keeps the focus, stays open while the page changes and returns the focus', async () => {
    const content = (text: string) =>
      `<p>${text}</p><a href="#behind">behind</a>${question}<a href="#b">after</a>`;
    write(content('before'));
    const page = await open();
    await page.focus('[popovertarget="ask"]');
    await page.keyboard.press('Enter');
    expect(await focus(page)).toBe('Cancel true');
    write(content('changed'));
    await shows(page, 'changed');
    for (const expected of ['Pause true', 'Cancel true', 'Pause true']) {
      await page.keyboard.press('Tab');
      // After the last element of a dialog, Tab moves the focus to the browser’s controls, and the next Tab to the
      // first element of the dialog.
      if (await page.evaluate('document.activeElement === document.body')) await page.keyboard.press('Tab');
      expect(await focus(page)).toBe(expected);
    }
    await page.keyboard.press('Escape');
    expect(await focus(page)).toBe('Pause false');
    await page.keyboard.press('Enter');
    await page.click('#ask [autofocus]');
    expect(await focus(page)).toBe('Pause false');
    expect(await page.evaluate(`document.activeElement.getAttribute('popovertarget')`)).toBe('ask');
  });
});
