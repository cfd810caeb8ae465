import type { Page } from 'puppeteer-core';
import { consoleLink } from '../../harness/identity/console';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
});

/** Opens a page of reports as an owner. */
async function openReports(path: string, options?: Parameters<TestBrowser['open']>[0]) {
  const page = await browser.open(options);
  const complaints = complaintsOf(page);
  await page.goto(await consoleLink(platform, 'merchant_owner'));
  await Promise.all([page.waitForNavigation(), page.click('main button')]);
  await page.goto(`${platform.stack.console_url}/reports/${path}`);
  return { page, complaints };
}

type Shown = { title: string; blocks: Record<string, unknown>[] };
const textIn = (page: Page) =>
  page.$eval('[name=definition]', (area) => (area as unknown as { value: string }).value);
/** Replaces the text of the definition without the mouse and the keyboard, because the mouse may be dragging a tile. */
const write = (page: Page, text: string) =>
  page.$eval(
    '[name=definition]',
    (area, value) => {
      (area as unknown as { value: string }).value = value;
      area.dispatchEvent(new Event('input', { bubbles: true }));
    },
    text,
  );
const definitionIn = async (page: Page) => JSON.parse(await textIn(page)) as Shown;
const idsIn = async (page: Page) => (await definitionIn(page)).blocks.map(({ id }) => id);
const press = (page: Page, label: string) => page.click(`::-p-xpath(//button[normalize-space()="${label}"])`);

describe('the builder of a report in a browser', () => {
  it('adds, moves, resizes and edits blocks, previews and repairs them, undoes, and publishes', async () => {
    const { page, complaints } = await openReports('new');
    await page.waitForSelector('#preview .block');
    expect(await idsIn(page)).toEqual(['numbers', 'weeks']);

    await press(page, 'Pie');
    await page.waitForSelector('#preview .block:nth-child(3)');
    // The preview scrolls to the added block, which is below its lower edge.
    expect(
      await page.evaluate(`(() => {
        const box = document.querySelector('.builder-preview');
        const added = box.querySelector('.block:nth-child(3)').getBoundingClientRect();
        return [box.scrollHeight > box.clientHeight, added.top < box.getBoundingClientRect().bottom - 48];
      })()`),
    ).toEqual([true, true]);
    const ids = await page.$$eval('#builder [id]', (controls) => controls.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)]);
    await page.focus('.tile:nth-child(3) .tile-name');
    await page.keyboard.down('Alt');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.up('Alt');
    await press(page, 'Narrower');
    expect((await definitionIn(page)).blocks[1]).toMatchObject({ id: 'pie', width: 5 });
    await press(page, 'Undo');
    await press(page, 'Undo');
    expect(await idsIn(page)).toEqual(['numbers', 'weeks', 'pie']);
    await press(page, 'Redo');
    expect(await idsIn(page)).toEqual(['numbers', 'pie', 'weeks']);

    // Each typed character changes the form and the JSON. The field must keep the focus, so that it gets the whole
    // word.
    await page.click('.tile:nth-child(2) .tile-name');
    const [title] = await page.$$('.builder-form .panel:nth-of-type(3) input:not([type=number])');
    await title?.type('Types');
    expect((await definitionIn(page)).blocks[1]).toMatchObject({ title: 'Types' });
    await page.waitForFunction(`document.querySelector('#preview').textContent.includes('Types')`);

    await write(page, (await textIn(page)).replace('"completed"', '"complet"'));
    await page.waitForSelector('button[name=repair]');
    expect(await page.$eval('.tile .badge', (badge) => badge.textContent)).toBe('1 problem');
    await page.click('button[name=repair]');
    await page.waitForFunction(`document.querySelector('#problems').textContent === ''`);
    expect(JSON.stringify(await definitionIn(page))).not.toContain('complet"');

    await Promise.all([page.waitForNavigation(), press(page, 'Create report')]);
    expect(await page.$$eval('.block h2', (titles) => titles.map((each) => each.textContent))).toContain(
      'Types',
    );
    // A definition with problems gets a 422, which the browser logs as an error.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('moves and resizes tiles with a mouse and a finger', async () => {
    const { page, complaints } = await openReports('new');
    await page.waitForSelector('.tile:nth-child(2)');
    await page.$eval('.tiles', (tiles) => tiles.scrollIntoView({ block: 'center' }));
    type Place = [number, number];
    const tile = async (at: number): Promise<{ middle: Place; edge: Place; width: number }> => {
      const box = await (await page.$(`.tile:nth-child(${at})`))?.boundingBox();
      if (!box) throw new Error('the tile is not shown');
      const { x, y, width, height } = box;
      return { middle: [x + width / 2, y + height / 2], edge: [x + width - 3, y + height / 2], width };
    };
    const widthOf = async (at: number) => (await definitionIn(page)).blocks[at]?.['width'];

    // The first tile is 4 of the 12 columns wide, and the second tile is 8 columns wide.
    const [first, second] = [await tile(1), await tile(2)];
    const column = second.width / 8;
    await page.mouse.move(...first.edge);
    await page.mouse.down();
    for (const by of [1, 2]) await page.mouse.move(first.edge[0] + by * column, first.edge[1]);
    await page.mouse.up();
    expect(await widthOf(0)).toBe(6);
    await press(page, 'Undo');
    expect(await widthOf(0)).toBe(4);

    // Escape restores the width. If something else changes the definition during a drag, the drag has no effect.
    await page.mouse.move(...first.edge);
    await page.mouse.down();
    await page.mouse.move(first.edge[0] + column, first.edge[1]);
    expect(await widthOf(0)).toBe(5);
    await page.keyboard.press('Escape');
    expect(await widthOf(0)).toBe(4);
    await page.mouse.up();
    const before = await textIn(page);
    await page.mouse.move(...first.edge);
    await page.mouse.down();
    await write(page, '{}');
    for (const by of [1, 2]) await page.mouse.move(first.edge[0] + by * column, first.edge[1]);
    await page.mouse.up();
    expect(await textIn(page)).toBe('{}');
    // The tiles are still drawn if a title is not a string.
    const odd = before.replace('"id": "numbers",', '"id": "numbers", "title": {},');
    expect(odd).not.toBe(before);
    await write(page, odd);
    await page.waitForSelector('.tile:nth-child(2)');
    await write(page, before);

    await page.mouse.move(...first.middle);
    await page.mouse.down();
    await page.mouse.move(...second.middle, { steps: 3 });
    expect(await page.$$('.tile.drop-here')).toHaveLength(1);
    await page.mouse.up();
    expect(await idsIn(page)).toEqual(['weeks', 'numbers']);

    // The events of a finger are made in the page, because a browser that waits long for the page takes a touch for a
    // scroll. The preview of the last change moves the tiles when it arrives, so each is looked for when it is touched.
    const finger = (...steps: [string, Place][]) =>
      page.evaluate(`for (const [type, [x, y]] of ${JSON.stringify(steps)})
        document.elementFromPoint(x, y).dispatchEvent(new PointerEvent('pointer' + type, {
          bubbles: true, pointerType: 'touch', pointerId: 7, isPrimary: true, button: 0, clientX: x, clientY: y,
        }))`);
    await finger(['down', (await tile(1)).middle]);
    await page.waitForSelector('.tile.dragged');
    const target = await tile(2);
    await finger(['move', target.middle], ['up', target.middle]);
    expect(await idsIn(page)).toEqual(['numbers', 'weeks']);
    const { edge } = await tile(2);
    const narrower: Place = [edge[0] - 2 * column, edge[1]];
    await finger(['down', edge], ['move', narrower], ['up', narrower]);
    expect(await widthOf(1)).toBe(6);
    // If a finger moves before it has rested on a tile, it scrolls the page and does not move the tile.
    const [left, right] = [await tile(1), await tile(2)];
    await finger(['down', left.middle], ['move', right.middle], ['up', right.middle]);
    expect(await idsIn(page)).toEqual(['numbers', 'weeks']);
    expect([await page.$$('.tile.dragged, .tile.drop-here'), complaints]).toEqual([[], []]);
  });
});

describe('a report in a browser', () => {
  it('shows the values of a chart to a mouse, a finger and the keyboard, and fits a narrow window', async () => {
    const { page, complaints } = await openReports(
      '0198a000-0000-7000-8000-00000000c001?period=last_365_days',
      { scheme: 'dark' },
    );
    const titles = await page.$$eval('.chart:has(.readings) .readings title', (all) =>
      all.map(({ textContent }) => textContent),
    );
    const shown = () => page.$eval('.chart-values', (box) => box.textContent);
    const [first, second] = await page.$$('.readings rect');
    await first?.hover();
    expect(await shown()).toBe(titles[0]);
    await second?.tap();
    expect(await shown()).toBe(titles[1]);
    await page.focus('.chart:has(.readings)');
    await page.keyboard.press('Escape');
    expect(await shown()).toBe('');
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
    expect(await shown()).toBe(titles[2]);
    // The values stay when the page moves, and a frame later its listeners have run.
    await page.evaluate(
      'new Promise((done) => { scrollBy(0, 1); requestAnimationFrame(() => setTimeout(done)); })',
    );
    expect(await shown()).toBe(titles[2]);

    await page.setViewport({ width: 390, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    const widths = await page.$$eval('.chart .plot', (charts) =>
      charts.map((chart) => chart.getBoundingClientRect().width),
    );
    expect(Math.min(...widths)).toBeGreaterThan(200);
    const displayOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).display`);
    expect(await displayOf('.dates-of')).toBe('none');
    await page.select('[name=period]', 'custom');
    expect(await displayOf('.dates-of')).toBe('contents');
    await page.click('.block-data summary');
    expect(
      await page.$eval('.block-data table', (table) => table.getBoundingClientRect().height),
    ).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });
});
