import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { launch } from 'puppeteer-core';
import type { Browser, Page } from 'puppeteer-core';

export type HeadlessBrowser = { open: (options?: OpenOptions) => Promise<Page>; close: () => Promise<void> };
/** Of a wait: only so that one in vain ends, on a machine that is loaded too; never a statement about speed. */
const patienceMs = 100_000;
type OpenOptions = { width?: number; height?: number; scheme?: 'light' | 'dark' };

/**
 * A headless Chromium: the one that travels inside a package, with its libraries and fonts, unpacked into `home`; or what
 * `CHROME_PATH` names. `close` ends it with every page.
 */
export async function startBrowser(home: string): Promise<HeadlessBrowser> {
  const { executablePath, env } = findChromium(home);
  const browser: Browser = await launch({
    executablePath,
    headless: 'shell',
    env,
    // The sandbox does not start as root, and containers have little shared memory. The package's own list of switches
    // turns the web's security off, which is what is tested here.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    timeout: patienceMs,
  });
  return {
    /** A page with cookies of its own. */
    open: async ({ width = 1280, height = 900, scheme = 'light' } = {}) => {
      const page = await (await browser.createBrowserContext()).newPage();
      page.setDefaultTimeout(patienceMs);
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      return page;
    },
    close: () => browser.close(),
  };
}

function findChromium(home: string): { executablePath: string; env: Record<string, string> } {
  const named = process.env['CHROME_PATH'];
  mkdirSync(home, { recursive: true });
  const shared = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home };
  if (named !== undefined) return { executablePath: named, env: shared };
  const executablePath = path.join(home, 'chromium');
  // In a process of its own: it unpacks into the folder for temporary files, and the libraries that a bare machine lacks
  // only where it takes itself to be in a lambda.
  if (!existsSync(executablePath))
    execFileSync(process.execPath, ['-e', `require('@sparticuz/chromium').executablePath()`], {
      cwd: path.resolve(__dirname, '..'),
      env: { ...shared, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    });
  return {
    executablePath,
    env: {
      ...shared,
      LD_LIBRARY_PATH: path.join(home, 'al2023/lib'),
      FONTCONFIG_PATH: path.join(home, 'fonts'),
    },
  };
}
