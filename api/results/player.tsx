import type { VNode } from 'preact';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { useVisitor } from '../platform/site/visitor-context';
import { htmlLanguage } from '../platform/text/html';
import { hasCaptions } from './captions';
import type { ResultDetails } from './result-words';

type Playable = {
  result: ResultDetails;
  /**
   * The part of the transcript that the recording contains. Undefined for a recording of the whole session, and null
   * for a recording that has no transcript.
   */
  part?: ResultDetails['transcript'][number] | null | undefined;
  url: string | null | undefined;
  isVideo: boolean;
  label: string;
};

/**
 * Shows a player for a signed address, which is valid for 15 minutes, with the transcript as captions. Returns null if
 * there is no address.
 */
export function Player({ result, part, url, isVideo, label }: Playable): VNode | null {
  const { href } = useVisitor();
  if (!url) return null;
  const language = part?.platform_language_code ?? result.transcript[0]?.platform_language_code ?? 'en';
  const Medium = isVideo ? 'video' : 'audio';
  const captions = href(`/results/${result.interview_result_id}/captions.vtt`, {
    attempt: result.attempt === result.latest_attempt ? undefined : result.attempt,
    part: part?.id,
  });
  return (
    <Medium controls preload="none" src={url} aria-label={label}>
      {part !== null && hasCaptions(result, part) && (
        <track
          kind="captions"
          label="Transcript"
          srclang={htmlLanguage(language as LanguageCode).lang}
          src={captions}
          default={isVideo}
        />
      )}
    </Medium>
  );
}

/**
 * Returns the sources from which the page must be allowed to load media: the origins of the recordings' addresses,
 * and the page's own origin for captions.
 */
export function mediaOriginsOf(result: ResultDetails): string[] {
  const { recording_url, video_introduction_url, transcript } = result;
  const urls = [recording_url, video_introduction_url, ...transcript.map((part) => part.recording_url)];
  const origins = urls.flatMap((url) => (url ? [new URL(url).origin] : []));
  return origins.length === 0 ? [] : ["'self'", ...new Set(origins)];
}
