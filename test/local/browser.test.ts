import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchBrowser, startBrowser } from '../../local/browser';
import { unpackChromium } from '../../local/chromium';

let home: string;
beforeAll(() => {
  // The path of this folder must be escaped in the XML configuration of the fonts.
  home = path.join(mkdtempSync(path.join(tmpdir(), 'browser-')), 'a & <b>');
});
afterAll(() => rmSync(path.dirname(home), { recursive: true, force: true }));

describe('startBrowser', () => {
  it('draws Latin, Greek, Cyrillic, Hebrew and Arabic text with the fonts of npm packages alone', async () => {
    const browser = await startBrowser(home);
    try {
      const page = await browser.open();
      const texts = { latin: 'Text', greek: 'Κείμενο', cyrillic: 'Текст', hebrew: 'טקסט', arabic: 'نص' };
      await page.setContent(
        `<body style="font-family: system-ui, sans-serif">${Object.entries(texts)
          .map(([id, text]) => `<p><span id="${id}">${text}</span></p>`)
          .join('')}`,
      );
      const devtools = await page.createCDPSession();
      await devtools.send('DOM.enable');
      await devtools.send('CSS.enable');
      const { root } = await devtools.send('DOM.getDocument');
      const used: Record<string, string[]> = {};
      for (const id of Object.keys(texts)) {
        const { nodeId } = await devtools.send('DOM.querySelector', {
          nodeId: root.nodeId,
          selector: `#${id}`,
        });
        const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
        used[id] = fonts.map(({ familyName }) => familyName.replace(' (Fontations)', ''));
      }
      const [openSans, arabic] = [['Open Sans'], ['IBM Plex Sans Arabic']];
      expect(used).toEqual({
        latin: openSans,
        greek: openSans,
        cyrillic: openSans,
        hebrew: openSans,
        arabic,
      });
      // A font that has the letters draws joined letters with another width than single ones. Boxes for missing
      // letters always have the same width.
      const [joined, alone] = (await page.evaluate(`(() => {
        const context = document.createElement('canvas').getContext('2d');
        context.font = '20px system-ui';
        return ['ببب', 'ب'].map((text) => context.measureText(text).width);
      })()`)) as [number, number];
      expect(Math.round(joined)).not.toBe(Math.round(alone * 3));
    } finally {
      await browser.close();
    }
  });
});

describe('launchBrowser', () => {
  it('fails with one sentence if there is no font', async () => {
    mkdirSync(home, { recursive: true });
    const { executablePath, env } = unpackChromium(home);
    const none = path.join(home, 'none.conf');
    writeFileSync(
      none,
      '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig></fontconfig>',
    );
    await expect(
      launchBrowser(executablePath, { ...env, HOME: home, FONTCONFIG_FILE: none }),
    ).rejects.toThrow('finds no font: text has no width.');
  });
});
