import { merchants } from './accounts';
import type { SeedInterview } from './interview-list';

type Plan = NonNullable<SeedInterview['plan']>;
type Rest = Partial<
  Pick<SeedInterview, 'language' | 'visibility' | 'status' | 'plan' | 'minutes' | 'persona' | 'lines'>
>;

const session = (
  key: string,
  type: 'coaching' | 'persona',
  name: string,
  tags: string[],
  description: string,
  { status = 'active', ...rest }: Rest = {},
): SeedInterview => ({
  key,
  owner: merchants.main,
  name,
  type,
  status,
  template: type === 'persona' ? 'interactive_avatar_1' : 'interactive_voice',
  tags,
  description,
  ...rest,
});
const planned = (plan: Plan, minutes: number): Rest => ({ plan, minutes });

const parcel: Rest = {
  persona: {
    name: 'Grace Okafor',
    role: 'Customer of an online shop',
    situation: 'The present for her daughter has not arrived. You answer the phone of the shop.',
    goal: 'a date that she can rely on, and an apology that sounds meant',
    mood: 'angry, tired, and fair as soon as somebody takes her seriously',
    opening_line: 'This is my third call about the same parcel. Yesterday was my daughter’s birthday.',
  },
  lines: [
    'The last two colleagues told me “tomorrow”. Why should I believe you?',
    'I can see in the tracking that it went back to your warehouse. Nobody told me.',
    'So what do I tell my daughter tonight?',
    'And what will you do so that I never have to call again?',
  ],
};
const gehalt: Rest = {
  persona: {
    name: 'Katrin Brandt',
    role: 'Leiterin der Abteilung',
    situation: 'Sie haben um ein Gespräch über Ihr Gehalt gebeten. Frau Brandt hat zwanzig Minuten.',
    goal: 'Sie halten, ohne das Budget zu sprengen',
    mood: 'freundlich, vorsichtig und unter Zeitdruck',
    opening_line: 'Schön, dass Sie da sind. Sie wollten über Ihr Gehalt sprechen, ich höre.',
  },
  lines: [
    'Das Budget ist fast verteilt. Warum gerade Sie?',
    'Im Team verdient niemand so viel. Wie soll ich das den anderen erklären?',
    'Und wenn ich Ihnen statt Geld mehr freie Tage anbiete?',
  ],
};

/** Coaching and persona sessions of the main merchant's catalogue. */
export const seedSessions: SeedInterview[] = [
  session('one-on-one', 'coaching', 'Your first one-on-one', ['leadership', 'new-lead'],
    'Open the talk, listen, agree on one thing. For whoever leads people since last week.', planned('demo', 10)),
  session('delegate', 'coaching', 'Delegating without hovering', ['leadership', 'new-lead'],
    'Hand over a task with its goal, its limits and a date, and then let go.', planned('screening', 20)),
  session('underperformer', 'persona', 'The colleague who stopped delivering', ['leadership', 'feedback', 'difficult'],
    'Noah was your best engineer. For two months his work has been late, and the team has noticed.', planned('2nd', 30)),
  session('reorganisation', 'persona', 'Telling the team about the reorganisation', ['leadership', 'change', 'difficult'],
    'Nobody loses the job, everybody gets another lead. The questions are not friendly.', planned('3rd', 30)),
  session('peer-conflict', 'coaching', 'Two colleagues who do not talk', ['leadership', 'difficult'],
    'Bring both to one table and leave with an agreement that both can keep.', planned('closing', 20)),
  session('praise', 'coaching', 'Praise that is believed', ['feedback'],
    'Say what was good, why it mattered, and stop there.', { minutes: 10 }),
  session('receive-feedback', 'coaching', 'Taking criticism without a fight', ['feedback', 'new-lead'],
    'Listen to the end, ask one question, thank. Then decide what to do with it.', { minutes: 10 }),
  session('discount', 'persona', 'The buyer who wants 30 percent off', ['negotiation', 'sales'],
    'Ms Okafor likes the product and has a second offer on the table.', planned('screening', 20)),
  session('renewal', 'persona', 'A renewal that is about to slip', ['negotiation', 'sales', 'difficult'],
    'The contract ends in three weeks and your champion has left the company.', planned('2nd', 30)),
  session('discovery', 'coaching', 'Discovery call: ask before you pitch', ['sales'],
    'Ten minutes, at least six open questions, no slide.', planned('demo', 10)),
  session('late-delivery', 'persona', 'Where is my parcel?', ['service'],
    'It is the third call about the same parcel, and the birthday was yesterday.', { ...planned('demo', 10), ...parcel }),
  session('refund', 'persona', 'A refund that the rules do not allow', ['service', 'difficult'],
    'Say no, stay kind, and find what you can do instead.', planned('screening', 20)),
  session('safety-talk', 'coaching', 'The five-minute safety talk', ['operations'],
    'One hazard, one rule, one question to the shift. In five minutes.', { minutes: 10, plan: 'job-specific' }),
  session('feedback-de', 'coaching', 'Schwieriges Feedback geben', ['leadership', 'feedback', 'deutsch'],
    'Beobachtung, Wirkung, Wunsch: in zehn Minuten und ohne Umwege.', { language: 'de', ...planned('demo', 10) }),
  session('gehalt-de', 'persona', 'Gehaltsgespräch mit der Chefin', ['negotiation', 'deutsch'],
    'Frau Brandt schätzt Sie, und das Budget ist fast verteilt.', { language: 'de', ...planned('screening', 20), ...gehalt }),
  session('konflikt-de', 'persona', 'Streit im Schichtteam', ['leadership', 'difficult', 'deutsch'],
    'Zwei Kollegen wollen nicht mehr in derselben Schicht arbeiten. Beide haben einen Grund.', { language: 'de', ...planned('2nd', 30) }),
  session('board-rehearsal', 'coaching', 'Rehearsal for the board', ['leadership'],
    'Being written: not shown to learners yet.', { status: 'draft' }),
  session('executive', 'persona', 'Executive coaching: the hostile question', ['leadership'],
    'By invitation: the press asks what the board would rather not answer.', { visibility: 'merchant_invite' }),
]; // prettier-ignore
