/** Counts how often `part` occurs in a text or in bytes, without overlaps. Stops counting above `most`. */
export function countOf(content: string | Buffer, part: string, most: number): number {
  let count = 0;
  for (let at = content.indexOf(part); at >= 0 && count <= most; at = content.indexOf(part, at + part.length))
    count += 1;
  return count;
}
