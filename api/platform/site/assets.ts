import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Router } from 'express';
import type { Response } from 'express';
import { onlyMethod } from '../http/only-method';

/** The encodings in which assets are sent, the smallest one first. */
export const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** A style sheet or script. Its address contains a hash of its content, so that browsers can cache it permanently. */
export type Asset = {
  place: string;
  type: string;
  content: string | Buffer;
  /** The compressed content, as far as the build has compressed it (api/commands/compress-assets.ts). */
  compressed: Partial<Record<Encoding, Buffer>>;
};

export const hashOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** All assets that this process has created. */
export const createdAssets: Asset[] = [];

/** The folder of a build with the compressed assets. */
export const compressedFolder = path.join(__dirname, 'compressed');
/** Returns the path of a compressed asset. Its name has the hash of the content, so the file always fits the asset. */
export const compressedFile = ({ place }: Pick<Asset, 'place'>, encoding: Encoding): string =>
  path.join(compressedFolder, `${path.basename(place)}.${encoding}`);

/** Creates an asset from its content. The extension of `name` (`console.css`) determines its type. */
export function createAsset(name: string, content: string | Buffer, folder = '/assets'): Asset {
  const place = `${folder}/${name.replace('.', `-${hashOf(content)}.`)}`;
  const asset: Asset = {
    place,
    type: name.endsWith('.css') ? 'text/css' : 'text/javascript',
    content,
    compressed: {},
  };
  for (const encoding of encodings) {
    const file = compressedFile(asset, encoding);
    if (existsSync(file)) asset.compressed[encoding] = readFileSync(file);
  }
  createdAssets.push(asset);
  return asset;
}

/** Reads an asset from one or more files, joined in the order of `files`. */
export const readAsset = (name: string, files: readonly string[], folder?: string): Asset =>
  createAsset(name, files.map((file) => readFileSync(file, 'utf8')).join('\n'), folder);

/** The folder of a build with the scripts that it bundles (`build:scripts` in package.json). */
const bundledScripts = path.join(__dirname, '../../scripts');

/** Reads a bundled script. Tests that load the sources have no build and need no script. */
export function readScript(name: string, folder?: string): Asset {
  const file = path.join(bundledScripts, name);
  return readAsset(name, existsSync(file) ? [file] : [], folder);
}

/** Sends an asset in the smallest encoding that the client accepts. */
export function sendAsset(response: Response, { type, content, compressed }: Asset): void {
  const { req: request } = response;
  response.vary('accept-encoding');
  const encoding = encodings.find((each) => compressed[each] && request.acceptsEncodings(each) === each);
  if (encoding) response.setHeader('content-encoding', encoding);
  response
    .set({ 'cache-control': 'public, max-age=31536000, immutable' })
    .type(type)
    .send((encoding && compressed[encoding]) ?? content);
}

/** Serves assets at their addresses. */
export function assetRouter(assets: readonly Asset[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const asset of assets)
    router.all(asset.place, onlyMethod('GET'), (_request, response) => sendAsset(response, asset));
  return router;
}
