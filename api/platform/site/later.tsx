import { setInterval } from 'node:timers';
import type { Response } from 'express';
import type { VNode } from 'preact';
import { writeAndFlush } from '../http/compress-replies';

/* A page whose end follows later in the same reply. Browsers show the first part at once, without scripts. */

const mark = '<template id="later"></template>';

/** The place in a page at which the later part is inserted. */
export const LaterPlaceholder = (): VNode => <template id="later" />;

/** Proxies end replies in which nothing arrives for a time, often 60 s. */
const silenceMs = 10_000;

/** Sends a page up to its `LaterPlaceholder`, and the rest once `later` is there. */
export function sendInParts(response: Response, html: string, later: Promise<string>): void {
  const [before = '', after = ''] = html.split(mark);
  // Proxies such as nginx collect a reply before they send it, unless this header is set.
  response.setHeader('x-accel-buffering', 'no');
  writeAndFlush(response, before);
  const beat = setInterval(() => writeAndFlush(response, '\n'), silenceMs);
  void later
    .then((part) => response.end(part + after))
    // The beginning is sent, so the browser can only be told that the rest is missing.
    .catch(() => response.destroy())
    .finally(() => clearInterval(beat));
}
