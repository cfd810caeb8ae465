import type { VNode } from 'preact';
import { z } from 'zod';
import { Badge, Code, Facts, Moment, Pager } from '../platform/site/elements';
import { Player } from './player';
import { duration, number } from './result-words';
import type { ResultDetails } from './result-words';

type OfResult = { result: ResultDetails };

const texts = z.array(z.string()).catch([]);
const analyses = z.object({
  strengths_concerns: z.object({ strengths: texts, concerns: texts }).optional().catch(undefined),
  key_statement: z.object({ quote: z.string() }).optional().catch(undefined),
  score_rationale: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** Shows the assessment: its text, strengths and concerns, risks, and the candidate's key statement. */
export function Assessment({ result }: OfResult): VNode {
  const { strengths_concerns, key_statement, score_rationale, ...others } = analyses
    .loose()
    .parse(result.ai_analysis_other ?? {});
  const more = Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'hiring_reasons'));
  return (
    <>
      {key_statement && (
        <>
          <h3>Key statement</h3>
          <blockquote class="answer">“{key_statement.quote}”</blockquote>
        </>
      )}
      <Text title="For the recruiter" text={result.ai_analysis_recruiter} />
      <div class="two">
        <Bullets title="Strengths" entries={strengths_concerns?.strengths} />
        <Bullets title="Concerns" entries={strengths_concerns?.concerns} />
      </div>
      <Risks result={result} />
      {score_rationale && (
        <>
          <h3>Why this score</h3>
          <Facts entries={Object.entries(score_rationale).map(([name, value]) => [name, asText(value)])} />
        </>
      )}
      <Text title="For the candidate" text={result.ai_analysis} />
      <Scoring result={result} />
      {Object.keys(more).length > 0 && (
        <details id="more-analyses">
          <summary>More analyses</summary>
          <Code label="More analyses" text={JSON.stringify(more)} />
        </details>
      )}
    </>
  );
}

/** Shows the record of the latest scoring: how it ended, what it rests on and what it changed. */
function Scoring({ result: { scoring } }: OfResult): VNode | null {
  if (scoring === null) return null;
  const { state, failure, model, spread, verified_share, score_ai, changes } = scoring;
  return (
    <details id="scoring">
      <summary>
        Scoring {scoring.run}: <Badge tone={state === 'failed' ? 'bad' : undefined}>{state}</Badge>
      </summary>
      <Facts
        entries={[
          ['Requested', <Moment at={scoring.requested_at} />],
          ['Ended', <Moment at={scoring.ended_at} />],
          failure !== null && ['Failure', failure],
          ['Computed score', number(score_ai)],
          ['Spread of samples', number(spread)],
          ['Quotes found', verified_share === null ? null : `${Math.round(verified_share * 100)}%`],
          ['Model', model],
          ['Prompts', scoring.prompt_version],
          ['Rubric', scoring.rubric_version],
          ['Changed', changes.length === 0 ? 'nothing' : changes.map(({ field }) => field).join(', ')],
        ]}
      />
    </details>
  );
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const Text = ({ title, text }: { title: string; text: string | null }): VNode | null =>
  text === null ? null : (
    <>
      <h3>{title}</h3>
      <p class="said">{text}</p>
    </>
  );

const Bullets = ({
  title,
  entries = [],
}: {
  title: string;
  entries: readonly string[] | undefined;
}): VNode | null =>
  entries.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul>
        {entries.map((entry) => (
          <li>{entry}</li>
        ))}
      </ul>
    </section>
  );

function Risks({ result: { recruiter_risks } }: OfResult): VNode | null {
  if (recruiter_risks === null || recruiter_risks.length === 0) return null;
  return (
    <>
      <h3>Risks</h3>
      <ul class="plain-list">
        {recruiter_risks.map(({ key, severity, confidence, note }) => (
          <li>
            <Badge tone={severity === 'issue' ? 'bad' : 'warn'}>{severity}</Badge> {key.replaceAll('_', ' ')}
            {typeof confidence === 'number' && `, ${Math.round(confidence * 100)}% confidence`}
            {note && `: ${note}`}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The most characters of a transcript on a page. Rendering two million of them blocked the process for half a second. */
export const maxTranscriptCharacters = 200_000;

type Spoken = ResultDetails['transcript'][number];
const charactersOf = ({ question_asked, question_original, answer, ai_analysis_recruiter }: Spoken): number =>
  (question_asked ?? question_original ?? '').length +
  (answer ?? '').length +
  (ai_analysis_recruiter ?? '').length;

/** Divides a transcript into pages. A page has at least one part. */
function pagesOf(transcript: readonly Spoken[]): Spoken[][] {
  const pages: Spoken[][] = [];
  let characters = Infinity;
  for (const part of transcript) {
    characters += charactersOf(part);
    if (characters > maxTranscriptCharacters) {
      characters = charactersOf(part);
      pages.push([]);
    }
    pages.at(-1)?.push(part);
  }
  return pages;
}

/** Shows a page of the transcript in order, with its recordings. Most transcripts have one page. */
export function Transcript({ result, offset }: OfResult & { offset: number }): VNode {
  const pages = pagesOf(result.transcript);
  const shown = pages[Math.min(offset, pages.length - 1)];
  if (!shown) return <p class="soft">No transcript.</p>;
  return (
    <>
      {shown.map((part) => {
        const values = [
          part.score !== null && `Score ${number(part.score)} of 5`,
          part.score_answer_ai !== null && `Answer score: ${number(part.score_answer_ai)} of 5`,
          duration(part.duration),
        ].filter(Boolean);
        return (
          <article class="spoken">
            <h3>{part.question_asked ?? part.question_original ?? part.view}</h3>
            {part.answer !== null && <p class="answer">{part.answer}</p>}
            {values.length > 0 && <p class="soft small">{values.join(' · ')}</p>}
            {part.ai_analysis_recruiter && <p class="soft">{part.ai_analysis_recruiter}</p>}
            <Player
              result={result}
              part={part}
              url={part.recording_url}
              isVideo={part.recording_is_video === true}
              label={`Answer: ${part.question_asked ?? part.question_original ?? part.view}`}
            />
          </article>
        );
      })}
      {pages.length > 1 && (
        <Pager
          path={`/results/${result.interview_result_id}`}
          total={pages.length}
          limit={1}
          offset={Math.min(offset, pages.length - 1)}
          offsetName="transcript"
          query={{ attempt: result.attempt === result.latest_attempt ? undefined : result.attempt }}
        />
      )}
    </>
  );
}
