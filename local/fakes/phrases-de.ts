import type { Phrases } from './phrases-type';

export const german: Phrases = {
  quote: '„{words}“',
  at: ' bei {company}',
  forClient: ' für unseren Kunden',
  asHiring: ' als {job}',
  asPractice: ' in der Übung „{job}“',
  levels: {
    'entry-level': 'Berufseinstieg',
    intermediate: 'mit Berufserfahrung',
    senior: 'Senior',
    managerial: 'Führungskraft',
    director: 'Bereichsleitung',
    executive: 'Geschäftsleitung',
  },
  openings: {
    hiring:
      'Was reizt Sie an der Aufgabe als {job}{at} ({level}), und welche Rolle spielt dabei das Thema {topic}?',
    practice: 'Was möchten Sie{as}{at} verbessern, und wo war das Thema {topic} zuletzt wichtig für Sie?',
    assessment:
      'In diesem Test geht es um {job}{at} ({level}). Welche Erfahrung haben Sie mit dem Thema {topic}?',
  },
  frames: [
    'Erzählen Sie von einer Situation, in der das Thema {topic} über Ihr Ergebnis entschied. Was haben Sie selbst getan?',
    'Wie gehen Sie das Thema {topic}{as}{at} Schritt für Schritt an?',
    'Welcher Fehler beim Thema {topic} hat Sie am meisten gelehrt, und was machen Sie heute anders?',
    'Woran erkennen Sie früh, dass es beim Thema {topic} Schwierigkeiten gibt, und was ist Ihr erster Schritt?',
    'Beschreiben Sie eine jüngere Entscheidung zum Thema {topic}. Welche Alternativen haben Sie abgewogen?',
    'Wie erklären Sie das Thema {topic} jemandem ohne Vorkenntnisse?',
    'Woran messen Sie gute Arbeit, wenn es um das Thema {topic} geht?',
    'Eine Kollegin sieht das Thema {topic} anders als Sie. Wie kommen Sie gemeinsam zu einem Ergebnis?',
    'Welche Methoden oder Werkzeuge nutzen Sie{as} für das Thema {topic}, und warum gerade diese?',
    'Was möchten Sie{at} über das Thema {topic} wissen, bevor Sie{as} beginnen?',
  ],
  topics: [
    'Planung und Prioritäten',
    'Qualität der Ergebnisse',
    'Teamarbeit',
    'Umgang mit Kunden',
    'Zeitdruck und Termine',
    'Lösen von Problemen',
    'Lernen neuer Fähigkeiten',
    'Weitergabe von Wissen',
    'Umgang mit Konflikten',
    'Verbesserung von Abläufen',
  ],
  levelTopics: {
    starting: ['Ausbildung und erste Projekte', 'Hilfe zur rechten Zeit'],
    experienced: ['selbständige Arbeit an schwierigen Aufgaben', 'Begleitung jüngerer Kollegen'],
    leading: ['Führung und Entwicklung von Menschen', 'Strategie und Ziele', 'Budget und Mittel'],
  },
  kindTopics: {
    'pre-screening-with-test-questions': 'kurze fachliche Testaufgabe',
    'second-interview': 'offene Punkte des ersten Gesprächs',
    'remote-freelancer-verification': 'Arbeit aus der Ferne und Nachweis früherer Projekte',
    'strength-based-interview': 'Aufgaben, die Ihnen Kraft geben',
    'potential-based-interview': 'Ihr Entwicklungspotenzial',
    'process-verification-from-knowledge-base': 'dokumentierter Prozess',
  },
  department: 'Aufgaben der Abteilung {department}',
  rubric: {
    weak: [
      'Nennt das Thema {topic} als Teil der Arbeit',
      'Beschreibt eigene Aufgaben zum Thema {topic} allgemein',
      'Erwähnt eine Situation, in der das Thema {topic} vorkam',
      'Zeigt Interesse, beim Thema {topic} dazuzulernen',
      'Verwendet Grundbegriffe zum Thema {topic} richtig',
    ],
    moderate: [
      'Gibt ein konkretes Beispiel zum Thema {topic} mit Lage und Handlung',
      'Trennt beim Thema {topic} den eigenen Anteil von dem anderer',
      'Begründet den gewählten Weg beim Thema {topic}',
      'Nennt ein Ergebnis der Arbeit am Thema {topic}',
      'Benennt beim Thema {topic} ein Risiko und eine passende Maßnahme',
    ],
    strong: [
      'Belegt das Ergebnis beim Thema {topic} mit Zahlen oder Rückmeldungen',
      'Wägt zum Thema {topic} mehrere Alternativen und deren Folgen ab',
      'Zieht aus dem Thema {topic} eine Lehre und zeigt ihre spätere Anwendung',
      'Überträgt die Erfahrung mit dem Thema {topic} auf diese Aufgabe',
      'Macht das Thema {topic} durch Standards oder Anleitung für andere nutzbar',
    ],
  },
  descriptionHiring:
    'Dieses Interview gilt der Aufgabe {job}{at} ({location}). Gefragt wird nach den Themen {topic} und {second} auf der Stufe: {level}.',
  descriptionPractice:
    'Diese Sitzung übt {job}{at} ({location}). Trainiert werden die Themen {topic} und {second} auf der Stufe: {level}.',
  long: {
    headings: {
      purpose: 'Zweck',
      responsibilities: 'Aufgaben',
      required: 'Erforderliche Qualifikationen',
      preferred: 'Wünschenswerte Qualifikationen',
    },
    lines: {
      responsibility: 'Verantwortung im Alltag: {topic}',
      required: 'Praktische Erfahrung: {topic}',
      preferred: 'Vertiefte Kenntnisse: {topic}',
    },
  },
  label: 'Dieser Text wurde vom lokalen Fake zusammengesetzt und nicht von einem Modell geschrieben.',
};
