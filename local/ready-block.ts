import type { OpenLinks } from './seed/open-links';

/** The values in the text that is printed when the local stack is ready. */
interface ReadyFacts {
  base_url: string;
  origin: string;
  portal_url: string;
  /** A sign-in link for the console. */
  console_link: string;
  temporal_ui_url: string;
  fakes_url: string;
  links: OpenLinks;
  tokens: { merchant_owner: string };
  template_ids: Partial<Record<string, string>>;
  metricsPort: number;
  workerMetricsPort: number;
}

/** Returns the text that `npm start` prints when the stack is ready. The lines in it that call the API can be pasted as they are. */
export function readyBlock(facts: ReadyFacts): string {
  const metrics = (port: number) => `http://127.0.0.1:${port}/metrics`;
  const rows = [
    ['API', facts.base_url],
    ['Docs', `${facts.origin}/docs`],
    ['Console', `${facts.console_link} (once, for 15 minutes)`],
    ['', 'another: npm run --silent token -- --console-link --role merchant_owner'],
    ['Portal', facts.portal_url],
    ['Temporal UI', facts.temporal_ui_url],
    ['Fakes', facts.fakes_url],
    ['Metrics', `${metrics(facts.metricsPort)} (API), ${metrics(facts.workerMetricsPort)} (worker)`],
    ['Token', facts.tokens.merchant_owner],
  ];
  return [
    ...rows.map(([label = '', value]) => `  ${label.padEnd(12)} ${value}`),
    '',
    'Take an interview in the browser, with spoken or typed answers:',
    '',
    facts.links.typed_interview,
    '',
    'or with recorded videos:',
    '',
    facts.links.recorded_interview,
    '',
    'Practice a session of the catalogue as the learner Uma Patel:',
    '',
    facts.links.coaching_session,
    '',
    'Create an interview:',
    '',
    curlLine(facts),
    '',
    'List the interviews with the TypeScript client:',
    '',
    clientLine(facts),
    '',
    'Watch a whole interview, from its creation to a second attempt: npm run demo',
    '',
    'Ctrl-C ends everything.',
  ].join('\n');
}

function curlLine({ base_url, tokens, template_ids }: ReadyFacts): string {
  const body = {
    name: 'Backend engineer',
    location: 'Amsterdam',
    interview_template_id: template_ids.interactive_avatar_1 ?? Object.values(template_ids)[0],
    platform_language_code: 'en',
    status: 'active',
    type: 'interview',
    visibility: 'merchant_public',
  };
  return [
    `curl -sS -X POST ${base_url}/job-interview-create`,
    `-H 'Authorization: Bearer ${tokens.merchant_owner}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' ');
}

/** Returns a line that uses the built client of clients/typescript. It takes the token from the stack, because tokens are long. */
function clientLine({ base_url }: ReadyFacts): string {
  const program = [
    "const { InterviewPlatform } = require('./clients/typescript');",
    `const client = new InterviewPlatform({ baseUrl: '${base_url}', token: process.env.TOKEN });`,
    '(async () => { for await (const { id, name } of client.jobInterviewList()) console.log(id, name); })()',
  ].join(' ');
  return `TOKEN=$(npm run --silent token -- --role merchant_owner) node -e "${program}"`;
}
