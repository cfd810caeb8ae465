import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import express from 'express';
import { guidePages } from '../../../api/platform/openapi/guide';
import { guideNames, guidePlace, renderGuidePage } from '../../../api/platform/openapi/guide-page';

const publicOrigin = 'https://api.platform.test';
let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer(express().disable('etag').use(guidePages(publicOrigin))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const read = async (place: string) => {
  const response = await fetch(origin + place);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
/** The pages that were read before, because most pages link to the same ones. */
const pages = new Map<string, ReturnType<typeof read>>();
const readOnce = (place: string) => {
  const page = pages.get(place) ?? read(place);
  pages.set(place, page);
  return page;
};
const linksOf = (html: string): string[] =>
  [...html.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link);
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

/** Paths to which the guide links and which are not part of the guide. */
const elsewhere =
  /^\/(?:favicon\.svg|console|docs\/reference(?:\/webhooks|\/portal)?|v1\/openapi(?:-webhooks)?|postman\.json|llms\.txt)$/;

describe('the guide', () => {
  it('has every page of docs/guide, in the order of its navigation', async () => {
    const files = readdirSync(path.resolve(__dirname, '../../../docs/guide'));
    expect(files.sort()).toEqual(guideNames.map((name) => `${name}.md`).sort());
    const { text } = await read('/docs');
    const nav = text.slice(text.indexOf('class="pages"'));
    expect(linksOf(nav).filter((link) => link.startsWith('/docs'))).toEqual(guideNames.map(guidePlace));
  });

  it.each(guideNames)('links to pages, sections and files that exist: %s', async (name) => {
    const place = guidePlace(name);
    const { status, text } = await readOnce(place);
    expect(status).toBe(200);
    expect(text).toContain('<h1 id="');
    const broken: string[] = [];
    for (const link of linksOf(text)) {
      const [file = '', anchor] = link.split('#');
      if (link.startsWith('https:') || elsewhere.test(file)) continue;
      const target = await readOnce(file === '' ? place : file);
      if (target.status !== 200) broken.push(link);
      else if (anchor !== undefined && !target.text.includes(` id="${anchor}"`)) broken.push(link);
    }
    expect(broken).toEqual([]);
    expect(new Set(idsOf(text)).size).toBe(idsOf(text).length);
  });

  it('shows the addresses of its deployment in text and examples', () => {
    const { markup } = renderGuidePage('getting-started', publicOrigin);
    expect(markup).toContain(`BASE_URL=${publicOrigin}/v1`);
    expect(markup).toContain('href="/docs/reference"');
    for (const name of guideNames)
      expect(renderGuidePage(name, publicOrigin).markup).not.toContain('api.example.com');
  });

  it('allows no script, no style of another host and no frame', async () => {
    const { headers, text } = await read('/docs/errors');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/<script|<style| style=| on\w+=/);
  });

  it('is not sent again to a browser that has it', async () => {
    const { headers } = await read('/docs/webhooks');
    // `get` is used instead of `fetch`, because `fetch` adds `cache-control: no-cache` to a conditional request.
    const asked = get(`${origin}/docs/webhooks`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    const [again] = (await once(asked, 'response')) as [IncomingMessage];
    expect([again.statusCode, await text(again)]).toEqual([304, '']);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('has a style sheet that browsers cache forever', async () => {
    const { text } = await read('/docs');
    const style = linksOf(text).find((link) => link.endsWith('.css')) ?? '';
    const { headers } = await read(style);
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(headers.get('cache-control')).toContain('immutable');
  });
});
