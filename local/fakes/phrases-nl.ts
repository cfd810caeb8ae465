import type { Phrases } from './phrases-type';

export const dutch: Phrases = {
  quote: '‘{words}’',
  at: ' bij {company}',
  forClient: ' voor onze opdrachtgever',
  asHiring: ' als {job}',
  asPractice: ' in ‘{job}’',
  levels: {
    'entry-level': 'starter',
    intermediate: 'medior',
    senior: 'senior',
    managerial: 'leidinggevend',
    director: 'directeur',
    executive: 'directie',
  },
  openings: {
    hiring:
      'Wat trekt u aan in de functie van {job}{at} ({level}), en welke rol speelt het onderwerp {topic} daarin?',
    practice:
      'Wat wilt u{as}{at} verbeteren, en wanneer was het onderwerp {topic} voor het laatst belangrijk voor u?',
    assessment: 'Deze toets gaat over {job}{at} ({level}). Welke ervaring hebt u met het onderwerp {topic}?',
  },
  frames: [
    'Vertel over een situatie waarin het onderwerp {topic} bepalend was voor uw resultaat. Wat hebt u zelf gedaan?',
    'Hoe pakt u het onderwerp {topic}{as}{at} stap voor stap aan?',
    'Van welke fout bij het onderwerp {topic} hebt u het meest geleerd, en wat doet u nu anders?',
    'Hoe merkt u vroeg dat het onderwerp {topic} moeilijkheden geeft, en wat is uw eerste stap?',
    'Beschrijf een recente beslissing over het onderwerp {topic}. Welke alternatieven hebt u afgewogen?',
    'Hoe legt u het onderwerp {topic} uit aan iemand buiten uw vak?',
    'Waaraan herkent u goed werk bij het onderwerp {topic}, en hoe meet u dat?',
    'Een collega denkt anders over het onderwerp {topic}. Hoe komt u samen tot een resultaat?',
    'Welke methoden of hulpmiddelen gebruikt u{as} voor het onderwerp {topic}, en waarom juist die?',
    'Wat wilt u{at} over het onderwerp {topic} weten voordat u{as} begint?',
  ],
  topics: [
    'planning en prioriteiten',
    'kwaliteit van resultaten',
    'samenwerking',
    'contact met klanten',
    'werkdruk en deadlines',
    'problemen oplossen',
    'nieuwe vaardigheden leren',
    'kennis delen',
    'omgaan met conflicten',
    'verbetering van processen',
  ],
  levelTopics: {
    starting: ['opleiding en eerste projecten', 'op tijd hulp vragen'],
    experienced: ['zelfstandig werk aan complexe taken', 'begeleiding van minder ervaren collega’s'],
    leading: ['leiding en ontwikkeling van mensen', 'strategie en doelen', 'budget en middelen'],
  },
  kindTopics: {
    'pre-screening-with-test-questions': 'korte vakinhoudelijke proef',
    'second-interview': 'open punten van het eerste gesprek',
    'remote-freelancer-verification': 'werken op afstand en bewijs van eerdere projecten',
    'strength-based-interview': 'taken die u energie geven',
    'potential-based-interview': 'groeipotentieel',
    'process-verification-from-knowledge-base': 'gedocumenteerd proces',
  },
  department: 'werk van de afdeling {department}',
  rubric: {
    weak: [
      'Noemt het onderwerp {topic} als deel van het werk',
      'Beschrijft eigen taken bij het onderwerp {topic} in het algemeen',
      'Vermeldt een situatie met het onderwerp {topic}',
      'Toont interesse om meer te leren over het onderwerp {topic}',
      'Gebruikt basisbegrippen van het onderwerp {topic} juist',
    ],
    moderate: [
      'Geeft een concreet voorbeeld van het onderwerp {topic} met situatie en actie',
      'Onderscheidt het eigen aandeel in het onderwerp {topic} van dat van anderen',
      'Onderbouwt de gekozen aanpak van het onderwerp {topic}',
      'Noemt een resultaat van het werk aan het onderwerp {topic}',
      'Wijst bij het onderwerp {topic} op een risico en een passende maatregel',
    ],
    strong: [
      'Staaft het resultaat bij het onderwerp {topic} met cijfers of feedback',
      'Weegt bij het onderwerp {topic} alternatieven en hun gevolgen af',
      'Trekt een les uit het onderwerp {topic} en toont de latere toepassing',
      'Vertaalt de ervaring met het onderwerp {topic} naar deze functie',
      'Helpt anderen bij het onderwerp {topic} met normen of hulpmiddelen',
    ],
  },
  descriptionHiring:
    'Dit interview is voor {job}{at} ({location}). Het gaat over {topic} en {second} op het niveau: {level}.',
  descriptionPractice:
    'Deze sessie oefent {job}{at} ({location}). Ze traint {topic} en {second} op het niveau: {level}.',
  long: {
    headings: {
      purpose: 'Doel',
      responsibilities: 'Verantwoordelijkheden',
      required: 'Vereiste kwalificaties',
      preferred: 'Gewenste kwalificaties',
    },
    lines: {
      responsibility: 'Dagelijkse verantwoordelijkheid: {topic}',
      required: 'Praktische ervaring: {topic}',
      preferred: 'Diepere kennis: {topic}',
    },
  },
  label: 'Deze tekst is samengesteld door de lokale fake en niet geschreven door een model.',
};
