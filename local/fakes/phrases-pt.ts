import type { Phrases } from './phrases-type';

/** Used for both `pt` and `br`. The words are correct in both. */
export const portuguese: Phrases = {
  quote: '“{words}”',
  at: ' na empresa {company}',
  forClient: ' para o nosso cliente',
  asHiring: ' como {job}',
  asPractice: ' em “{job}”',
  levels: {
    'entry-level': 'inicial',
    intermediate: 'médio',
    senior: 'avançado',
    managerial: 'de gestão',
    director: 'de direção',
    executive: 'executivo',
  },
  openings: {
    hiring: 'O que atrai na função de {job}{at} (nível {level}), e que papel tem nela este tema: {topic}?',
    practice: 'O que deseja melhorar{as}{at}, e quando foi importante este tema: {topic}?',
    assessment:
      'Esta avaliação trata de {job}{at} (nível {level}). Que experiência tem com este tema: {topic}?',
  },
  frames: [
    'Conte uma situação em que este tema decidiu o resultado do seu trabalho: {topic}. Qual foi a sua parte?',
    'Como abordaria{as}{at}, passo a passo, este tema: {topic}?',
    'Sobre o tema {topic}, que erro ensinou mais e o que faz hoje de outra forma?',
    'Como nota cedo uma dificuldade no tema {topic}, e qual é o seu primeiro passo?',
    'Descreva uma decisão recente sobre o tema {topic}. Que alternativas comparou?',
    'Como explica este tema a uma pessoa de fora da sua profissão: {topic}?',
    'Como reconhece um bom trabalho no tema {topic}, e como o mede?',
    'Um colega tem outra opinião sobre o tema {topic}. Como chegam juntos a um resultado?',
    'Que ferramentas ou métodos utiliza{as} para o tema {topic}, e por que razão esses?',
    'O que gostaria de saber{at} sobre o tema {topic} antes de começar{as}?',
  ],
  topics: [
    'organização e prioridades',
    'qualidade dos resultados',
    'trabalho em grupo',
    'relação com clientes',
    'pressão e prazos',
    'solução de problemas',
    'aprendizagem de novas competências',
    'transmissão de conhecimentos',
    'gestão de conflitos',
    'melhoria de processos',
  ],
  levelTopics: {
    starting: ['formação e primeiros projetos', 'pedir ajuda no momento certo'],
    experienced: ['autonomia em tarefas complexas', 'apoio a colegas com menos experiência'],
    leading: ['liderança e desenvolvimento de pessoas', 'estratégia e objetivos', 'orçamento e recursos'],
  },
  kindTopics: {
    'pre-screening-with-test-questions': 'breve teste profissional',
    'second-interview': 'pontos abertos da primeira entrevista',
    'remote-freelancer-verification': 'trabalho remoto e provas de projetos anteriores',
    'strength-based-interview': 'tarefas que dão energia',
    'potential-based-interview': 'potencial de crescimento',
    'process-verification-from-knowledge-base': 'processo documentado',
  },
  department: 'trabalho do departamento {department}',
  rubric: {
    weak: [
      'Nomeia este tema como parte do trabalho: {topic}',
      'Descreve as suas tarefas de forma geral no tema {topic}',
      'Menciona uma situação ligada ao tema {topic}',
      'Mostra interesse em aprender mais sobre o tema {topic}',
      'Usa bem os termos básicos do tema {topic}',
    ],
    moderate: [
      'Dá um exemplo concreto do tema {topic}, com situação e ação',
      'Distingue a sua parte da dos outros no tema {topic}',
      'Justifica o caminho escolhido no tema {topic}',
      'Indica um resultado obtido no tema {topic}',
      'Aponta um risco e uma medida adequada no tema {topic}',
    ],
    strong: [
      'Apoia o resultado em números ou opiniões no tema {topic}',
      'Compara várias alternativas e as suas consequências no tema {topic}',
      'Tira uma lição e mostra como a aplicou depois no tema {topic}',
      'Transfere a sua experiência para esta função no tema {topic}',
      'Ajuda os outros com normas ou ferramentas no tema {topic}',
    ],
  },
  descriptionHiring:
    'Esta entrevista é para {job}{at} ({location}). Trata destes temas: {topic} e {second}, no nível {level}.',
  descriptionPractice:
    'Esta sessão serve para praticar {job}{at} ({location}). Treina estes temas: {topic} e {second}, no nível {level}.',
  long: {
    headings: {
      purpose: 'Propósito',
      responsibilities: 'Responsabilidades',
      required: 'Qualificações exigidas',
      preferred: 'Qualificações desejáveis',
    },
    lines: {
      responsibility: 'Responsabilidade diária: {topic}',
      required: 'Experiência prática: {topic}',
      preferred: 'Conhecimento aprofundado: {topic}',
    },
  },
  label: 'Este texto foi composto pelo fake local e não foi escrito por um modelo.',
};
