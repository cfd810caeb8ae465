import type { VNode } from 'preact';
import { findInterviewName } from '../../db/interviews/public';
import { listMessagesAboutAttempt } from '../../db/people/public';
import type { CandidateMessage } from '../../db/people/public';
import { listAuditEntriesAbout } from '../../db/platform/audit';
import type { AuditEntry } from '../../db/platform/audit';
import { subjectVisibility } from '../../db/platform/find-subject';
import { isPractice } from '../../db/platform/vocabulary';
import { findScoreReview } from '../../db/scoring/public';
import type { ScoreReview } from '../../db/scoring/public';
import { findHold } from '../../db/webhooks/public';
import type { WebhookHold } from '../../db/webhooks/public';
import { CandidateMessages } from '../people/public';
import { ApiError } from '../platform/operation/api-error';
import { PostButton } from '../platform/site/buttons';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { Badge, Link, TimeWithRelative, Panel, Tabs } from '../platform/site/elements';
import { ErrorBox } from '../platform/site/form';
import type { Page } from '../platform/site/layout';
import { givenParameters, offsetOf } from '../platform/site/query';
import type { Site } from '../platform/site/site';
import { isOwner, mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { DeliveryTable, nameDeletedEndpoints, readEndpoints, webhookDeliveryList } from '../webhooks/public';
import { writeCaptions } from './captions';
import { linkEvidence } from './evidence';
import type { Evidence } from './evidence';
import { jobInterviewDetails } from './job-interview-details';
import { jobInterviewPdf } from './job-interview-pdf';
import { mediaOriginsOf, Player } from './player';
import { addResultActions, ResultForms } from './result-actions';
import type { RefusedAction } from './result-actions';
import { Assessment } from './result-assessment';
import { ResultFacts } from './result-facts';
import { ResultHistory } from './result-history';
import { Transcript, usePartLinks } from './result-transcript';
import { DecisionBadge, isAvatarVisit, StateBadge } from './result-words';
import type { ResultDetails } from './result-words';
import { candidateName } from './results-page';
import type { ScoreForms } from './score-form';
import { ScoringProgress } from './score-headline';
import { ScoringRecord, subjectOf } from './scoring-record';

const limitDeliveries = 20;
type OfResult = { result: ResultDetails };

/** Adds the page of one result: candidate, state, decisions, assessment, transcript and webhooks. */
export function addResultPage(site: Site, deps: ConsoleDeps): void {
  const render = async (
    visit: ConsoleVisit,
    id: string,
    query: Record<string, string>,
    refused?: RefusedAction,
  ): Promise<Page> => {
    const { attempt } = givenParameters(query, ['attempt']);
    const result: ResultDetails = replyOf(
      await callOperation(deps, visit, jobInterviewDetails, {
        interview_result_id: id,
        get_signed_recordings: 'true',
        ...(attempt ? { attempt } : {}),
      }),
    );
    const [{ hold, interview, messages, review, acts }, deliveries, { data: endpoints }] = await Promise.all([
      deps.database.read(visit.caller(), async (trx) => ({
        hold: await trx.maybeOne(findHold(id)),
        interview: await trx.maybeOne(findInterviewName(result.interview_id)),
        messages: await trx.rows(listMessagesAboutAttempt(result.interview_result_id, result.attempt)),
        review: await trx.one(findScoreReview(result.interview_result_id, result.attempt)),
        acts: await trx.rows(listAuditEntriesAbout(result.interview_result_id)),
      })),
      callOperation(deps, visit, webhookDeliveryList, {
        result_id: id,
        limit: String(limitDeliveries),
      }),
      readEndpoints(deps, visit),
    ]);
    const announcedBy = deliveries.reply?.data ?? [];
    const deletedNames = await nameDeletedEndpoints(deps, visit, announcedBy, endpoints);
    const isLatest = result.attempt === result.latest_attempt;
    const evidence = linkEvidence(result);
    const offset = offsetOf(query, 'transcript');
    const isScored = result.result_status === 'active' && result.processing_status === 'completed';
    const { error, score } = refused ?? {};
    const forms =
      isLatest && isScored && mayChange(visit)
        ? { refused: error && score && { error, ...score } }
        : undefined;
    return {
      title: candidateName(result),
      at: '/results',
      status: refused?.error.status,
      mediaOrigins: mediaOriginsOf(result),
      content: (
        <>
          {refused?.note === undefined && !(forms && score) && <ErrorBox error={error} />}
          <Attempts result={result} />
          <Panel title="Status">
            <div id="standing" data-live>
              <Standing result={result} />
              <ScoringProgress result={result} />
            </div>
            {result.start !== null && <DownloadPdf result={result} />}
            {isLatest && mayChange(visit) && !isAvatarVisit(result) && (
              <ResultForms {...{ result, refused }} hasStage={hasStage(result, interview)} />
            )}
          </Panel>
          <Review {...{ result, evidence, review, offset, forms }} />
          <History {...{ result, evidence, review, offset, acts, messages }} />
          <Panel title="Details" live="facts">
            <ResultFacts {...{ result, interview }} cost={isOwner(visit) ? result.credits_charged : null} />
          </Panel>
          <CandidateMessages messages={messages} isEditable={mayChange(visit)} />
          {isLatest && (
            <Panel title="Webhook deliveries" live="deliveries">
              {hold && <Held hold={hold} resultId={id} mayCreate={mayChange(visit)} />}
              <DeliveryTable {...{ deliveries: announcedBy, endpoints, deletedNames }} />
            </Panel>
          )}
        </>
      ),
    };
  };

  site.page(
    'console-result',
    '/results/:id',
    (visit, { params, query }) => render(visit, params['id'] ?? '', query),
    { subject: subjectVisibility.result },
  );
  site.file('console-result-captions', '/results/:id/captions.vtt', async (visit, { params, query }) => {
    const { attempt, part: partId } = givenParameters(query, ['attempt', 'part']);
    const result: ResultDetails = replyOf(
      await callOperation(deps, visit, jobInterviewDetails, {
        interview_result_id: params['id'] ?? '',
        ...(attempt ? { attempt } : {}),
      }),
    );
    const part = result.transcript.find(({ id }) => id === partId);
    const content = partId && !part ? undefined : writeCaptions(result, part);
    if (content === undefined) throw new ApiError('not_found', 'There are no captions of this recording.');
    return { name: 'captions.vtt', type: 'text/vtt; charset=utf-8', content };
  });
  site.file('console-result-pdf', '/results/:id/report.pdf', async (visit, { params, query }) => {
    const { attempt } = givenParameters(query, ['attempt']);
    const { pdf_url } = replyOf(
      await callOperation(deps, visit, jobInterviewPdf, {
        interview_result_id: params['id'] ?? '',
        ...(attempt ? { attempt: Number(attempt) } : {}),
      }),
    );
    return { redirectTo: pdf_url };
  });
  addResultActions(site, deps, (visit, id, refused) => render(visit, id, {}, refused));
}

const hasStage = ({ is_test }: ResultDetails, interview: { type: string } | undefined): boolean =>
  !is_test && interview !== undefined && !isPractice(interview.type);

/** Lists the attempts and shows which one is displayed. Returns null if there is only one. */
function Attempts({ result }: OfResult): VNode | null {
  const { interview_result_id: id, attempt, latest_attempt, attempt_count: count } = result;
  if (count === 1) return null;
  const valueOf = (number: number) => (number === latest_attempt ? '' : String(number));
  const current = latest_attempt === count ? ' (latest)' : ' (the result)';
  const entries = Array.from({ length: count }, (_, index) => {
    const number = count - index;
    return [valueOf(number), `Attempt ${number}${number === latest_attempt ? current : ''}`] as const;
  });
  const query = { attempt: valueOf(attempt) };
  return <Tabs path={`/results/${id}`} label="Attempts" name="attempt" entries={entries} query={query} />;
}

const Standing = ({ result }: OfResult): VNode => (
  <p class="lead">
    <StateBadge
      status={result.result_status}
      interview_status={result.status}
      processing_status={result.processing_status}
      isVisit={isAvatarVisit(result)}
    />{' '}
    {!isAvatarVisit(result) && <DecisionBadge decision={result.recruiter_go_next_round} />}{' '}
    {result.recruiter_shortlist && <Badge tone="warn">Shortlist</Badge>}{' '}
    {result.stage !== null && <Badge>{result.stage}</Badge>} {result.is_test && <Badge>Test</Badge>}
  </p>
);

const DownloadPdf = ({ result: { interview_result_id: id, attempt, latest_attempt } }: OfResult): VNode => (
  <p>
    <Link
      class="button plain"
      to={`/results/${id}/report.pdf`}
      query={attempt === latest_attempt ? {} : { attempt: String(attempt) }}
    >
      Download PDF
    </Link>
  </p>
);

const Held = (props: { hold: WebhookHold; resultId: string; mayCreate: boolean }): VNode => {
  const { hold, resultId, mayCreate } = props;
  return (
    <>
      <p class="lead warn">
        {hold.has_failed && 'The PDF could not be created. '}
        {hold.held_at === null ? (
          'Webhooks do not wait for it. They are sent again once it is ready.'
        ) : (
          <>
            On hold since <TimeWithRelative at={hold.held_at} />: webhooks for{' '}
            {[...new Set(hold.reasons)].join(', ')} are sent once the PDF is ready.
          </>
        )}
      </p>
      {mayCreate && <PostButton path={`/results/${resultId}/pdf`} label="Create PDF again" />}
    </>
  );
};

type OfReview = OfResult & { evidence: Evidence; review: ScoreReview; offset: number };

/** Shows the assessment, the recordings and the transcript that supports the assessment. */
function Review(props: OfReview & { forms: ScoreForms | undefined }): VNode {
  const { result, evidence, review, offset } = props;
  const toPart = usePartLinks(result, offset);
  return (
    <>
      <Panel title="Assessment">
        <Assessment {...props} />
        <ScoringRecord {...{ review, evidence, toPart }} />
      </Panel>
      <Resume result={result} />
      <Recordings result={result} />
      <Panel title="Transcript">
        <Transcript {...props} />
      </Panel>
    </>
  );
}

type HistoryProps = OfReview & { acts: AuditEntry[]; messages: CandidateMessage[] };
function History({ result, evidence, offset, ...lists }: HistoryProps): VNode {
  return <ResultHistory {...lists} subject={subjectOf(evidence, usePartLinks(result, offset))} />;
}

function Resume({ result: { resume_url: url, resume_local_path: path } }: OfResult): VNode | null {
  if (!url) return null;
  return (
    <Panel title="Résumé">
      <p>
        <a href={url}>Download the résumé ({path?.split('.').at(-1)?.toUpperCase()})</a>
      </p>
    </Panel>
  );
}

function Recordings({ result }: OfResult): VNode | null {
  const { recording_url, video_introduction_url, video_introduction_local_path: introduction } = result;
  if (!recording_url && !video_introduction_url) return null;
  return (
    <Panel title="Recordings">
      {recording_url && <h3>Full session</h3>}
      <Player
        result={result}
        url={recording_url}
        isVideo={result.recording_is_video === true}
        label="Full session"
      />
      {video_introduction_url && <h3>Video introduction</h3>}
      <Player
        result={result}
        part={result.transcript.find(({ recording_local_path: path }) => path === introduction) ?? null}
        url={video_introduction_url}
        isVideo
        label="Video introduction"
      />
    </Panel>
  );
}
