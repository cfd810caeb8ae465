import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** Returns a PDF file of these objects, of which the first is the catalog, with a table of where they are. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, index) => {
    places.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Returns an object with a compressed stream. */
export const streamOf = (content: string): Buffer => packedStream(deflateSync(content));

/** Returns an object with a stream of so many megabytes of blanks, without compressing all of them. */
export function bombOf(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1_000_000, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const head = Buffer.from([0x78, 0xda]);
  return packedStream(Buffer.concat([head, ...Array<Buffer>(megabytes).fill(block), Buffer.from([3, 0])]));
}

function packedStream(packed: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ]);
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const show = (line: string) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj T*`;

/** Returns a PDF whose pages all show the same content: lines of text, or a stream. */
export function makePdf(content: readonly string[] | Buffer, { pages = 1, trailer = '' } = {}): Buffer {
  const stream = Buffer.isBuffer(content)
    ? content
    : streamOf(`BT /F1 11 Tf 14 TL 50 780 Td ${content.map(show).join(' ')} ET`);
  const kids = Array.from({ length: pages }, (_, index) => `${index + 5} 0 R`).join(' ');
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << /Font << /F1 4 0 R >> >> >>';
  return pdfOf(
    [
      catalog,
      `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
      stream,
      font,
      ...Array.from({ length: pages }, () => page),
    ],
    trailer,
  );
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
/** Returns the main part of a Word document with this body. */
export const documentXml = (body: string, head = xmlHead): string =>
  `${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;

/** Returns a Word document whose main part is this XML, with other files of an archive. */
export const makeDocx = (xml: string | null, others: Record<string, Uint8Array> = {}): Buffer =>
  Buffer.from(
    zipSync(
      {
        '[Content_Types].xml': strToU8(`${xmlHead}<Types/>`),
        ...others,
        ...(xml === null ? {} : { 'word/document.xml': strToU8(xml) }),
      },
      { level: 9 },
    ),
  );
/** A paragraph of a Word document. */
export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
