import type { coachPlans, Environment } from '../../db/platform/vocabulary';
import { merchants } from './accounts';
import type { SeedMerchant } from './accounts';
import type { templateIds } from './templates';

export type SeedInterview = {
  key: string;
  owner: SeedMerchant;
  name: string;
  type: string;
  status: string;
  template: keyof typeof templateIds;
  language?: string;
  environment?: Environment;
  visibility?: string;
  department?: string;
  tags?: string[];
  /** Replaces the fake's draft. */
  description?: string;
  plan?: (typeof coachPlans)[number];
  minutes?: number;
};

const { main, sub, other } = merchants;
/** A dozen interviews of our merchant, of every type, and some of the others. */
export const seedInterviews: SeedInterview[] = [
  {
    key: 'active',
    owner: main,
    name: 'Backend engineer',
    type: 'interview',
    status: 'active',
    template: 'interactive_avatar_1',
    department: 'Engineering',
  },
  {
    key: 'draft',
    owner: main,
    name: 'Product designer',
    type: 'interview',
    status: 'draft',
    template: 'interactive_avatar_2',
    department: 'Design',
  },
  {
    key: 'screening',
    owner: main,
    name: 'Customer support agent: screening',
    type: 'interview',
    status: 'active',
    template: 'interactive_voice',
    visibility: 'sub_item',
    department: 'Support',
  },
  {
    key: 'second',
    owner: main,
    name: 'Customer support agent: second round',
    type: 'interview',
    status: 'active',
    template: 'interactive_avatar_1',
    visibility: 'sub_item',
    department: 'Support',
  },
  {
    key: 'assessment',
    owner: main,
    name: 'Warehouse safety assessment',
    type: 'assessment',
    status: 'active',
    template: 'offline_avatar_3',
    department: 'Operations',
  },
  {
    key: 'feedback',
    owner: main,
    name: 'Giving difficult feedback',
    type: 'coaching',
    status: 'active',
    template: 'interactive_avatar_2',
    tags: ['leadership', 'feedback'],
    description: 'Say what you saw, what it did and what you wish for. Then be quiet and listen.',
    minutes: 10,
    plan: 'demo',
  },
  {
    key: 'salary',
    owner: main,
    name: 'Salary negotiation',
    type: 'coaching',
    status: 'active',
    template: 'interactive_voice',
    tags: ['leadership', 'negotiation'],
    description: 'Name your figure, give one reason, and let the silence work.',
    plan: 'screening',
  },
  {
    key: 'customer',
    owner: main,
    name: 'The angry customer',
    type: 'persona',
    status: 'active',
    template: 'interactive_avatar_1',
    tags: ['service', 'difficult'],
    description: 'The order is wrong for the second time, and the customer says so, loudly.',
    plan: '2nd',
  },
  {
    key: 'founder',
    owner: main,
    name: 'Pitch to an investor',
    type: 'persona_interview',
    status: 'active',
    template: 'interactive_avatar_1',
  },
  {
    key: 'reception',
    owner: main,
    name: 'Reception avatar',
    type: 'public_avatar',
    status: 'active',
    template: 'interactive_avatar_2',
    visibility: 'public',
  },
  {
    key: 'german',
    owner: main,
    name: 'Vertriebsleitung',
    type: 'interview',
    status: 'active',
    template: 'interactive_avatar_1',
    language: 'de',
    department: 'Vertrieb',
  },
  {
    key: 'archived',
    owner: main,
    name: 'Data analyst (2025)',
    type: 'interview',
    status: 'archived',
    template: 'interactive_avatar_1',
  },
  {
    key: 'uat',
    owner: main,
    name: 'Backend engineer (test run)',
    type: 'interview',
    status: 'active',
    template: 'interactive_avatar_1',
    environment: 'uat',
  },
  {
    key: 'sub',
    owner: sub,
    name: 'Lab technician',
    type: 'interview',
    status: 'active',
    template: 'interactive_avatar_1',
  },
  {
    key: 'other',
    owner: other,
    name: 'Store manager',
    type: 'interview',
    status: 'active',
    template: 'interactive_avatar_1',
  },
  {
    key: 'other-uat',
    owner: other,
    name: 'Store manager (test run)',
    type: 'interview',
    status: 'draft',
    template: 'interactive_voice',
    environment: 'uat',
  },
];
