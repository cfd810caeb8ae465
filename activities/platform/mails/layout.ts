import { brandColors, defaultAccent } from '../../../api/platform/text/brand';
import type { Shade } from '../../../api/platform/text/brand';
import { Html, html, htmlLanguage } from '../../../api/platform/text/html';
import type { LanguageCode } from '../../../db/platform/vocabulary';

export type Mail = { subject: string; html: string; text: string };
/** What a merchant's mails look like. `logo_url` is the address of its logo. */
export type MailBrand = { accent_color: string | null; logo_url: string | null };

/** The content of a mail in reading order. Parts that are null are left out. */
type Letter = {
  language: LanguageCode;
  subject: string;
  /** Missing in mails that the platform sends in its own name. */
  brand?: MailBrand;
  /** The name of the sender, shown at the top of the mail. */
  sender: string;
  greeting: string;
  lead: string;
  /** A sentence about the deadline, if there is one. */
  deadline: string | null;
  /** The recruiter's message as a list of paragraphs, each of which is a list of lines. */
  quote: { label: string; paragraphs: string[][] } | null;
  button: { label: string; link: string; note: string };
  guidance: string | null;
  /** A further address. It is shown as text, because the only link in the mail is the button. */
  address: { label: string; url: string } | null;
  personalNote: string;
  closing: string[];
  footer: string;
};

/** Renders the letter as HTML and as plain text. Both have the same content. */
export function renderMail(letter: Letter): Mail {
  return { subject: letter.subject, html: renderHtml(letter), text: renderText(letter) };
}

/**
 * Renders the plain-text mail. The link has a line of its own, and each line of the recruiter's message begins with
 * `>`, so that the message cannot imitate the mail's own text.
 */
function renderText(letter: Letter): string {
  const { quote, button } = letter;
  const quoted = quote?.paragraphs.map((lines) => lines.map((line) => `> ${line}`).join('\n')).join('\n>\n');
  return [
    letter.sender,
    letter.greeting,
    letter.lead,
    letter.deadline,
    quote && `${quote.label}\n${quoted}`,
    `${button.label}:\n${button.link}`,
    letter.guidance,
    letter.address && `${letter.address.label}\n${letter.address.url}`,
    letter.personalNote,
    letter.closing.join('\n'),
    `--\n${letter.footer}\n`,
  ]
    .filter((block) => block !== null)
    .join('\n\n');
}

/**
 * Styles are inline, because many clients drop style sheets; the style sheet only adds dark colors. Language, direction
 * and alignment are set on the inner block, because many clients drop `html` and `body`. The conditional comments give
 * Outlook, which does not support `max-width`, a table of the same width.
 */
function renderHtml(letter: Letter): string {
  const { lang, dir } = htmlLanguage(letter.language);
  const side = dir === 'rtl' ? 'right' : 'left';
  const colors = brandColors(letter.brand?.accent_color ?? defaultAccent);
  const logo = letter.brand?.logo_url ?? null;
  return html`<!doctype html>
    <html lang="${lang}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${letter.subject}</title>
        <style>
          ${darkColours(colors.dark)}
        </style>
      </head>
      <body class="page" style="margin:0;padding:0;background:#f2f4f7">
        ${renderPreheader(letter)}
        <table
          class="page"
          role="presentation"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="background:#f2f4f7"
        >
          <tr>
            <td align="center" style="padding:24px 12px">
              <!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->
              <div class="card" lang="${lang}" dir="${dir}" style="${card};text-align:${side}">
                ${logo === null ? null : html`<img src="${logo}" alt="" style="${logoStyle}" />`}
                <p class="ink" style="${senderLine}">${letter.sender}</p>
                ${renderBody(letter, side, colors.light)}
              </div>
              <!--[if mso]></td></tr></table><![endif]-->
            </td>
          </tr>
        </table>
      </body>
    </html>`.text;
}

function renderBody(letter: Letter, side: 'left' | 'right', { accent, onAccent }: Shade): Html {
  const { button, quote } = letter;
  return html`${paragraph(letter.greeting)} ${paragraph(letter.lead)}
    ${letter.deadline === null ? null : paragraph(letter.deadline)}
    ${quote === null ? null : renderQuote(quote, side, accent)}
    <table role="presentation" cellpadding="0" cellspacing="0" style="margin:28px 0">
      <tr>
        <td class="button" bgcolor="${accent}" style="border-radius:8px;background:${accent}">
          <a href="${button.link}" style="${buttonLink};color:${onAccent}">${button.label}</a>
        </td>
      </tr>
    </table>
    ${letter.guidance === null ? null : paragraph(letter.guidance)}
    ${letter.address && paragraph(html`${letter.address.label}<br /><bdi>${letter.address.url}</bdi>`)}
    ${paragraph(joinLines(letter.closing))}
    <div class="line" style="border-top:1px solid #d8dde6;margin:28px 0 0;padding:16px 0 0">
      ${note(button.note)}
      <p class="soft" dir="ltr" style="${small};text-align:${side};word-break:break-all">${button.link}</p>
      ${note(letter.personalNote)} ${note(letter.footer)}
    </div>`;
}

/**
 * The text that an inbox shows next to the subject. The invisible characters after it keep the rest of the mail out of
 * that line.
 */
function renderPreheader({ lead, deadline }: Letter): Html {
  const hidden = 'display:none;max-height:0;overflow:hidden;mso-hide:all';
  return html`<div aria-hidden="true" style="${hidden}">
    ${deadline ?? lead}${'\u034f\u00a0'.repeat(60)}
  </div>`;
}

function renderQuote(
  { label, paragraphs }: NonNullable<Letter['quote']>,
  side: 'left' | 'right',
  accent: string,
): Html {
  const rows = paragraphs.map(
    (lines) =>
      html`<p class="ink" dir="auto" style="${body};text-align:start;margin:0 0 8px">${joinLines(lines)}</p>`,
  );
  return html`<p class="soft" style="${small};margin:24px 0 8px">${label}</p>
    <blockquote
      class="quote"
      style="margin:0 0 24px;padding:12px 16px 4px;background:#f4f6f9;border-${side}:4px solid ${accent}"
    >
      ${rows}
    </blockquote>`;
}

const paragraph = (content: string | Html) => html`<p class="ink" style="${body}">${content}</p>`;
const joinLines = (lines: string[]) =>
  html`${lines.map((line, index) => html`${index > 0 ? lineBreak : null}${line}`)}`;
const lineBreak = new Html('<br />');
const note = (content: string) => html`<p class="soft" style="${small}">${content}</p>`;

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere";
const card = `max-width:600px;box-sizing:border-box;padding:32px 28px;background:#ffffff;border-radius:12px;${font}`;
const senderLine = `margin:0 0 24px;font-size:22px;font-weight:700;line-height:1.3;color:#1d2430`;
const body = `margin:0 0 16px;font-size:16px;line-height:1.55;color:#1d2430`;
const small = `margin:0 0 10px;font-size:13px;line-height:1.5;color:#5b6575`;
const buttonLink = `display:inline-block;padding:14px 28px;font-size:16px;font-weight:700;line-height:1.3;text-decoration:none`;
const logoStyle = 'display:block;max-width:240px;max-height:64px;margin:0 0 16px;background:#ffffff';
const darkColours = ({ accent, onAccent }: Shade) =>
  new Html(`:root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #14181e !important; }
    .card { background: #1c222b !important; }
    .quote { background: #262e39 !important; border-color: ${accent} !important; }
    .ink { color: #e4e8ee !important; }
    .soft { color: #a5afbe !important; }
    .line { border-color: #3a4452 !important; }
    .button { background: ${accent} !important; }
    .button a { color: ${onAccent} !important; }
  }`);
