import type { Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { isObjectPath } from '../../../db/platform/object-path';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { listLinkAnswers } from '../../../db/taking/surroundings';
import type { LinkAnswer } from '../../../db/taking/surroundings';
import type { OperationDeps } from '../../deps';
import { htmlLanguage } from '../../platform/text/html';
import { languageTexts } from '../../platform/text/language-texts';
import type { TakingTexts } from '../texts';
import { SpeakerLine } from './turn-view';
import type { InterviewVisit } from './visit';

type FileDeps = Pick<OperationDeps, 'database' | 'objects'>;
type Answered = LinkAnswer & { url: string | null };

/**
 * Sends the candidate's questions and answers as a file. Returns false if there are none, because the attempt has not
 * ended or its answers were deleted. The addresses of recordings expire.
 */
export async function sendAnswersFile(
  { database, objects }: FileDeps,
  response: Response,
  { caller, texts, language, interview, attempt }: InterviewVisit,
): Promise<boolean> {
  const rows = await database.query(caller, listLinkAnswers);
  if (rows.length === 0) return false;
  const answers = await Promise.all(
    rows.map(async (row): Promise<Answered> => {
      const { recording_path: path } = row;
      return { ...row, url: path !== null && isObjectPath(path) ? await objects.signUrl(path) : null };
    }),
  );
  const title = `${interview.interview_name} – ${interview.merchant_name}`;
  response
    .set({
      'content-disposition': 'attachment; filename="answers.html"',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>${renderToString(<File {...{ title, answers, texts, language }} speaker={attempt?.persona?.name} />)}`,
    );
  return true;
}

type FileProps = {
  title: string;
  answers: readonly Answered[];
  texts: TakingTexts;
  language: LanguageCode;
  /** The person whom the AI played, who said all lines of the attempt. */
  speaker: string | undefined;
};

const File = ({ title, answers, texts, language, speaker }: FileProps): VNode => (
  <html {...htmlLanguage(language)}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
    </head>
    <body>
      <h1 dir="auto">{title}</h1>
      {answers.map(({ question, answer, answer_original, url }) => (
        <section>
          {question && <SpeakerLine name={speaker} />}
          {question !== null && <h2 dir="auto">{question}</h2>}
          {question !== null && (answer !== null || url === null) && (
            <Said text={answer ?? texts('no_answer')} />
          )}
          {answer_original !== null && (
            <>
              <h3>{texts('first_version')}</h3>
              <Said text={answer_original} />
            </>
          )}
          {url !== null && (
            <p>
              <a href={url}>{languageTexts[language].pdf.recording}</a>
            </p>
          )}
        </section>
      ))}
    </body>
  </html>
);

const Said = ({ text }: { text: string }): VNode => (
  <p dir="auto">
    {text.split('\n').map((line, index) => (
      <>
        {index > 0 && <br />}
        {line}
      </>
    ))}
  </p>
);
