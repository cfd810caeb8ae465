/**
 * The fake model's sentences, which are always in English. Placeholders: {job} is the interview's name; {as} and {at}
 * can be empty and contain their own leading space; the others are {level}, {location} and {topic}. Every frame has
 * {topic}, so that all combinations are distinct.
 */
export const phrases = {
  quote: '“{words}”',
  at: ' at {company}',
  forClient: ' for our client',
  asHiring: ' as {job}',
  asPractice: ' in “{job}”',
  levels: {
    'entry-level': 'entry level',
    intermediate: 'intermediate',
    senior: 'senior',
    managerial: 'management',
    director: 'director',
    executive: 'executive',
  },
  openings: {
    hiring:
      'What attracts you to the role of {job}{at} ({level}), and where would {topic} matter most in it?',
    practice: 'What do you want to get better at{as}{at}, and where did {topic} last matter to you?',
    assessment: 'This assessment is about {job}{at} ({level}). What is your experience with {topic}?',
  },
  frames: [
    'Tell me about a situation in which {topic} decided the result of your work. What did you do yourself?',
    'How would you approach {topic}{as}{at}, step by step?',
    'Which mistake around {topic} taught you the most, and what do you do differently today?',
    'How do you notice early that {topic} is at risk, and what is your first step?',
    'Describe a recent decision you made about {topic}. Which alternatives did you weigh?',
    'How do you explain {topic} to somebody who has no background in your field?',
    'What does good work look like to you when it comes to {topic}, and how do you measure it?',
    'Imagine that a colleague disagrees with you about {topic}. How do you reach a result together?',
    'Which tools or methods do you rely on for {topic}{as}, and why those?',
    'Give an example of feedback you received on {topic}. What changed afterwards?',
    'If you had half the time you need for {topic}, what would you still do without compromise?',
    'What would you want to know about {topic}{at} before you begin{as}?',
    'Which question about {topic} do you find hardest{as}, and how do you answer it?',
    'How has your view of {topic} changed over the last years, and what caused the change?',
  ],
  topics: [
    'planning and priorities',
    'quality of results',
    'teamwork',
    'communication with customers',
    'handling pressure and deadlines',
    'problem solving',
    'learning new skills',
    'documentation and knowledge sharing',
    'dealing with conflict',
    'working with data and facts',
    'process improvement',
    'personal responsibility',
  ],
  levelTopics: {
    starting: ['your training and first projects', 'asking for help at the right time'],
    experienced: ['independent work on complex tasks', 'mentoring less experienced colleagues'],
    leading: ['leading and developing people', 'strategy and goals', 'budget and resources'],
  },
  kindTopics: {
    'pre-screening-with-test-questions': 'a short professional test task',
    'second-interview': 'the open points of the first interview',
    'remote-freelancer-verification': 'remote work and proof of earlier projects',
    'strength-based-interview': 'the tasks that give you energy',
    'potential-based-interview': 'what you could grow into',
    'process-verification-from-knowledge-base': 'the documented process',
  },
  department: 'the work of the {department} department',
  rubric: {
    weak: [
      'Names {topic} as part of the work',
      'Describes own tasks related to {topic} in general terms',
      'Mentions one situation that involved {topic}',
      'Shows interest in learning more about {topic}',
      'Uses basic terms of {topic} correctly',
    ],
    moderate: [
      'Gives a concrete example of {topic} with situation and action',
      'Explains the own part in {topic} and that of others',
      'States why one way of handling {topic} was chosen',
      'Names a result that followed from the work on {topic}',
      'Points out a risk of {topic} and a matching measure',
    ],
    strong: [
      'Backs the result of {topic} with numbers or feedback',
      'Weighs several alternatives for {topic} and their consequences',
      'Draws a lesson from {topic} and shows how it was applied later',
      'Transfers the experience with {topic} to the tasks of this role',
      'Makes {topic} work for others by standards, coaching or tools',
    ],
  },
  descriptionHiring:
    'This interview is for {job}{at} ({location}). It asks about {topic} and {second} at the level: {level}.',
  descriptionPractice:
    'This session practises {job}{at} ({location}). It trains {topic} and {second} at the level: {level}.',
  long: {
    headings: {
      purpose: 'Purpose',
      responsibilities: 'Responsibilities',
      required: 'Required qualifications',
      preferred: 'Preferred qualifications',
    },
    lines: {
      responsibility: 'Take charge of {topic} in daily work',
      required: 'Practical experience with {topic}',
      preferred: 'Deeper knowledge of {topic}',
    },
  },
  label: 'This text was composed by the local fake and not written by a model.',
};
