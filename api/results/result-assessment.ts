import { z } from 'zod';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { badge, facts } from '../platform/site/elements';
import { number, spoken } from './result-words';
import type { ResultDetails } from './result-words';

const texts = z.array(z.string()).catch([]);
const analyses = z.object({
  strengths_concerns: z.object({ strengths: texts, concerns: texts }).optional().catch(undefined),
  key_statement: z.object({ quote: z.string() }).optional().catch(undefined),
  score_rationale: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** The assessment: the text, strengths and weaknesses, risks, and the one quotation. */
export function assessment(result: ResultDetails): Html {
  const { strengths_concerns, key_statement, score_rationale, ...others } = analyses
    .loose()
    .parse(result.ai_analysis_other ?? {});
  const more = Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'hiring_reasons'));
  return html`${
      key_statement
        ? html`<h3>Key statement</h3>
            <blockquote class="answer">“${key_statement.quote}”</blockquote>`
        : null
    }
    ${saidTo('For the recruiter', result.ai_analysis_recruiter)}
    <div class="two">
      ${bullets('Strengths', strengths_concerns?.strengths)}
      ${bullets('Concerns', strengths_concerns?.concerns)}
    </div>
    ${risks(result)}
    ${
      score_rationale
        ? html`<h3>Why this score</h3>
            ${facts(Object.entries(score_rationale).map(([name, value]) => [name, asText(value)] as const))}`
        : null
    }
    ${saidTo('For the candidate', result.ai_analysis)}
    ${
      Object.keys(more).length > 0
        ? html`<details id="more-analyses">
            <summary>Further analyses</summary>
            <pre tabindex="0" role="region" aria-label="Further analyses">
${JSON.stringify(more, null, 2)}</pre>
          </details>`
        : null
    }`;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const saidTo = (title: string, text: string | null): Html | null =>
  text === null
    ? null
    : html`<h3>${title}</h3>
        <p class="said">${text}</p>`;

const bullets = (title: string, entries: readonly string[] = []): Html | null =>
  entries.length === 0
    ? null
    : html`<section>
        <h3>${title}</h3>
        <ul>
          ${entries.map((entry) => html`<li>${entry}</li>`)}
        </ul>
      </section>`;

function risks({ recruiter_risks }: ResultDetails): Html | null {
  if (recruiter_risks === null || recruiter_risks.length === 0) return null;
  return html`<h3>Risks</h3>
    <ul class="plain-list">
      ${recruiter_risks.map(
        ({ key, severity, confidence, note }) =>
          html`<li>
            ${badge(severity, severity === 'issue' ? 'bad' : 'warn')}
            ${key}${
              confidence === null || confidence === undefined
                ? null
                : `, ${Math.round(confidence * 100)} % sure`
            }${note ? html`: ${note}` : null}
          </li>`,
      )}
    </ul>`;
}

/** The transcript in order, with its recordings. */
export function transcript({ transcript: interactions }: ResultDetails): Html {
  if (interactions.length === 0) return html`<p class="soft">Nothing was said.</p>`;
  return html`${interactions.map((spokenPart) => {
    const { question_asked, question_original, answer, score, score_answer_ai, duration } = spokenPart;
    const values = [
      ...(score === null ? [] : [`score ${number(score)} of 5`]),
      ...(score_answer_ai === null ? [] : [`answer ${number(score_answer_ai)} of 5`]),
      ...(duration === null ? [] : [spoken(duration)]),
    ].join(' · ');
    return html`<article class="spoken">
      <h3>${question_asked ?? question_original ?? spokenPart.view}</h3>
      ${answer === null ? null : html`<p class="answer">${answer}</p>`}
      ${values === '' ? null : html`<p class="soft small">${values}</p>`}
      ${spokenPart.ai_analysis_recruiter ? html`<p class="soft">${spokenPart.ai_analysis_recruiter}</p>` : null}
      ${player(spokenPart.recording_url, spokenPart.recording_is_video === true, 'The answer')}
    </article>`;
  })}`;
}

/** Plays a signed address, which is valid for 15 minutes. Null if there is no address. */
export function player(url: string | null | undefined, isVideo: boolean, label: string): Html | null {
  if (!url) return null;
  return isVideo
    ? html`<video controls preload="none" src="${url}" aria-label="${label}"></video>`
    : html`<audio controls preload="none" src="${url}" aria-label="${label}"></audio>`;
}

/** The origins of the object store in the signed addresses of this result. */
export function mediaOriginsOf({
  recording_url,
  video_introduction_url,
  transcript: spokenParts,
}: ResultDetails): string[] {
  const urls = [recording_url, video_introduction_url, ...spokenParts.map((part) => part.recording_url)];
  return [...new Set(urls.flatMap((url) => (url ? [new URL(url).origin] : [])))];
}
