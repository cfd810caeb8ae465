/** The first 16 digits of the SHA-256 hash of each consent text. Add lines; never change one. */
export const consentHashes: Record<string, string> = {
  '2026-11-23/ar.json': '884a62cf4606ba24',
  '2026-11-23/br.json': '7b556d17f80ff5c4',
  '2026-11-23/de.json': '58d09fb16d947763',
  '2026-11-23/en.json': '2dda8181e36a41f5',
};
