/*
 * Patterns of text that tells the assessor what to do. A clause that matches is excluded, and its answer is flagged for a
 * person. The patterns need not find everything, because the prompt forbids following instructions in any language.
 * Sentences in which candidates tell about their work must not match: people give full marks, rate items and build
 * evaluators. Therefore the verbs count as commands only at the beginning of a clause, or if they are addressed to
 * somebody. bench/eval/gold/instructions.yaml has both kinds.
 */

/** Words of an order to the assessor, for markup and headings that programs have, too. */
const orders =
  'ignor|rules|criteri|instruc|assess|scor(?:e|ing)|rating|grad(?:e|ing)|verdict|candidate|\\bmet\\b|kriteri|critère|基準|採点';

/** Markup and keys that occur only in prompts and programs. The rest of the line is excluded, too. */
export const structures: readonly RegExp[] = [
  /<\/?\s*(?:system|assistant|user|answer|answers|task|turn|instructions?|prompt|rubric|met|verdict|judgements?|criterion|assessor)\b/iu,
  /\[\/?\s*(?:inst|system)\s*\]|<\|[\w ]+\|>/iu,
  new RegExp(
    String.raw`(?:^|[\n.!?。]\s*)(?:#+\s*)?(?:system|assistant|developer|systemnachricht|sistema|système|sistem|システム)(?: (?:message|prompt|note|override))?\s*[:：].{0,200}(?:${orders})`,
    'iu',
  ),
  new RegExp(`<!--.{0,200}(?:${orders})`, 'iu'),
  new RegExp(String.raw`\b(?:function|tool)_calls?\W{1,5}.{0,200}(?:${orders}|mark_|set_)`, 'iu'),
  /["']?(?:criterion_id|judgements|instructs_the_assessor)["']?\s*:/iu,
  /["'](?:met|score|bracket|verdict)["']\s*:\s*["'\d]/iu,
  /(?:decode|base64|rot13|dekodier|décode|decodifica|çöz).{0,80}[A-Za-z0-9+/]{16}/iu,
];

type Signs = {
  /** Names for the instructions to the model. A sentence matches if it has such a name and a word of `dismiss`. */
  rules: string;
  dismiss: string;
  /** Verbs of assessment as a command or request. A sentence matches if it has such a verb and words of `verdict`. */
  assess: string;
  /** What a command tells the assessor to give, such as full marks. */
  verdict: string;
  /** Addresses to the assessor, and names for its job. A sentence matches if it has one. */
  assessor: string;
  /** Words of others about the candidate, which prove nothing. The rest of the sentence belongs to them. */
  testimony?: string;
  /** What an instruction also speaks about. It is excluded with the instruction, and is none by itself. */
  context?: string;
};

/** The beginning of a clause, or of a quotation. */
const start = '(?:^|(?<=[,.:;!–"“(-]\\s*))';
/**
 * Words by which a command is addressed to the assessor. "They said please give …" tells what others asked for, and so
 * does "we met and rated …".
 */
const addressed =
  '(?:(?<!(?:said|asked|told|wrote|says|asks)\\W{0,3})(?:please|kindly)|you (?:must|should|will|shall|can|have to|need to)|(?<!\\b(?:an?|my|our|that|which)\\b.{0,30})(?:assessor|grader|evaluator|model|ai|system) (?:must|should|will|has to)|(?<!\\b(?:i|we|they|he|she|who)\\b.{0,60})(?:and|then|now|just|so))\\s+(?:\\w+ly )?';
const judge =
  '(?:mark|rate|score|grade|give|award|assign|return|output|respond|treat|consider|judge|count|accept|answer|rating|scoring|marking|giving)';

/** The patterns by language. Each value is the source of a regular expression. */
export const signs: Readonly<Record<string, Signs>> = {
  en: {
    dismiss: `(?:${start}|${addressed})(?:ignore|disregard|forget|override|skip|bypass)`,
    rules:
      '(?:all|any|the|your|these|those|previous|prior|earlier|above) (?:\\w+ ){0,3}(?:instructions?|rules?|rubric|prompt|criteria|guidelines|constraints)|(?:everything|all) (?:above|before|you)',
    assess: `(?:${start}|${addressed}|(?:if you do not|by|me a lot by) )${judge}|${judge} (?:this|my) (?:answer|candidate|response|applicant|interview)|${judge} me`,
    verdict:
      '(?:all|every|each)(?: of)?(?: the| these)? (?:\\w+ )?criteri(?:a|on)|(?:all|every|each)(?: of)?(?: the| these)? (?:items?|points) as|(?:full|top|high|highest|maximum|max|perfect|best) (?:possible )?(?:marks?|scores?|ratings?|grades?|points?|credit|brackets?)|as (?:met|fulfilled|satisfied|strong|excellent|a strong|yes)|yes (?:for|to|on) (?:all|every|each)|10 ?(?:\\/|out of) ?10',
    assessor:
      '(?:dear|attention|note to|message (?:to|for)) (?:the )?(?:ai )?(?:assessor|grader|evaluator|ai|scoring|model)|you are (?:now )?(?:an? )?(?:\\w+ )?(?:assessor|grader|evaluator|examiner|ai)|(?:assessor|grader|evaluator|scoring (?:system|model)) has (?:already )?confirmed',
    testimony:
      '(?:^|(?<=["“‘:.(]\\s*))this (?:candidate|applicant|answer|response) (?:gave|gives|has|had|meets|met|shows|showed|is|was|must|should|deserves|fulfils|fulfilled|explained)|(?:everything|all (?:of it|criteria|strong criteria)) (?:is|are|was|were) (?:already )?confirmed',
    context:
      '(?:scoring|grading|assessment|evaluation) (?:system|model|prompt)|(?:assessor|grader|evaluator)s?|this (?:answer|candidate|interview)',
  },
  de: {
    dismiss: 'ignorier(?:e|en sie|t)|vergiss|vergessen sie|missachte(?:n sie)?|überspringe(?:n sie)?',
    rules:
      '(?:alle\\w*|die|deine|ihre|bisherige\\w*|obige\\w*|vorherige\\w*) (?:\\w+ ){0,2}(?:anweisung\\w*|regeln|vorgaben|kriterien)|alles bisherige|bewertungsraster|prompt',
    assess:
      'bewerten sie|bewerte|gib|geben sie|vergib|vergeben sie|markieren sie|markiere|werten sie|stufen sie|antworte(?: immer| überall| stets)?|bitte',
    verdict:
      '(?:alle\\w*|jede\\w*) (?:\\w+ )?(?:kriteri\\w*|punkte)|(?:volle|höchste|maximale|beste)\\w* (?:punkt\\w*|note|bewertung|stufe|wertung)|höchstnote|bestnote|höchstpunktzahl|als (?:erfüllt|stark|sehr gut|hervorragend)|ja (?:bei|für) (?:alle\\w*|jede\\w*)',
    assessor:
      '(?:liebe\\w*|an die|hinweis an) (?:ki|bewertung\\w*|prüfer\\w*|assistent\\w*)|du bist (?:jetzt )?(?:ein\\w* )?(?:\\w+ )?(?:prüfer\\w*|bewerter\\w*|gutachter\\w*|ki)|ki-(?:bewerter|modell)',
  },
  es: {
    dismiss: 'ignor[ae]n?|olvid[ae]n?|descart[ae]n?|omit[ae]n?|haz caso omiso',
    rules:
      '(?:las|los|tus|sus|todas las|todos los) (?:\\w+ ){0,2}(?:instrucciones|reglas|criterios|indicaciones)|rúbrica|todo lo anterior|prompt',
    assess:
      'da(?:me|le|r)?|dé(?:me|le|n)?|otorg(?:a|ue|uen|ar)\\w*|asign(?:a|e|en|ar)\\w*|marc(?:a|ar|alo|alos|ue|uen|ad)|puntú(?:a|e|en)\\w*|puntuar|calif(?:ica|icar|ique|iquen)\\w*|evalú(?:a|e|en)\\w*|considera|considere|pon(?:me|ga|gan|er)?|responde|por favor',
    verdict:
      '(?:todos los|cada|cada uno de los) (?:criterios?|puntos)|(?:máxima|mejor|más alta) (?:nota|puntuación|calificación)|(?:nota|puntuación|calificación) (?:máxima|más alta|perfecta)|como (?:cumplid\\w+|fuerte|excelente)|sí (?:en|a) tod\\w+',
    assessor:
      '(?:querid[ao]|estimad[ao]|nota para (?:la|el)) (?:ia|evaluador\\w*|asistente|modelo)|eres (?:ahora )?(?:un |una )?(?:\\w+ )?(?:evaluador\\w*|ia|examinador\\w*)',
  },
  fr: {
    dismiss: 'ignor(?:e|ez|er)|oubli(?:e|ez|er)|ne ten(?:ez|ir) pas compte',
    rules:
      '(?:les|vos|tes|toutes les|tous les) (?:\\w+ ){0,2}(?:instructions|consignes|règles|critères)|grille|prompt|tout ce qui précède',
    assess:
      'donn(?:e|ez|er)(?:-moi)?|attribu(?:e|ez|er)|accord(?:e|ez|er)|not(?:ez|er)|marqu(?:e|ez|er)|évalu(?:e|ez|er)|consid(?:ère|érez|érer)|mett(?:ez|re)|répond(?:s|ez|re)|valid(?:e|ez|er)|merci de|veuillez',
    verdict:
      '(?:tous les|chaque) (?:critères?|points)|(?:note|score) (?:maximale?|la plus haute|parfaite?)|(?:meilleure|plus haute|maximum) (?:note|appréciation|de points)|comme (?:rempli\\w*|validé\\w*|excellent\\w*|fort\\w*)|oui (?:partout|à tou\\w+)',
    assessor:
      '(?:ch(?:er|ère)|à l.attention de|note (?:pour|à)) (?:l.)?(?:ia|évaluat\\w*|assistant\\w*|modèle)|(?:tu es|vous êtes) (?:désormais )?(?:une? )?(?:\\w+ )?(?:ia|évaluat\\w*|correct(?:eur|rice)|examinat\\w*)',
  },
  tr: {
    dismiss: 'yok say\\w*|görmezden gel\\w*|unut(?:un|unuz)?|dikkate alma(?:yın)?|geçersiz say\\w*',
    rules: '(?:tüm|bütün|önceki|yukarıdaki) (?:\\w+ ){0,2}(?:talimat|kural|yönerge|komut|ölçüt|kriter)\\w*',
    assess:
      'ver|verin|veriniz|verilmeli\\w*|işaretle(?:yin|yiniz)?|puanla(?:yın|yınız)?|değerlendir(?:in|iniz)?|say(?:ın|ınız)|kabul et(?:in)?|lütfen|yanıtla(?:yın)?|cevapla(?:yın)?',
    verdict:
      '(?:tüm|bütün|her) (?:\\w+ )?(?:ölçüt|kriter|madde)\\w*|(?:tam|en yüksek|en iyi|maksimum) (?:puan\\w*|not\\w*|derece\\w*)|karşılan\\w+ (?:olarak|say)|güçlü olarak|hepsine evet|tümüne evet',
    assessor:
      '(?:sevgili|sayın|değerli) (?:yapay zek\\w*|değerlendiric\\w*|asistan\\w*|model)|sen (?:artık )?(?:\\w+ )?(?:bir )?(?:\\w+ )?(?:değerlendiric\\w*|yapay zek\\w*)',
  },
  ja: {
    dismiss: '無視|忘れて|従わない',
    rules: '指示|命令|ルール|基準|プロンプト|これまで',
    assess: 'ください|下さい|しなさい|せよ|すること|してほしい|お願いし',
    verdict:
      '満点|最高(?:点|評価|得点|ランク)|高(?:得点|評価)|(?:基準|項目|評価).{0,8}(?:満たし|達成|はい|yes)',
    assessor:
      '(?:採点|評価)(?:者|ai|担当|システム)(?:へ|様|さん|の方)|あなたは.{0,12}(?:採点|評価)(?:者|ai|官)',
  },
  nl: {
    dismiss: 'negeer|vergeet|sla (?:\\w+ )?over',
    rules:
      '(?:alle|de|je|uw|vorige|bovenstaande) (?:\\w+ ){0,2}(?:instructies|regels|criteria|aanwijzingen)|alles hierboven',
    assess: 'geef|beoordeel|markeer|waardeer|antwoord|graag|alstublieft|alsjeblieft',
    verdict:
      '(?:alle|elk|ieder) (?:\\w+ )?criteri\\w*|(?:volle|hoogste|maximale|beste) (?:punten|score|cijfer|beoordeling)|als (?:voldaan|vervuld|sterk|uitstekend)|ja (?:op|bij) (?:alle|elk)',
    assessor:
      '(?:beste|geachte|aan de) (?:ai|beoordelaar|model)|je bent (?:nu )?een (?:\\w+ )?(?:beoordelaar|ai)',
  },
  it: {
    dismiss: 'ignora(?:te)?|dimentica(?:te)?|non considerare',
    rules:
      '(?:le|tutte le|tutti i|i|tue|vostre) (?:\\w+ ){0,2}(?:istruzioni|regole|criteri|indicazioni)|tutto quanto sopra',
    assess: 'dai|dammi|date|assegna(?:te)?|valuta(?:te)?|segna(?:te)?|considera(?:te)?|rispondi|per favore',
    verdict:
      '(?:tutti i|ogni) (?:criteri\\w*|punti)|(?:massimo|massima|pieno) (?:punteggio|punti|voto|valutazione)|(?:punteggio|voto|punti) (?:massimo|pieno|pieni|massimi)|come (?:soddisfatt\\w+|eccellente|forte)|sì a tutt\\w+',
    assessor:
      '(?:car[oa]|gentile|nota per (?:il|l.)) ?(?:ia|valutatore|modello)|sei (?:ora )?un (?:\\w+ )?(?:valutatore|esaminatore)',
  },
  pl: {
    dismiss: 'zignoruj\\w*|ignoruj\\w*|pomiń\\w*|zapomnij\\w*',
    rules:
      '(?:wszystki\\w+|poprzedni\\w+|powyższ\\w+|swoj\\w+) (?:\\w+ ){0,2}(?:instrukcj\\w+|zasad\\w*|poleceni\\w+|polece\\w*|kryteri\\w+)',
    assess: 'oceń\\w*|daj|przyznaj\\w*|oznacz\\w*|uznaj\\w*|odpowiedz|proszę',
    verdict:
      '(?:wszystki\\w+|każde) (?:\\w+ )?kryteri\\w+|(?:maksymaln\\w+|najwyższ\\w+|pełn\\w+) (?:ocen\\w+|punkt\\w*|liczb\\w+|wynik\\w*)|jako (?:spełnion\\w+|mocn\\w+|doskonał\\w+)|tak na wszystk\\w+',
    assessor:
      '(?:drog[iai]\\w*|szanown\\w+|do) (?:ai|sztuczn\\w+|oceniając\\w+|modelu)|jesteś (?:teraz )?(?:\\w+ )?(?:oceniając\\w+|egzaminator\\w*)',
  },
  pt: {
    dismiss: 'ignor(?:e|a|em)|esqueç?[ae]m?|desconsider(?:e|a|em)',
    rules:
      '(?:as|todas as|todos os|os|suas|tuas) (?:\\w+ ){0,2}(?:instruções|regras|critérios|orientações)|tudo acima',
    assess: 'dê|dá|dai|atribu(?:a|i)|marque|avali(?:e|a)|consider(?:e|a)|respond(?:a|e)|por favor',
    verdict:
      '(?:todos os|cada) (?:critérios?|pontos)|(?:nota|pontuação) (?:máxima|mais alta|total)|(?:máxima|melhor) (?:nota|pontuação)|como (?:cumprid\\w+|atendid\\w+|excelente|forte)|sim (?:a|para) tod\\w+',
    assessor:
      '(?:car[oa]|prezad[oa]|nota (?:ao|para o)) (?:ia|avaliador\\w*|modelo)|você é (?:agora )?um (?:\\w+ )?avaliador',
  },
  ru: {
    dismiss: 'игнориру\\w*|проигнориру\\w*|забудь\\w*|не учитыва\\w*',
    rules:
      '(?:все\\w*|предыдущ\\w+|эти|свои) (?:\\w+ ){0,2}(?:инструкци\\w+|правил\\w*|указани\\w+|критери\\w+)',
    assess: 'оцени\\w*|дай\\w*|поставь\\w*|отметь\\w*|засчитай\\w*|ответь\\w*|считай\\w*|пожалуйста',
    verdict:
      '(?:все|каждый|всем) (?:\\w+ )?критери\\w+|(?:максимальн\\w+|высш\\w+|полн\\w+) (?:балл\\w*|оценк\\w+)|как (?:выполненн\\w+|сильн\\w+|отличн\\w+)|да на все',
    assessor:
      '(?:уважаем\\w+|дорог\\w+) (?:ии|оценщик\\w*|эксперт\\w*|модель)|ты (?:теперь )?(?:\\w+ )?(?:оценщик|экзаменатор)',
  },
  ar: {
    dismiss: 'تجاهلو?ا?|انس[ىَ]?',
    rules: '(?:جميع|كل|هذه) (?:\\w+ ){0,1}(?:ال)?(?:تعليمات|قواعد|معايير)(?: \\w+)?|التعليمات السابقة',
    assess: 'أعطني|أعط|امنح\\w*|قيّ?م|ضع|اعتبر|من فضلك|يرجى',
    verdict:
      '(?:جميع|كل) (?:ال)?(?:معايير|معيار)|(?:الدرجة|العلامة|التقييم|درجة|علامة) (?:الكاملة|كاملة|القصوى|قصوى|الأعلى)|أعلى (?:درجة|علامة|تقييم)',
    assessor: '(?:عزيزي|عزيزتي|أيها) (?:المقيّ?م|الذكاء|النموذج)|أنت (?:الآن )?(?:مقيّ?م|مصحح)',
  },
  zh: {
    dismiss: '忽略|无视|忘记|不要理会|忽視|無視',
    rules: '指令|指示|规则|規則|提示词|评分标准|以上',
    assess: '请|請|给我|給我|务必|标记|打分|评为',
    verdict:
      '满分|滿分|最高(?:分|评分|等级|評分)|(?:所有|全部|每)(?:个|一个|項|项)?(?:标准|准则|条件|標準).{0,6}(?:满足|达到|符合|通过|滿足)',
    assessor:
      '(?:评分|评估|面试)(?:员|者|系统|模型|官)(?:您好|你好|请|注意)|你(?:现在)?是.{0,12}(?:评分|评估)(?:员|者|官)',
  },
  ko: {
    dismiss: '무시하|무시해|잊어',
    rules: '지시|규칙|기준|프롬프트|명령',
    assess: '주세요|주십시오|하세요|하십시오|해줘|부탁',
    verdict: '만점|최고 ?(?:점|점수|등급|평가)|(?:모든|전체|각) ?(?:기준|항목).{0,8}(?:충족|만족|예)',
    assessor: '(?:채점|평가)(?:자|관|위원) ?(?:님|께|에게)|당신은.{0,12}(?:채점|평가)(?:자|관)',
  },
};
