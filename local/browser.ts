import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, launch } from 'puppeteer-core';
import type { Browser, Page } from 'puppeteer-core';
import { unpackChromium } from './chromium';
import { StartError } from './start-error';

export type HeadlessBrowser = {
  /** Opens a page with its own cookies. */
  open: (options?: OpenOptions) => Promise<Page>;
  close: () => Promise<void>;
  /** The address at which other processes reach the browser. */
  endpoint: string;
};
/**
 * The limit of every wait, so that a wait that hangs ends with an error. The limit is generous, because it does not
 * test speed.
 */
const patienceMs = 40_000;
type OpenOptions = { width?: number; height?: number; scheme?: 'light' | 'dark' };

/**
 * Starts a headless Chromium: the one that `CHROME_PATH` names, or the packaged one, which is unpacked into `home` with
 * its libraries and fonts. `close` ends it with all its pages. The microphone of its pages plays the WAV file
 * `microphone` again and again, or else beeps.
 */
export async function startBrowser(home: string, microphone?: string): Promise<HeadlessBrowser> {
  mkdirSync(home, { recursive: true });
  const named = process.env['CHROME_PATH'];
  const { executablePath, env } = named ? { executablePath: named, env: {} } : unpackChromium(home);
  const browser = await launchBrowser(
    executablePath,
    { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, ...env },
    microphone === undefined ? [] : [`--use-file-for-fake-audio-capture=${microphone}`],
  );
  return { open: openerOf(browser), close: () => browser.close(), endpoint: browser.wsEndpoint() };
}

/** Connects to the browser of another process. `close` closes the connection only. */
export async function connectBrowser(endpoint: string): Promise<HeadlessBrowser> {
  const browser = await connect({ browserWSEndpoint: endpoint, protocolTimeout: patienceMs });
  return { open: openerOf(browser), close: () => browser.disconnect(), endpoint };
}

const openerOf =
  (browser: Browser): HeadlessBrowser['open'] =>
  async ({ width = 1280, height = 900, scheme = 'light' } = {}) => {
    const page = await (await browser.createBrowserContext()).newPage();
    page.setDefaultTimeout(patienceMs);
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    return page;
  };

/** Launches Chromium and checks that it can draw text. Exported for its test. */
export async function launchBrowser(
  executablePath: string,
  env: Record<string, string>,
  switches: readonly string[] = [],
): Promise<Browser> {
  const browser = await launch({
    executablePath,
    headless: 'shell',
    env,
    // Pages get a fake microphone that beeps each second and a fake camera with a moving picture, without a
    // permission prompt. The sandbox does not start as root, and containers have little shared memory. The switches
    // that @sparticuz/chromium suggests are not used, because they turn off web security, which the tests check.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      ...switches,
    ],
    timeout: patienceMs,
    protocolTimeout: patienceMs,
  });
  if ((await textWidth(browser)) > 0) return browser;
  // A renderer without fonts does not react to a graceful close, so the browser is killed.
  browser.process()?.kill('SIGKILL');
  throw new StartError(
    `Chromium (${executablePath}) finds no font: text has no width. Install a font, or unset CHROME_PATH to use the packaged browser and its fonts.`,
  );
}

/** Returns the width of a word in pixels, or 0 if the layout does not finish, which happens when there is no font. */
async function textWidth(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  const measured = page
    .setContent('<span id="word">Interview</span>')
    .then(() => page.evaluate(`document.getElementById('word').getBoundingClientRect().width`))
    .then(Number, () => 0);
  const width = await Promise.race([measured, sleep(20_000, 0, { ref: false })]);
  if (width > 0) await page.close();
  return width;
}
