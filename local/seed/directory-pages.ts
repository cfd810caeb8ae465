import { interviewId } from './fixed-id';

/** The start page of the main merchant's portal. It contains every directive, with Markdown between them. */
export const academyPage = `Practise the conversations that decide how work goes. Begin where you like, and begin again as often as you like.

[chip:10 to 30 minutes]
[chip:new every month,tone=accent]
[chip:at your own pace,tone=success]

[plan-progress]

# Start here

[callout:accent]
**Never done this before?** Take *Giving difficult feedback* first. It is short, and you may repeat it as often as you like.

[session:${interviewId('feedback')}]
[/callout]

# By topic

[cards]
[directory:leadership-en]
[directory:feedback-en]
[directory:negotiation-en]
[directory:service-en]
[directory:academy-de]
[directory:coaching-basics-en]
[/cards]

# How a session goes

[columns]
1. Choose a session and read what it is about.
2. Speak: the avatar answers.
3. Read what went well and what to try next.

| You have | Take |
|---|---|
| ten minutes | a coaching session |
| half an hour | a persona: somebody who does not make it easy |
[/columns]

# Not the easy ones

[sessions:filter=difficult,limit=3]

[callout:warning]
Sessions need a microphone. In an open office, a headset keeps the neighbours friendly.
[/callout]

[button:Read the handbook,url=https://handbook.example.com/coaching]
`;

export const newLeadPage = `You have led a team since last week? These are the talks of your first hundred days.

[plan-progress]

[sessions]

[callout:neutral]
Done with all of them? Go on below, or ask your mentor.
[/callout]

[directory:difficult-en]
`;

export const servicePage = `# Calls that begin badly

They can end well. Take a breath, let the customer finish, and begin with what you *can* do.

[chip:by phone]
[chip:difficult,tone=danger]

[sessions:customer]

# All of them

[sessions]
`;

export const germanPage = `Gespräche üben, bevor sie zählen. Alle Übungen auf dieser Seite sind auf Deutsch.

[chip:auf Deutsch,tone=accent]

[cards]
[directory:fuehrung-de]
[/cards]

[sessions]

[button:Zum Handbuch,url=https://handbook.example.com/de/coaching]
`;

export const executivePage = `By invitation, for those who speak for the house.

[callout:success]
Every session may be repeated before the day it is for.
[/callout]

[session:${interviewId('executive')}]

[sessions:filter=difficult,limit=2]
`;

/** The Markdown of a directory that all merchants show. */
export const basicsPage = `New to coaching with an avatar? Five things to know.

1. Speak as you would in the room.
2. Pauses are fine: the avatar waits.
3. Begin again whenever you like.
4. Read the feedback the same day.
5. Come back after a week.

[callout:neutral]
The sessions themselves are your organisation's: go back to its first page to choose one.
[/callout]

[directory:coaching-privacy-en]
`;
