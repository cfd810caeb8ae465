import type { Phrases } from './phrases-type';

export const french: Phrases = {
  quote: '« {words} »',
  at: ' chez {company}',
  forClient: ' pour notre client',
  asHiring: ' en tant que {job}',
  asPractice: ' dans « {job} »',
  levels: {
    'entry-level': 'débutant',
    intermediate: 'intermédiaire',
    senior: 'confirmé',
    managerial: 'encadrement',
    director: 'direction',
    executive: 'direction générale',
  },
  openings: {
    hiring:
      'Qu’est-ce qui vous attire dans le poste de {job}{at} ({level}), et quelle place y tient ce sujet : {topic} ?',
    practice: 'Que souhaitez-vous améliorer{as}{at}, et quand ce sujet a-t-il compté pour vous : {topic} ?',
    assessment:
      'Cette évaluation porte sur {job}{at} ({level}). Quelle est votre expérience sur ce sujet : {topic} ?',
  },
  frames: [
    'À propos de {topic} : racontez une situation qui a décidé du résultat de votre travail. Qu’avez-vous fait vous-même ?',
    'Comment aborderiez-vous{as}{at}, étape par étape, ce sujet : {topic} ?',
    'Sur le sujet {topic}, quelle erreur vous a le plus appris et que faites-vous autrement aujourd’hui ?',
    'Comment remarquez-vous tôt une difficulté sur le sujet {topic}, et quelle est votre première action ?',
    'Décrivez une décision récente sur le sujet {topic}. Quelles options avez-vous comparées ?',
    'Comment expliquez-vous ce sujet à une personne qui ne connaît pas votre métier : {topic} ?',
    'À quoi reconnaissez-vous un bon travail sur le sujet {topic}, et comment le mesurez-vous ?',
    'Un collègue n’est pas d’accord avec vous sur ce sujet : {topic}. Comment arrivez-vous ensemble à un résultat ?',
    'Quels outils ou méthodes utilisez-vous{as} sur le sujet {topic}, et pourquoi ceux-là ?',
    'Que voudriez-vous savoir{at} sur le sujet {topic} avant de commencer{as} ?',
  ],
  topics: [
    'planification et priorités',
    'qualité des résultats',
    'travail en équipe',
    'relation avec les clients',
    'pression et délais',
    'résolution de problèmes',
    'apprentissage de nouvelles compétences',
    'partage des connaissances',
    'gestion des conflits',
    'amélioration des processus',
  ],
  levelTopics: {
    starting: ['formation et premiers projets', 'demande d’aide au bon moment'],
    experienced: ['autonomie sur des tâches complexes', 'accompagnement de collègues moins expérimentés'],
    leading: ['encadrement et développement des personnes', 'stratégie et objectifs', 'budget et ressources'],
  },
  kindTopics: {
    'pre-screening-with-test-questions': 'petit exercice professionnel',
    'second-interview': 'points ouverts du premier entretien',
    'remote-freelancer-verification': 'travail à distance et preuves de projets antérieurs',
    'strength-based-interview': 'tâches qui vous donnent de l’énergie',
    'potential-based-interview': 'potentiel d’évolution',
    'process-verification-from-knowledge-base': 'processus documenté',
  },
  department: 'travail du service {department}',
  rubric: {
    weak: [
      'Cite ce sujet comme une part du travail : {topic}',
      'Décrit ses tâches de façon générale sur le sujet {topic}',
      'Mentionne une situation liée au sujet {topic}',
      'Montre l’envie d’en apprendre plus sur le sujet {topic}',
      'Emploie correctement les termes de base du sujet {topic}',
    ],
    moderate: [
      'Donne un exemple concret sur le sujet {topic}, avec contexte et action',
      'Distingue sa part de celle des autres sur le sujet {topic}',
      'Justifie la voie choisie sur le sujet {topic}',
      'Indique un résultat obtenu sur le sujet {topic}',
      'Signale un risque et une mesure adaptée sur le sujet {topic}',
    ],
    strong: [
      'Appuie le résultat par des chiffres ou des retours sur le sujet {topic}',
      'Compare plusieurs options et leurs conséquences sur le sujet {topic}',
      'Tire une leçon et montre comment elle a servi ensuite sur le sujet {topic}',
      'Transpose son expérience à ce poste sur le sujet {topic}',
      'Rend les autres efficaces par des règles ou des outils sur le sujet {topic}',
    ],
  },
  descriptionHiring:
    'Cet entretien concerne {job}{at} ({location}). Il porte sur ces sujets : {topic} et {second}, au niveau {level}.',
  descriptionPractice:
    'Cette séance permet de pratiquer {job}{at} ({location}). Elle entraîne ces sujets : {topic} et {second}, au niveau {level}.',
  long: {
    headings: {
      purpose: 'Objectif',
      responsibilities: 'Responsabilités',
      required: 'Qualifications requises',
      preferred: 'Qualifications souhaitées',
    },
    lines: {
      responsibility: 'Responsabilité au quotidien : {topic}',
      required: 'Expérience pratique : {topic}',
      preferred: 'Connaissances approfondies : {topic}',
    },
  },
  label: 'Ce texte a été composé par le fake local et n’a pas été écrit par un modèle.',
};
