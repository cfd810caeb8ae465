import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { sendDocument } from '../site/document';
import { portalStyle } from '../site/site-assets';
import { htmlLanguage } from '../text/html';

/**
 * Sends a page of the portal. The page has no scripts and no content from other hosts, and no other page can frame
 * it.
 */
export function sendPage(
  response: Response,
  status: number,
  { language, title, content }: { language: LanguageCode; title: string; content: ComponentChildren },
): void {
  sendDocument(response, {
    ...htmlLanguage(language),
    status,
    title,
    styles: [portalStyle],
    body: <main>{content}</main>,
  });
}
