import type { Phrases } from './phrases-type';

export const spanish: Phrases = {
  quote: '«{words}»',
  at: ' en {company}',
  forClient: ' para nuestro cliente',
  asHiring: ' como {job}',
  asPractice: ' en «{job}»',
  levels: {
    'entry-level': 'inicial',
    intermediate: 'intermedio',
    senior: 'sénior',
    managerial: 'de gestión',
    director: 'de dirección',
    executive: 'ejecutivo',
  },
  openings: {
    hiring:
      '¿Qué le atrae del puesto de {job}{at} (nivel {level}), y qué papel tiene en él este tema: {topic}?',
    practice: '¿Qué quiere mejorar{as}{at}, y cuándo fue importante para usted este tema: {topic}?',
    assessment:
      'Esta evaluación trata de {job}{at} (nivel {level}). ¿Qué experiencia tiene con este tema: {topic}?',
  },
  frames: [
    'Cuente una situación en la que este tema decidió el resultado de su trabajo: {topic}. ¿Qué hizo usted?',
    '¿Cómo abordaría{as}{at}, paso a paso, este tema: {topic}?',
    'Sobre el tema {topic}, ¿qué error le enseñó más y qué hace hoy de otra manera?',
    '¿Cómo nota pronto una dificultad en el tema {topic}, y cuál es su primer paso?',
    'Describa una decisión reciente sobre el tema {topic}. ¿Qué alternativas comparó?',
    '¿Cómo explica este tema a una persona ajena a su profesión: {topic}?',
    '¿En qué reconoce un buen trabajo en el tema {topic}, y cómo lo mide?',
    'Un colega no está de acuerdo con usted sobre el tema {topic}. ¿Cómo llegan juntos a un resultado?',
    '¿Qué herramientas o métodos utiliza{as} para el tema {topic}, y por qué esos?',
    '¿Qué querría saber{at} sobre el tema {topic} antes de empezar{as}?',
  ],
  topics: [
    'planificación y prioridades',
    'calidad de los resultados',
    'trabajo en equipo',
    'trato con clientes',
    'presión y plazos',
    'resolución de problemas',
    'aprendizaje de nuevas habilidades',
    'intercambio de conocimientos',
    'gestión de conflictos',
    'mejora de procesos',
  ],
  levelTopics: {
    starting: ['formación y primeros proyectos', 'pedir ayuda a tiempo'],
    experienced: ['autonomía en tareas complejas', 'apoyo a colegas con menos experiencia'],
    leading: ['liderazgo y desarrollo de personas', 'estrategia y objetivos', 'presupuesto y recursos'],
  },
  kindTopics: {
    'pre-screening-with-test-questions': 'breve prueba profesional',
    'second-interview': 'puntos abiertos de la primera entrevista',
    'remote-freelancer-verification': 'trabajo a distancia y pruebas de proyectos anteriores',
    'strength-based-interview': 'tareas que le dan energía',
    'potential-based-interview': 'potencial de desarrollo',
    'process-verification-from-knowledge-base': 'proceso documentado',
  },
  department: 'trabajo del departamento {department}',
  rubric: {
    weak: [
      'Nombra este tema como parte del trabajo: {topic}',
      'Describe sus tareas de forma general en el tema {topic}',
      'Menciona una situación relacionada con el tema {topic}',
      'Muestra interés por aprender más sobre el tema {topic}',
      'Usa bien los términos básicos del tema {topic}',
    ],
    moderate: [
      'Da un ejemplo concreto del tema {topic}, con situación y acción',
      'Distingue su parte de la de otros en el tema {topic}',
      'Justifica el camino elegido en el tema {topic}',
      'Indica un resultado obtenido en el tema {topic}',
      'Señala un riesgo y una medida adecuada en el tema {topic}',
    ],
    strong: [
      'Respalda el resultado con cifras u opiniones en el tema {topic}',
      'Compara varias alternativas y sus consecuencias en el tema {topic}',
      'Saca una lección y muestra cómo la aplicó después en el tema {topic}',
      'Traslada su experiencia a este puesto en el tema {topic}',
      'Facilita el trabajo de otros con normas o herramientas en el tema {topic}',
    ],
  },
  descriptionHiring:
    'Esta entrevista es para {job}{at} ({location}). Trata estos temas: {topic} y {second}, en el nivel {level}.',
  descriptionPractice:
    'Esta sesión sirve para practicar {job}{at} ({location}). Entrena estos temas: {topic} y {second}, en el nivel {level}.',
  long: {
    headings: {
      purpose: 'Propósito',
      responsibilities: 'Responsabilidades',
      required: 'Requisitos imprescindibles',
      preferred: 'Requisitos deseables',
    },
    lines: {
      responsibility: 'Responsabilidad diaria: {topic}',
      required: 'Experiencia práctica: {topic}',
      preferred: 'Conocimientos avanzados: {topic}',
    },
  },
  label: 'Este texto fue compuesto por el fake local y no fue escrito por un modelo.',
};
