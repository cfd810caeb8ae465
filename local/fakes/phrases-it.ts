import type { Phrases } from './phrases-type';

export const italian: Phrases = {
  quote: '«{words}»',
  at: ' presso {company}',
  forClient: ' per il nostro cliente',
  asHiring: ' come {job}',
  asPractice: ' in «{job}»',
  levels: {
    'entry-level': 'iniziale',
    intermediate: 'intermedio',
    senior: 'senior',
    managerial: 'manageriale',
    director: 'direttivo',
    executive: 'dirigenziale',
  },
  openings: {
    hiring:
      'Che cosa La attira del ruolo di {job}{at} (livello {level}), e quanto conta per esso questo tema: {topic}?',
    practice:
      'Che cosa desidera migliorare{as}{at}, e quando è stato importante per Lei questo tema: {topic}?',
    assessment:
      'Questa valutazione riguarda {job}{at} (livello {level}). Che esperienza ha con questo tema: {topic}?',
  },
  frames: [
    'Racconti una situazione in cui questo tema ha deciso il risultato del Suo lavoro: {topic}. Che cosa ha fatto Lei?',
    'Come affronterebbe{as}{at}, passo dopo passo, questo tema: {topic}?',
    'Sul tema {topic}, quale errore Le ha insegnato di più e che cosa fa oggi diversamente?',
    'Come si accorge presto di una difficoltà sul tema {topic}, e qual è il Suo primo passo?',
    'Descriva una decisione recente sul tema {topic}. Quali alternative ha confrontato?',
    'Come spiega questo tema a chi non conosce la Sua professione: {topic}?',
    'Da che cosa riconosce un buon lavoro sul tema {topic}, e come lo misura?',
    'Un collega non è d’accordo con Lei sul tema {topic}. Come arrivate insieme a un risultato?',
    'Quali strumenti o metodi usa{as} per il tema {topic}, e perché proprio quelli?',
    'Che cosa vorrebbe sapere{at} sul tema {topic} prima di iniziare{as}?',
  ],
  topics: [
    'pianificazione e priorità',
    'qualità dei risultati',
    'lavoro di squadra',
    'rapporto con i clienti',
    'pressione e scadenze',
    'soluzione di problemi',
    'apprendimento di nuove competenze',
    'condivisione delle conoscenze',
    'gestione dei conflitti',
    'miglioramento dei processi',
  ],
  levelTopics: {
    starting: ['formazione e primi progetti', 'chiedere aiuto al momento giusto'],
    experienced: ['autonomia in compiti complessi', 'affiancamento di colleghi meno esperti'],
    leading: ['guida e sviluppo delle persone', 'strategia e obiettivi', 'budget e risorse'],
  },
  kindTopics: {
    'pre-screening-with-test-questions': 'breve prova professionale',
    'second-interview': 'punti aperti del primo colloquio',
    'remote-freelancer-verification': 'lavoro a distanza e prove di progetti precedenti',
    'strength-based-interview': 'compiti che Le danno energia',
    'potential-based-interview': 'potenziale di crescita',
    'process-verification-from-knowledge-base': 'processo documentato',
  },
  department: 'lavoro del reparto {department}',
  rubric: {
    weak: [
      'Nomina questo tema come parte del lavoro: {topic}',
      'Descrive in generale i propri compiti sul tema {topic}',
      'Cita una situazione legata al tema {topic}',
      'Mostra interesse a imparare di più sul tema {topic}',
      'Usa correttamente i termini di base del tema {topic}',
    ],
    moderate: [
      'Porta un esempio concreto sul tema {topic}, con situazione e azione',
      'Distingue la propria parte da quella degli altri sul tema {topic}',
      'Motiva la strada scelta sul tema {topic}',
      'Indica un risultato ottenuto sul tema {topic}',
      'Segnala un rischio e una misura adatta sul tema {topic}',
    ],
    strong: [
      'Sostiene il risultato con numeri o riscontri sul tema {topic}',
      'Confronta più alternative e le loro conseguenze sul tema {topic}',
      'Trae una lezione e mostra come è servita in seguito sul tema {topic}',
      'Applica la propria esperienza a questo ruolo sul tema {topic}',
      'Aiuta gli altri con regole o strumenti sul tema {topic}',
    ],
  },
  descriptionHiring:
    'Questo colloquio riguarda {job}{at} ({location}). Tratta questi temi: {topic} e {second}, al livello {level}.',
  descriptionPractice:
    'Questa sessione serve a esercitare {job}{at} ({location}). Allena questi temi: {topic} e {second}, al livello {level}.',
  long: {
    headings: {
      purpose: 'Scopo',
      responsibilities: 'Responsabilità',
      required: 'Requisiti necessari',
      preferred: 'Requisiti preferenziali',
    },
    lines: {
      responsibility: 'Responsabilità quotidiana: {topic}',
      required: 'Esperienza pratica: {topic}',
      preferred: 'Conoscenza approfondita: {topic}',
    },
  },
  label: 'Questo testo è stato composto dallo fake locale e non è stato scritto da un modello.',
};
