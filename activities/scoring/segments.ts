/** How many UTF-16 units are segmented at a time. It doubles for a segment that is longer. */
const firstChunk = 256;

/**
 * Segments a text piece by piece. Segmenting the whole text takes quadratic time, because the segmenter copies its
 * text for each segment. The next piece begins with the last two segments of a piece: the last one may be cut, and a
 * full stop at the end may join the word before it to what follows, as in `1.5`.
 */
export function* segmentsOf(
  segmenter: Intl.Segmenter,
  text: string,
): Generator<Pick<Intl.SegmentData, 'segment' | 'index' | 'isWordLike'>> {
  let [from, size] = [0, firstChunk];
  while (from < text.length) {
    const end = wholeCharacters(text, from + size);
    const segments = Array.from(segmenter.segment(text.slice(from, end)));
    const complete = end >= text.length ? segments : segments.slice(0, -2);
    for (const { segment, index, isWordLike } of complete) yield { segment, index: from + index, isWordLike };
    const last = complete.at(-1);
    size = last ? firstChunk : size * 2;
    from += last ? last.index + last.segment.length : 0;
  }
}

/** Returns `end`, or the place after it if `end` would cut a surrogate pair. */
const wholeCharacters = (text: string, end: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1)) ? end + 1 : end;
