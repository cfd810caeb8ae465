/** The visibilities with a page of their own, whose address contains the slug. */
const paged: ReadonlySet<unknown> = new Set(['public', 'merchant_public', 'merchant_unlisted']);

/**
 * Returns the slug of an interview or position: the name in ASCII words, followed by the end of the id, which makes it
 * unique. Returns null for a visibility without a page.
 */
export function slugFor(name: string, id: string, visibility: unknown): string | null {
  if (!paged.has(visibility)) return null;
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return [...words.join('-').slice(0, 80).split('-'), id.slice(-12)].filter(Boolean).join('-');
}
