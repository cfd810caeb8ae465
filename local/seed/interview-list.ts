import type { Persona } from '../../db/interviews/public';
import type { coachPlans, Environment } from '../../db/platform/vocabulary';
import { merchants } from './accounts';
import type { SeedMerchant } from './accounts';
import type { platformTemplateIds } from './templates';

export type SeedInterview = {
  key: string;
  owner: SeedMerchant;
  name: string;
  type: string;
  status: string;
  template: keyof typeof platformTemplateIds;
  language?: string;
  environment?: Environment;
  visibility?: string;
  department?: string;
  tags?: string[];
  /** The description to use instead of the one that the fake model drafts. */
  description?: string;
  /** The person that the AI plays. The fake model drafts the parts that are left out. */
  persona?: Partial<Persona>;
  /** The questions, or lines of the person, to use instead of those that the fake model drafts. */
  lines?: string[];
  plan?: (typeof coachPlans)[number];
  minutes?: number;
};

const { main, sub, other } = merchants;
const interview = (key: string, name: string, more: Partial<SeedInterview> = {}): SeedInterview => ({
  key,
  owner: main,
  name,
  type: 'interview',
  status: 'active',
  template: 'interactive_avatar_1',
  ...more,
});
const stage = { visibility: 'sub_item', department: 'Support' };

/** A dozen interviews of the main merchant, of every type, and some of the other merchants. */
export const seedInterviews: SeedInterview[] = [
  interview('active', 'Backend engineer', { department: 'Engineering' }),
  interview('draft', 'Product designer', {
    status: 'draft',
    template: 'interactive_avatar_2',
    department: 'Design',
  }),
  interview('screening', 'Customer support agent: screening', { ...stage, template: 'interactive_voice' }),
  interview('second', 'Customer support agent: second round', stage),
  interview('assessment', 'Warehouse safety assessment', {
    type: 'assessment',
    template: 'offline_avatar_3',
    department: 'Operations',
  }),
  interview('feedback', 'Giving difficult feedback', {
    type: 'coaching',
    template: 'interactive_avatar_2',
    tags: ['leadership', 'feedback'],
    description: 'Say what you saw, what it did and what you wish for. Then be quiet and listen.',
    minutes: 10,
    plan: 'demo',
  }),
  interview('salary', 'Salary negotiation', {
    type: 'coaching',
    template: 'interactive_voice',
    tags: ['leadership', 'negotiation'],
    description: 'Name your figure, give one reason, and let the silence work.',
    plan: 'screening',
  }),
  interview('customer', 'The angry customer', {
    type: 'persona',
    tags: ['service', 'difficult'],
    description: 'The order is wrong for the second time, and the customer says so, loudly.',
    plan: '2nd',
  }),
  interview('founder', 'Pitch to an investor', {
    type: 'persona_interview',
    persona: {
      name: 'Helena Voss',
      role: 'Partner at a fund for early-stage companies',
      situation: 'You have ten minutes of Helena Voss’s time to win her for your company.',
      goal: 'to find out whether the founder knows the numbers and the customers',
      mood: 'curious, quick and hard to impress',
      opening_line: 'Good to see you. I have read nothing yet, so start where it gets interesting.',
    },
    lines: [
      'Everybody says that their market is large. Who paid you last month?',
      'Your largest competitor could build this in a quarter. I see no reason to wait for you.',
      'And if I gave you half of the money, what would you leave out?',
    ],
  }),
  interview('reception', 'Reception avatar', {
    type: 'public_avatar',
    template: 'interactive_avatar_2',
    visibility: 'public',
    description:
      'Ask about a visit to our office. Reception is open from 9 to 17 on weekdays. Visitors get a badge at the desk and are met there. Parking is behind the building.',
  }),
  interview('german', 'Vertriebsleitung', { language: 'de', department: 'Vertrieb' }),
  interview('archived', 'Data analyst (2025)', { status: 'archived' }),
  interview('uat', 'Backend engineer (test run)', { environment: 'uat' }),
  interview('sub', 'Lab technician', { owner: sub }),
  interview('other', 'Store manager', { owner: other }),
  interview('other-uat', 'Store manager (test run)', {
    owner: other,
    status: 'draft',
    template: 'interactive_voice',
    environment: 'uat',
  }),
];
