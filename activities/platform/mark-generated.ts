/*
 * Marks files that an AI has made. The marks are part of the file, so that they stay when it is passed on
 * (docs/taking.md#what-is-generated).
 */

const id3HeaderBytes = 10;

/**
 * Adds the frame `TXXX` with `ai_generated` to the ID3 tag of an MP3 file. A file without a tag, or with one of another
 * layout, gets a tag of its own.
 */
export function markSpeech(file: Buffer): Buffer {
  const value = Buffer.from('\0ai_generated\0true', 'latin1');
  const frame = Buffer.concat([Buffer.from('TXXX'), id3Size(value.length), Buffer.from([0, 0]), value]);
  // ID3 2.3 and 2.4 write a size below 128 in the same way. No flags means that frames follow the header.
  const isOpen = /^4944330[34]0000$/.test(file.toString('hex', 0, 6));
  const frames = isOpen
    ? [...file.subarray(6, id3HeaderBytes)].reduce((size, byte) => size * 128 + byte, 0)
    : 0;
  const header = isOpen ? file.subarray(0, 6) : Buffer.from('ID3\u0004\0\0', 'latin1');
  return Buffer.concat([
    header,
    id3Size(frames + frame.length),
    frame,
    isOpen ? file.subarray(id3HeaderBytes) : file,
  ]);
}

/** Writes a number as ID3 stores sizes: four bytes of seven bits each. */
const id3Size = (size: number): Buffer => Buffer.from([21, 14, 7, 0].map((bits) => (size >> bits) & 0x7f));

/** The id of a box with XMP (ISO 16684-1), and the value of IPTC for media that a model has generated. */
const xmpId = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
const xmp = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmp:Label="ai_generated" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`;

/** Appends a box with XMP to an MP4 file, which moves none of its other boxes. Returns undefined if it is not a video. */
export function markVideo(file: Buffer): Buffer | undefined {
  if (!isMp4Video(file)) return undefined;
  const content = Buffer.concat([Buffer.from('uuid'), xmpId, Buffer.from(xmp)]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(size.length + content.length);
  return Buffer.concat([file, size, content]);
}

const maxBoxes = 20_000;

/**
 * True if the file is a complete MP4 file with a picture: its boxes fill it exactly, and one of its tracks is a video.
 * A box of no size would end with the file, so that nothing could be appended.
 */
function isMp4Video(file: Buffer): boolean {
  const types: string[] = [];
  let at = 0;
  let hasPicture = false;
  while (at + 8 <= file.length && types.length < maxBoxes) {
    const short = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const isLong = short === 1 && at + 16 <= file.length;
    const size = isLong ? Number(file.readBigUInt64BE(at + 8)) : short;
    if (size < 8 || size > file.length - at) return false;
    if (type === 'moov') hasPicture ||= hasVideoTrack(file.subarray(at, at + size));
    types.push(type);
    at += size;
  }
  return at === file.length && types[0] === 'ftyp' && types.includes('mdat') && hasPicture;
}

/** True if one of the boxes `hdlr` says that its track is a video. */
function hasVideoTrack(moov: Buffer): boolean {
  for (let at = moov.indexOf('hdlr'); at !== -1; at = moov.indexOf('hdlr', at + 4))
    if (moov.toString('latin1', at + 12, at + 16) === 'vide') return true;
  return false;
}
