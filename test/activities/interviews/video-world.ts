import { createQuestionVideoActivities } from '../../../activities/interviews/question-videos';
import { createHeyGen } from '../../../activities/providers/heygen';
import type { ModelCall } from '../../../db/interviews/public';
import type { Database } from '../../../db/platform/database';
import { questionVideoPath } from '../../../db/platform/object-path';
import { readObject } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { startFakes } from '../../../local/fakes/server';
import { platformTemplateIds } from '../../../local/seed/templates';
import { createTakingWorld } from '../../db/taking/taking-world';
import type { StepRow } from '../../db/taking/taking-world';
import { atEnd } from '../../harness/at-end';
import { fakesAt } from '../../harness/platform/fakes';
import { openTemporaryObjects } from '../../harness/platform/temporary-objects';

type VideoRow = {
  id: string;
  merchant_id: string;
  question_id: string;
  interview_id: string;
  text: string;
  state: string;
  error: string | null;
  duration_ms: number | null;
};

/** Creates a database with interviews, and the real activities of videos, which call the fake of HeyGen. */
export async function startVideoWorld() {
  const [world, fakes, { objects }] = await Promise.all([
    createTakingWorld(),
    startFakes({ port: 0 }),
    openTemporaryObjects(),
  ]);
  atEnd(fakes.close);
  const calls = fakesAt(fakes.url);
  const videos = createHeyGen({
    apiKey: 'test',
    baseUrl: `${fakes.url}/heygen`,
    avatarId: 'anna',
    voiceId: 'calm',
    minutePrice: 2,
  });
  atEnd(videos.close);
  const counted: ModelCall[] = [];
  const activitiesWith = (
    changes: {
      database?: Pick<Database, 'writeAsWorker'>;
      objects?: Pick<ObjectStore, 'put' | 'delete'>;
    } = {},
  ) =>
    createQuestionVideoActivities({
      database: world.worker,
      objects,
      videos,
      onModelCall: (call) => void counted.push(call),
      ...changes,
    });
  const rows = (interviewId: string) =>
    world.database.rows<VideoRow>(
      `select v.*, (q.question || q.question_alternatives)[v.wording + 1] as text
       from question_video v join question q on q.id = v.question_id where v.interview_id = $1 order by v.created_at, text`,
      [interviewId],
    );
  /** Creates an interview with this template that asks these questions, and returns its id. */
  async function interviewWith(
    steps: StepRow[],
    template: keyof typeof platformTemplateIds = 'offline_avatar_3',
  ) {
    const link = await world.open(steps, { interview_template_id: platformTemplateIds[template] });
    const [found] = await world.database.rows<{ id: string }>(
      'select interview_id as id from enrolment where id = $1',
      [link.enrolmentId],
    );
    return found?.id ?? '';
  }
  return {
    ...world,
    objects,
    videos,
    counted,
    activitiesWith,
    activities: activitiesWith(),
    videoRows: rows,
    interviewWith,
    /** Plans the video of a question, and returns its row. */
    plan: async (question: string) => {
      const id = await interviewWith([{ question }]);
      await activitiesWith().planQuestionVideos({ interview_id: id });
      const row = (await rows(id)).find(({ text }) => text === question);
      if (!row) throw new Error('no video was planned');
      return row;
    },
    row: async (id: string) =>
      (await world.database.rows<VideoRow>('select * from question_video where id = $1', [id]))[0],
    file: ({ merchant_id, id }: VideoRow) => readObject(objects, questionVideoPath(merchant_id, id)),
    ledger: (interviewId: string) =>
      world.database.rows<ModelCall>(
        `select * from model_call where interview_id = $1 and purpose = 'question_video'`,
        [interviewId],
      ),
    /** The orders that the provider got for a text. */
    orders: async (text: string) =>
      ((await calls.fake('/videos')) as { text: string; callback_id: string }[]).filter(
        (video) => video.text === text,
      ),
    fault: (fault: Record<string, unknown>) => calls.fault({ provider: 'heygen', ...fault }),
    clearFaults: calls.clearFaults,
  };
}
