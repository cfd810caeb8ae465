import { languageTexts } from '../../api/platform/text/language-texts';
import { oneLine } from '../../api/platform/text/one-line';
import { textReader } from '../../api/platform/text/text-reader';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { renderMail } from '../platform/mails/layout';
import type { Mail } from '../platform/mails/layout';

type ReportMailData = {
  language: LanguageCode;
  recipient_name: string | null;
  merchant_name: string;
  title: string;
  /** When the report ran, and in which time zone the mail names the day. */
  ran_at: Date;
  time_zone: string;
  link: string;
  /** True if the recipient scheduled the report. */
  is_own: boolean;
};

/** Returns the mail with a scheduled report, in the language of its recipient. The report is attached. */
export function reportMail(data: ReportMailData): Mail {
  const { language, merchant_name: merchant, title: report } = data;
  const read = textReader(languageTexts[language].report_mails, language);
  const readShared = textReader(languageTexts[language].mails, language);
  const name = oneLine(data.recipient_name ?? '');
  return renderMail({
    language,
    subject: `${oneLine(report)} · ${oneLine(merchant).slice(0, 80)}`,
    sender: oneLine(merchant),
    greeting: name === '' ? readShared('greeting_plain') : readShared('greeting', { name }),
    lead: read('lead', { report, merchant, date: data.ran_at, timeZone: data.time_zone }),
    deadline: null,
    quote: null,
    button: { label: read('button'), link: data.link, note: readShared('link_note') },
    guidance: null,
    address: null,
    personalNote: data.is_own ? read('reason_own') : read('reason', { merchant }),
    closing: [readShared('closing'), oneLine(merchant)],
    footer: read('stop'),
  });
}
