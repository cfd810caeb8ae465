/** A tone of 0.4 seconds at 440 Hz: mono, 16 kHz, 16 kbit/s. */
const tone = Buffer.from(
  [
    '//MoxAANkJ40UVgwAQJgDeedenlbts7d9lAIEanG5CFgVSdcndqcRjWaxobwPrGVv/GwggQIRBAgQJk7Dw8PAAAAdtMQU1FA//Mo',
    'xAANuG5UwZbYAgJAFmPkNABAJCQJ4GBwBYGDQXgGow9wGCY6gGs4qYGJ0IgHdk/5t5EDimTjtWGJb+G/ZRjoE6qYgpqK//MoxAAO',
    'WHJMId4IARf/cddrOFJZaicBQEjATADMDgDUwchrTSkEYNzUVgwvw/jCsB1MFYOkwLwUwgDF+Zq1TSkYklMlusmA//MoxAAL2G5E',
    'AOe2gf///VK/zEUTQuAgYETAIoMKGcynVjJE5INPEcgwQAVzGQI3ynMnLwcfJIttFZ7lKYgpqKBgASEAAIAA//MoxAAL+G5AAOe2',
    'gf///OkfuEsJEQCAIXMJDYxqfTRWEMw/542jCEDDBCpNfYznPAzNAAyOiI28Ul9IBpiCmooGABIQAAgA//MoxAAIKGJkQAd0Lwg1',
    'drS6EueqAeBMSGQ15BoDzoYfgOASYizEJJsNBdp0smIKaigYAEhAACAAAAAAAAAAAAAAAAAAAAAA//MoxAAL2G5EAOe2gf///dM7',
    'K7kJQMAIFBhgYSmHy8ZooZlb7Dmu8NWYMIIhhgqbnmGRHgGOUcnFi1ntSYgpqKBgASEAAIAA//MoxAAMYG5AAOf2gf///CngR5lg',
    'hkCggMGDR2YoQRnPMmFGIN5ivIRSYFQBUGuKx0eOZsYhCYhG2kDyynDExBTUUDAAkIAA//MoxAALOHZgRgZ6KgwgAG7lWWwtmiNY',
    'Ywfp5tcp59WEZiUCRgMDAFHkYBlnkfub1u3ef///////0JiCmooGABIQAAgAAAAA//MoxAAL6G5EAOe2gf///UpdpdqEktUYABZg',
    '0PGKCqZ/lBmNZMG1eMQYPQGYFJjZu0x1JMZAErXGh21yCmIKaigYAEhAACAA//MoxAANKH5EIN+0gS/+sLtuGK8daS0Ys+YoUGRt',
    'Zl3MZY/FBlKCfGE+ESaN6c6AbloLE1PNu/m90VPqxHkmPc/qYgpqKAAA//MoxAAMSIZEQB92LQl7yDSiIw8tJSKsQcBokO5jQX54',
    'mtx+YMpQoxj6GZDNHInRf1kUOyjHsYqWft16tv4mIKaigYAEhAAA//MoxAANGII0IBc0LUZgICPMtdmVhkGWaGCBiYWCxgh7nwOe',
    'b6Ihp0oAIabfIVuyIAX6a7EWuxnOrS0vIQVkFeCpiCmooAAA//MoxAAMmHUIAjJSSEETjTiyj0A4qCoiGQ8NiAViQdFRCWOlC5AT',
    'vZCoqIwh////oFRUVZ8WFhZDhYWb//1iqYgpqKBgASEA',
  ].join(''),
  'base64',
);

/** This marker precedes the text in a speech file. The text ends at the next NUL or at the end of the file. */
const marker = Buffer.from('fake-transcript:');

/** Returns an MP3 file with a short tone. Its ID3 tag contains the text, so that a transcription can return it. */
export function composeSpeech(text: string): Buffer {
  const value = Buffer.concat([Buffer.from([3]), Buffer.from('fake\0'), marker, Buffer.from(`${text}\0`)]);
  const frame = Buffer.concat([Buffer.from('TXXX'), synchsafe(value.length), Buffer.from([0, 0]), value]);
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), synchsafe(frame.length), frame, tone]);
}

/** Returns the text after the marker in a file of any format, or undefined when the file has no marker. */
export function findSpokenText(file: Buffer): string | undefined {
  const start = file.indexOf(marker);
  if (start === -1) return undefined;
  const end = file.indexOf(0, start);
  return file.subarray(start + marker.length, end === -1 ? file.length : end).toString();
}

/** Returns a number in the form in which ID3 stores sizes: four bytes of seven bits each. */
const synchsafe = (size: number): Buffer => Buffer.from([21, 14, 7, 0].map((bits) => (size >> bits) & 0x7f));
