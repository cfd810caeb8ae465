import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router } from 'express';
import type { Response } from 'express';
import { onlyMethod } from '../http/only-method';

/** A style sheet or script. Its address contains a hash of its content, so that browsers can cache it permanently. */
export type Asset = { place: string; type: string; content: string | Buffer };

export const hashOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Creates an asset from its content. The extension of `name` (`console.css`) determines its type. */
export const createAsset = (name: string, content: string | Buffer, folder = '/assets'): Asset => ({
  place: `${folder}/${name.replace('.', `-${hashOf(content)}.`)}`,
  type: name.endsWith('.css') ? 'text/css' : 'text/javascript',
  content,
});

/** Reads an asset from one or more files, joined in the order of `files`. */
export const readAsset = (name: string, files: readonly string[], folder?: string): Asset =>
  createAsset(name, files.map((file) => readFileSync(file, 'utf8')).join('\n'), folder);

export function sendAsset(response: Response, { type, content }: Asset): void {
  response.set({ 'cache-control': 'public, max-age=31536000, immutable' }).type(type).send(content);
}

/** Serves assets at their addresses. */
export function assetRouter(assets: readonly Asset[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const asset of assets)
    router.all(asset.place, onlyMethod('GET'), (_request, response) => sendAsset(response, asset));
  return router;
}
