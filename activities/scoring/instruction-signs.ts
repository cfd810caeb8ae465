/*
 * Patterns of text that tells the assessor what to do. A sentence that matches is excluded, and its answer is flagged
 * for a person. The patterns need not find everything, because the prompt forbids following instructions in any
 * language.
 */

/** Markup and keys that occur only in prompts and programs. The rest of the line is excluded, too. */
export const structures: readonly RegExp[] = [
  /<\/?\s*(?:system|assistant|user|answer|answers|task|turn|instructions?|prompt|rubric)\b/iu,
  /\[\/?\s*(?:inst|system)\s*\]|<\|[\w ]+\|>/iu,
  /(?:^|[\n.!?。]\s*)(?:#+\s*)?(?:system|assistant|developer|systemnachricht|sistema|système|sistem|システム)(?: (?:message|prompt|note|override))?\s*[:：]/iu,
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
  /** Names for the assessor or its job. A sentence matches if it has such a name. */
  assessor: string;
};

/** The patterns by language. Each value is the source of a regular expression. */
export const signs: Readonly<Record<string, Signs>> = {
  en: {
    dismiss:
      '(?:^|(?<=[,.:;!–-]\\s*)|(?:please|must|should|you|now|just|then|kindly|so)\\s+(?:\\w+ly )?)(?:ignore|disregard|forget|override|skip|bypass)',
    rules:
      '(?:all|any|the|your|these|those|previous|prior|earlier|above) (?:\\w+ ){0,3}(?:instructions?|rules?|rubric|prompt|criteria|guidelines|constraints)|(?:everything|all) (?:above|before|you)',
    assess:
      '(?:^|(?<=[,.:;!–-]\\s*)|(?:please|must|should|you|kindly|now|just|then|and|to|so|will|shall|by|if you do not|me a lot by)\\s+(?:\\w+ly )?)(?:mark|rate|score|grade|give|award|assign|return|output|respond|treat|consider|judge|count|accept|answer|rating|scoring|marking|giving)',
    verdict:
      '(?:all|every|each)(?: of)?(?: the| these)? (?:\\w+ )?(?:criteri(?:a|on)|items?|points)|(?:full|top|high|highest|maximum|max|perfect|best) (?:possible )?(?:marks?|scores?|ratings?|grades?|points?|credit|brackets?)|as (?:met|fulfilled|satisfied|strong|excellent|a strong|yes)|yes (?:for|to|on) (?:all|every|each)|10 ?(?:\\/|out of) ?10',
    assessor:
      '(?:ai|a\\.i\\.|language model|llm|chatbot|automatic|generous|lenient) ?(?:assessor|grader|evaluator|judge|scorer)|(?:dear|attention|note to|message (?:to|for)) (?:the )?(?:assessor|grader|evaluator|ai|scoring|model)|you are (?:now )?(?:an? )?(?:\\w+ )?(?:assessor|grader|evaluator|examiner|ai)|(?:assessor|grader|evaluator|scoring (?:system|model)) (?:must|should|has to|has (?:already )?confirmed|will (?:now )?)',
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
};
