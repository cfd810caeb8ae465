import { listenForNotifications } from '../../../db/platform/listen';
import { askNextTurn } from '../../../db/taking/attempt-work';
import { platformTemplateIds } from '../../../local/seed/templates';
import { atEnd } from '../../harness/at-end';
import { waitFor } from '../../harness/wait-for';
import { createTakingWorld } from './taking-world';

it('notifies the live process of a turn that was asked, for which it waits', async () => {
  const world = await createTakingWorld();
  const link = await world.open([{ question: 'A' }, { question: 'B' }], {
    interview_template_id: platformTemplateIds.offline_avatar_3,
    max_followups: 1,
  });
  const { attempt } = await world.begin(link);
  await world.answerOpen(link);
  await world.answerOpen(link);
  const answered = (await world.get(link)).undecided_turn ?? '';
  const told: string[] = [];
  const stop = new AbortController();
  atEnd(() => stop.abort());
  void listenForNotifications({
    url: world.database.apiUrl,
    applicationName: 'test',
    channels: { turn_asked: (turnId) => void told.push(turnId) },
    onError: () => undefined,
    signal: stop.signal,
  });
  await waitFor('LISTEN', () => Promise.resolve(told.length > 0));
  const asked = askNextTurn(attempt?.result_id ?? '', 1, answered, 'next_planned');
  await world.writeAsWorker((trx) => trx.one(asked));
  await waitFor('the notification', () => Promise.resolve(told.includes(answered)));
});
