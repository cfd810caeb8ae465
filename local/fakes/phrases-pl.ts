import type { Phrases } from './phrases-type';

/** A topic is always in the nominative, after „temat”, because names and free text cannot be inflected. */
export const polish: Phrases = {
  quote: '„{words}”',
  at: ' w firmie {company}',
  forClient: ' u naszego klienta',
  asHiring: ' na stanowisku „{job}”',
  asPractice: ' w ćwiczeniu „{job}”',
  levels: {
    'entry-level': 'początkujący',
    intermediate: 'średni',
    senior: 'zaawansowany',
    managerial: 'kierowniczy',
    director: 'dyrektorski',
    executive: 'zarząd',
  },
  openings: {
    hiring:
      'Co przyciąga Pana/Panią do pracy{as}{at} (poziom: {level}) i jak ważny jest w niej temat: {topic}?',
    practice: 'Co chce Pan/Pani poprawić{as}{at} i kiedy ostatnio ważny był temat: {topic}?',
    assessment:
      'Ten test dotyczy pracy{as}{at} (poziom: {level}). Jakie ma Pan/Pani doświadczenie, temat: {topic}?',
  },
  frames: [
    'Proszę opowiedzieć o sytuacji, w której o wyniku pracy zdecydował temat: {topic}. Jaki był Pana/Pani udział?',
    'Jak krok po kroku podejmuje Pan/Pani{as}{at} temat: {topic}?',
    'Temat: {topic}. Który błąd nauczył Pana/Panią najwięcej i co dziś robi Pan/Pani inaczej?',
    'Temat: {topic}. Po czym wcześnie poznaje Pan/Pani trudności i jaki jest pierwszy krok?',
    'Temat: {topic}. Proszę opisać niedawną decyzję. Jakie możliwości zostały porównane?',
    'Jak wyjaśnia Pan/Pani osobie spoza branży temat: {topic}?',
    'Temat: {topic}. Po czym poznaje Pan/Pani dobrą pracę i jak ją mierzy?',
    'Temat: {topic}. Współpracownik ma inne zdanie. Jak dochodzicie Państwo razem do wyniku?',
    'Temat: {topic}. Jakich narzędzi lub metod używa Pan/Pani{as} i dlaczego właśnie tych?',
    'Temat: {topic}. Co chce Pan/Pani wiedzieć{at} przed rozpoczęciem pracy{as}?',
  ],
  topics: [
    'planowanie i priorytety',
    'jakość wyników',
    'praca zespołowa',
    'kontakt z klientem',
    'presja i terminy',
    'rozwiązywanie problemów',
    'nauka nowych umiejętności',
    'dzielenie się wiedzą',
    'radzenie sobie z konfliktami',
    'usprawnianie procesów',
  ],
  levelTopics: {
    starting: ['wykształcenie i pierwsze projekty', 'proszenie o pomoc we właściwym czasie'],
    experienced: ['samodzielna praca nad złożonymi zadaniami', 'wsparcie mniej doświadczonych osób'],
    leading: ['kierowanie ludźmi i ich rozwój', 'strategia i cele', 'budżet i zasoby'],
  },
  kindTopics: {
    'pre-screening-with-test-questions': 'krótkie zadanie zawodowe',
    'second-interview': 'otwarte punkty pierwszej rozmowy',
    'remote-freelancer-verification': 'praca zdalna i dowody wcześniejszych projektów',
    'strength-based-interview': 'zadania, które dodają energii',
    'potential-based-interview': 'potencjał rozwoju',
    'process-verification-from-knowledge-base': 'udokumentowany proces',
  },
  department: 'zadania działu „{department}”',
  rubric: {
    weak: [
      'Wymienia jako część pracy temat: {topic}',
      'Ogólnie opisuje własne zadania, temat: {topic}',
      'Wspomina jedną sytuację, temat: {topic}',
      'Okazuje chęć dalszej nauki, temat: {topic}',
      'Poprawnie używa podstawowych pojęć, temat: {topic}',
    ],
    moderate: [
      'Podaje konkretny przykład z sytuacją i działaniem, temat: {topic}',
      'Oddziela własny udział od udziału innych, temat: {topic}',
      'Uzasadnia wybrany sposób działania, temat: {topic}',
      'Podaje uzyskany wynik, temat: {topic}',
      'Wskazuje ryzyko i odpowiedni środek, temat: {topic}',
    ],
    strong: [
      'Potwierdza wynik liczbami lub opiniami, temat: {topic}',
      'Porównuje kilka możliwości i ich skutki, temat: {topic}',
      'Wyciąga wniosek i pokazuje jego późniejsze użycie, temat: {topic}',
      'Przenosi doświadczenie na to stanowisko, temat: {topic}',
      'Ułatwia pracę innym przez zasady lub narzędzia, temat: {topic}',
    ],
  },
  descriptionHiring:
    'Ta rozmowa dotyczy pracy{as}{at} ({location}). Obejmuje tematy: {topic} oraz {second}, poziom: {level}.',
  descriptionPractice:
    'Ta sesja pozwala ćwiczyć „{job}”{at} ({location}). Obejmuje tematy: {topic} oraz {second}, poziom: {level}.',
  long: {
    headings: {
      purpose: 'Cel',
      responsibilities: 'Obowiązki',
      required: 'Wymagane kwalifikacje',
      preferred: 'Mile widziane kwalifikacje',
    },
    lines: {
      responsibility: 'Codzienna odpowiedzialność: {topic}',
      required: 'Praktyczne doświadczenie: {topic}',
      preferred: 'Pogłębiona wiedza: {topic}',
    },
  },
  label: 'Ten tekst złożył lokalny fake, nie napisał go model.',
};
