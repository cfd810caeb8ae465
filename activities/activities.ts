import { createLinkTokens } from '../db/platform/link-tokens';
import type { WorkerConfig } from './config';
import { createSignInActivities } from './identity/sign-in';
import { createInterviewActivities } from './interviews/interviews';
import { createQuestionVideoActivities } from './interviews/question-videos';
import { createInvitationActivities } from './people/invitations';
import { createOneMailSender } from './platform/one-mail';
import { createPdfWriter } from './platform/pdf-writer';
import { createFeatureBoard } from './providers/feature-board';
import { createHeyGen } from './providers/heygen';
import { createModel } from './providers/openai';
import { createMailer } from './providers/sendgrid';
import { createSupportDesk } from './providers/support-desk';
import { createVoice } from './providers/voice';
import { createReportDeliveryActivities } from './reports/report-deliveries';
import { createResultPdfActivities } from './results/render-result-pdf';
import { createEnoughEvidenceCheck } from './scoring/enough';
import { createScoringActivities } from './scoring/score-activities';
import { createFeatureRequestActivities } from './support/feature-requests';
import { createTechnicalIssueActivities } from './support/technical-issues';
import { createAttemptActivities } from './taking/attempts';
import { createWebhookPauseActivities } from './webhooks/webhook-pauses';
import { createWebhookReplayActivities } from './webhooks/webhook-replays';
import { createWebhookRetryActivities } from './webhooks/webhook-retries';
import type { WorkerContext } from './worker-context';

/**
 * Creates all activities and the provider clients that they use. `close` ends the processes that write PDF
 * files, and waits for the calls in flight to the support desk and the feature board.
 */
export async function createActivities(context: WorkerContext) {
  const { config, log, database, liveDatabase, messenger, objects, seal, metrics } = context;
  const { countMail: onMail } = metrics;
  const publicOrigin = config.PUBLIC_ORIGIN;
  const openMailer = () =>
    createMailer({
      apiKey: config.SENDGRID_API_KEY,
      baseUrl: config.SENDGRID_BASE_URL,
      fromAddress: config.MAIL_FROM,
      mailsPerSecond: config.MAILS_PER_SECOND,
    });
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL } = config;
  const model = createModel({ apiKey, baseUrl, model: OPENAI_MODEL });
  const voice = createVoice({
    apiKey,
    baseUrl,
    speechModel: config.OPENAI_SPEECH_MODEL,
    transcriptionModel: config.OPENAI_TRANSCRIPTION_MODEL,
  });
  const links = await createLinkTokens(config.LINK_SIGNING_KEYS, config.PORTAL_ORIGIN);
  // Single mails have a mailer of their own, with its own rate limit, so that thousands of invitations do not delay a
  // sign-in mail.
  const sendOneMail = createOneMailSender({ mailer: openMailer(), onMail });
  const supportDesk = openSupportDesk(config);
  const board = openFeatureBoard(config);
  const videos = openVideos(config);
  const pdfs = createPdfWriter({
    onFailedTry: (reason) => log.warn({ reason }, 'lost the process that wrote a document'),
  });
  return {
    activities: {
      ...createFeatureRequestActivities({ database, board, onAttempt: metrics.countFeatureRequest }),
      ...createInterviewActivities({ database, seal, model, onModelCall: metrics.countModelCall }),
      ...createQuestionVideoActivities({
        database,
        objects,
        videos,
        onModelCall: metrics.countModelCall,
      }),
      ...createAttemptActivities({
        database: liveDatabase,
        objects,
        joinedTurns: context.joinedTurns,
        model,
        voice,
        isEnough: createEnoughEvidenceCheck({
          database: liveDatabase,
          model,
          onModelCall: metrics.countModelCall,
        }),
        onModelCall: metrics.countModelCall,
        onDecision: metrics.countDecision,
        onDropped: metrics.countDroppedText,
      }),
      ...createScoringActivities({
        database,
        model,
        prices: pricesOf(config),
        onModelCall: metrics.countModelCall,
        onScored: metrics.countScored,
      }),
      ...createInvitationActivities({
        database,
        links,
        mailer: openMailer(),
        messenger,
        publicOrigin,
        onMail,
      }),
      ...createTechnicalIssueActivities({ database, supportDesk, onAttempt: metrics.countIssueAttempt }),
      ...createReportDeliveryActivities({ database, mailer: openMailer(), pdfs, publicOrigin, onMail }),
      ...createResultPdfActivities({ database, objects, pdfs, publicOrigin }),
      ...createSignInActivities({ database, sendOneMail, publicOrigin }),
      ...createWebhookPauseActivities({ database, sendOneMail, publicOrigin }),
      ...createWebhookRetryActivities({ database }),
      ...createWebhookReplayActivities({ database }),
    },
    close: () => {
      pdfs.close();
      return Promise.all([supportDesk?.close(), board?.close(), videos?.close()]);
    },
  };
}

/** Returns undefined if no prices of the model are configured. */
const pricesOf = ({ OPENAI_PROMPT_PRICE: prompt, OPENAI_COMPLETION_PRICE: completion }: WorkerConfig) =>
  prompt === undefined || completion === undefined ? undefined : { prompt, completion };

/** Returns undefined if no support desk is configured. */
function openSupportDesk(config: WorkerConfig) {
  const { SUPPORT_DESK_BASE_URL: baseUrl, SUPPORT_DESK_USER: user, SUPPORT_DESK_TOKEN: token } = config;
  return baseUrl && user && token ? createSupportDesk({ baseUrl, user, token }) : undefined;
}

/** Returns undefined if no provider of videos is configured. */
function openVideos(config: WorkerConfig) {
  const { HEYGEN_API_KEY: apiKey, HEYGEN_AVATAR_ID: avatarId, HEYGEN_VOICE_ID: voiceId } = config;
  const { HEYGEN_URL: baseUrl, HEYGEN_MINUTE_PRICE: minutePrice } = config;
  return apiKey && avatarId && voiceId
    ? createHeyGen({ apiKey, baseUrl, avatarId, voiceId, minutePrice })
    : undefined;
}

/** Returns undefined if no feature board is configured. */
function openFeatureBoard(config: WorkerConfig) {
  const { FEATURE_BOARD_BASE_URL: baseUrl, FEATURE_BOARD_KEY: apiKey, FEATURE_BOARD_ID: boardId } = config;
  return baseUrl && apiKey && boardId ? createFeatureBoard({ baseUrl, apiKey, boardId }) : undefined;
}
