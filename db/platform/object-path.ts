import { environments } from './vocabulary';
import type { Environment } from './vocabulary';

/**
 * The parts of a stored file's path. `name` consists of letters, digits, `.`, `_` and `-`, and does not begin with a
 * dot.
 */
type ObjectPathParts = {
  merchant_id: string;
  environment: Environment;
  interview_result_id: string;
  attempt: number;
  name: string;
};

/** Returns the path of an attempt's file in the object store. Throws when the result is not a valid path. */
export function objectPath(parts: ObjectPathParts): string {
  const { merchant_id, environment, interview_result_id, attempt, name } = parts;
  const path = `${merchant_id}/${environment}/${interview_result_id}/${attempt}/${name}`;
  assertObjectPath(path);
  return path;
}

/** Returns the path of the video in which a question is spoken. */
export const questionVideoPath = (merchantId: string, videoId: string): string =>
  `${merchantId}/question-video/${videoId}.mp4`;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ofResult = `${uuid}/(?:${environments.join('|')})/${uuid}/`;
const ofAttempt = '[1-9]\\d{0,8}/';
const ofName = '[A-Za-z0-9][A-Za-z0-9._-]{0,99}';
/** A path must mean the same to a URL, a file system and S3, so escapes, `..` and hidden names are not allowed. */
const pattern = new RegExp(
  `^(?:${ofResult}${ofAttempt}${ofName}|speech/[0-9a-f]{64}\\.mp3|${uuid}/logo/[0-9a-f]{32}\\.png|${uuid}/question-video/${uuid}\\.mp4)$`,
);
const prefixPattern = new RegExp(`^${ofResult}(?:${ofAttempt}(?:${ofName})?)?$`);

/**
 * True for valid paths of the store: `<merchant_id>/<environment>/<interview_result_id>/<attempt>/<name>`,
 * `speech/<hash>.mp3` for spoken questions, whose files all candidates share, `<merchant_id>/logo/<hash>.png`, and
 * `<merchant_id>/question-video/<id>.mp4`.
 */
export const isObjectPath = (path: string): boolean => pattern.test(path);

/** Throws when `isObjectPath` is false. The error does not repeat the path. */
export function assertObjectPath(path: string): void {
  if (!isObjectPath(path))
    throw new Error(
      'Not a path of the object store: <merchant_id>/<environment>/<interview_result_id>/<attempt>/<name>, speech/<hash>.mp3, <merchant_id>/logo/<hash>.png or <merchant_id>/question-video/<id>.mp4',
    );
}

/**
 * Throws unless `prefix` is the folder of a result (`…/<interview_result_id>/`), the folder of an attempt
 * (`…/<attempt>/`), or an attempt's folder followed by the beginning of file names. The error does not repeat the
 * prefix.
 */
export function assertObjectPrefix(prefix: string): void {
  if (!prefixPattern.test(prefix))
    throw new Error(
      'Not a prefix of the object store: it must name a result, an attempt or some of its files',
    );
}

/**
 * The content types that the store accepts, by file extension. A `part` is a piece of a file that is uploaded in
 * pieces.
 */
const contentTypes = new Map([
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['m4a', 'audio/mp4'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['ogg', 'audio/ogg'],
  ['part', 'application/octet-stream'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['txt', 'text/plain; charset=utf-8'],
  ['wav', 'audio/wav'],
  ['weba', 'audio/webm'],
  ['webm', 'video/webm'],
]);

/** Returns the content type for the path's extension, or undefined for an extension that the store does not accept. */
export const contentTypeOf = (path: string): string | undefined =>
  contentTypes.get(path.slice(path.lastIndexOf('.') + 1));

/**
 * Returns the content disposition of a file. Documents are saved, because the sandbox in which browsers open a file has no
 * viewer for a PDF, and a résumé comes from outside. Files of all other types are played.
 */
export function contentDispositionOf(path: string): string {
  const [, stem, kind] = /([^/]*)\.(pdf|docx|txt)$/.exec(path) ?? [];
  if (stem === undefined) return 'inline';
  return `attachment; filename="${resumeStem.test(stem) ? 'resume' : 'interview-report'}.${kind}"`;
}
/** A résumé is named by its id, and a report is not. */
const resumeStem = new RegExp(`^${uuid}$`);
