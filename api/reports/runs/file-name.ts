/** Returns the title of a report without characters that some systems do not accept in file names. */
export const fileNameOf = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/[\uD800-\uDBFF]$/, '') || 'report';
