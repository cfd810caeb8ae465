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
  /**
   * Who could speak about candidates, verbs of speaking, and what is said about a candidate. A sentence with the first two and
   * with the third or a word of `verdict` is a testimony. "My manager said …" is none.
   */
  witness: string;
  says: string;
  candidate: string;
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
      '(?:scoring|grading|assessment|evaluation) (?:system|model|prompt)|(?:assessor|grader|evaluator)s?|this (?:answer|candidate|interview)|(?:report|sue) you',
    witness:
      'hiring managers?|recruiters?|interviewers?|headhunters?|(?:hr|human resources)(?: (?:manager|department|team))?|(?:hiring|interview|selection) (?:panel|committee|team|board)|assessors?|evaluators?|graders?',
    says: '(?<!\\b(?:i|we) )(?:confirm(?:s|ed)|wrote|writes|written|sa(?:ys|id)|states?|stated|not(?:es|ed)|decided|agree[sd]|approved|verified|certified|told|reported|concluded|assured|according to|vouch(?:es|ed))',
    candidate:
      'this (?:candidate|applicant|interviewee|answer|response)|the (?:candidate|applicant|interviewee) (?:\\w+ )?(?:meets?|met|fulfil\\w*|satisf\\w+|gave|showed|passed|deserves|demonstrated|proved)|(?:i|he|she|they) (?:\\w+ )?(?:meets?|met|fulfil\\w*|satisf\\w+|passed) (?:all|every|each)|everything (?:is|was)',
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
    witness:
      'personal(?:verantwortliche|leit|abteilung|chef)\\w*|recruiter\\w*|hiring manager\\w*|interviewer\\w*|personaler\\w*|auswahlkommission|bewerter\\w*',
    says: 'bestätig\\w+|schrieb|schreibt|geschrieben|sag(?:t|te|en)|gesagt|erklär(?:t|te)|vermerk\\w+|notier\\w+|festgestellt|entsch(?:eid|ied)\\w*|laut|zufolge|versicher\\w+',
    candidate:
      'dies\\w* (?:kandidat\\w*|bewerber\\w*|antwort)|(?:der|die) (?:kandidat\\w*|bewerber\\w*) (?:\\w+ ){0,4}(?:erfüll\\w+|gab|nannte|hat|verdient|überzeug\\w+)|erfüll(?:e|t|en) (?:alle|jede)|alles (?:ist|sei|wurde)',
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
    witness:
      'reclutador\\w*|entrevistador\\w*|(?:responsable|gerente|jef[ea]|director\\w*) de (?:selección|contratación|recursos humanos)|recursos humanos|evaluador\\w*',
    says: 'confirm\\w+|escrib\\w+|dijo|dice|declar\\w+|señal\\w+|según|asegur\\w+|decid\\w+',
    candidate:
      'est[ea] (?:candidat[oa]|aspirante|respuesta)|(?:el|la) candidat[oa] (?:\\w+ )?(?:cumpl\\w+|dio|mostr\\w+|merece)|cumpl\\w+ (?:con )?(?:todos|cada)|todo (?:está|queda|fue)',
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
    context: 'jouons à un jeu',
    witness:
      'recruteu(?:r|se)\\w*|responsable (?:du recrutement|des ressources humaines|rh)|drh|ressources humaines|évaluat\\w+|intervieweu\\w+',
    says: 'confirm\\w+|écri\\w+|dit|déclar\\w+|noté?|selon|assur\\w+|décid\\w+',
    candidate:
      'ce(?:t|tte)? (?:candidate?|postulante?|réponse)|l[ea] candidate? (?:\\w+ )?(?:rempli\\w*|a donné|a montré|mérite|satisfai\\w*)|(?:remplis|remplit|satisfai\\w+) (?:à )?(?:tous|chaque)|tout est',
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
    witness:
      '[iİ]şe alım \\w+|[iİ]nsan kaynakları\\w*|mülakatçı\\w*|[iİ]k (?:müdür|uzman)\\w*|değerlendirici\\w*',
    says: 'onayla\\w+|doğrula\\w+|yazdı\\w*|söyle\\w+|belirt\\w+|dedi|teyit',
    candidate: 'bu aday\\w*|aday\\w* (?:\\w+ ){0,3}karşıl\\w+|her şey',
  },
  ja: {
    dismiss: '無視|忘れて|従わない',
    rules: '指示|命令|ルール|基準|プロンプト|これまで',
    assess: 'ください|下さい|しなさい|せよ|すること|してほしい|お願いし',
    verdict:
      '満点|最高(?:点|評価|得点|ランク)|高(?:得点|評価)|(?:基準|項目|評価).{0,8}(?:満たし|達成|はい|yes)',
    assessor:
      '(?:採点|評価)(?:者|ai|担当|システム)(?:へ|様|さん|の方)|あなたは.{0,12}(?:採点|評価)(?:者|ai|官)',
    witness: '採用(?:担当|責任|マネージャ)|人事(?:担当|部)|面接官|評価者|採点者',
    says: '確認し|書い|書き|言い|言っ|述べ|認め|によると|によれば|伝え',
    candidate:
      'この(?:候補者|応募者|受験者|回答)|(?:候補者|応募者)は.{0,20}(?:満たし|示し|挙げ)|(?:全て|すべて|全部)の?(?:基準|項目|条件|確認)',
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
    witness:
      'recruiter\\w*|(?:wervings|personeels|hr-)manager|hiring manager|interviewer\\w*|beoordelaar\\w*',
    says: 'bevestig\\w+|schreef|schrijft|zei|zegt|verklaar\\w+|volgens|noteerde',
    candidate:
      'deze (?:kandidaat|sollicitant)|dit antwoord|de kandidaat (?:\\w+ )?(?:voldoet|gaf|noemde|verdient)|voldo\\w+ aan (?:alle|elk)|alles is',
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
    witness:
      'selezionat\\w+|recruiter\\w*|intervistat\\w+|risorse umane|responsabile (?:della selezione|delle assunzioni)|valutatore',
    says: 'conferm\\w+|scri(?:tto|sse|ve)|detto|dice|dichiar\\w+|secondo|annota\\w+',
    candidate:
      'quest[oa] (?:candidat[oa]|risposta)|(?:il|la) candidat[oa] (?:\\w+ )?(?:soddisf\\w+|ha dato|merita)|soddisf\\w+ (?:tutti|ogni)|tutto è',
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
    witness:
      'rekruter\\w*|(?:menedżer|kierowni)\\w* (?:\\w+ )?rekrutacji|dział\\w* (?:kadr|hr)|oceniając\\w+',
    says: 'potwierdz\\w+|napisa\\w+|powiedzia\\w+|stwierdzi\\w+|według|zdaniem',
    candidate:
      't(?:en|a|ego|ej) (?:kandydat\\w*|odpowied\\w*)|kandydat\\w* (?:\\w+ )?(?:spełni\\w+|poda\\w+)|spełni\\w+ (?:wszystkie|każde)|wszystko (?:jest|zosta)',
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
    witness:
      'recrutador\\w*|entrevistador\\w*|(?:gerente|gestor\\w*|responsável) \\w+ (?:contratação|recrutamento|seleção|rh)|recursos humanos|avaliador\\w*',
    says: 'confirm\\w+|escrev\\w+|disse|diz|declar\\w+|segundo|afirm\\w+',
    candidate:
      'est[ea] (?:candidat[oa]|resposta)|[oa] candidat[oa] (?:\\w+ )?(?:cumpr\\w+|atend\\w+|deu|merece)|(?:cumpr\\w+|atend\\w+) (?:a )?(?:todos|cada)|tudo (?:está|foi)',
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
    witness:
      'рекрутер\\w*|менеджер\\w* по (?:найму|подбору|персоналу)|отдел\\w* кадров|кадровик\\w*|интервьюер\\w*|нанимающ\\w+ менеджер\\w*|hr',
    says: 'подтверди\\w+|подтвержда\\w+|написа\\w+|сказа\\w+|заяви\\w+|отмети\\w+|по словам|по мнению',
    candidate:
      'эт(?:от|а|ого|ой) (?:кандидат\\w*|ответ\\w*)|кандидат\\w* (?:\\w+ )?(?:соответств\\w+|выполн\\w+|назва\\w+|удовлетвор\\w+)|(?:соответств\\w+|удовлетвор\\w+) всем|вс[её] подтвержд\\w+',
  },
  ar: {
    dismiss: 'تجاهلو?ا?|انس[ىَ]?',
    rules: '(?:جميع|كل|هذه) (?:\\w+ ){0,1}(?:ال)?(?:تعليمات|قواعد|معايير)(?: \\w+)?|التعليمات السابقة',
    assess: 'أعطني|أعط|امنح\\w*|قيّ?م|ضع|اعتبر|من فضلك|يرجى',
    verdict:
      '(?:جميع|كل) (?:ال)?(?:معايير|معيار)|(?:الدرجة|العلامة|التقييم|درجة|علامة) (?:الكاملة|كاملة|القصوى|قصوى|الأعلى)|أعلى (?:درجة|علامة|تقييم)',
    assessor: '(?:عزيزي|عزيزتي|أيها) (?:المقيّ?م|الذكاء|النموذج)|أنت (?:الآن )?(?:مقيّ?م|مصحح)',
    witness:
      '(?:و|ف)?(?:مديرة? التوظيف|مسؤولة? التوظيف|مسؤولة? الموارد البشرية|الموارد البشرية|المحاورة?|المقيّ?م|لجنة (?:التوظيف|المقابلة|الاختيار))',
    says: '(?:و|ف)?(?:أكدت?|كتبت?|قالت?|ذكرت?|صرحت?|بحسب|وفقا ل|أقرت?)',
    candidate:
      'هذا (?:المرشح|المتقدم|الجواب)|هذه (?:المرشحة|المتقدمة|الإجابة)|(?:المرشح|المرشحة|المتقدم) (?:\\w+ )?(?:يستوفي|تستوفي|استوفى|أعطى|قدم)|(?:يستوفي|تستوفي|أستوفي|استوفى|استوفيت) (?:جميع|كل)|كل شيء (?:مؤكد|تم)',
  },
  zh: {
    dismiss: '忽略|无视|忘记|不要理会|忽視|無視',
    rules: '指令|指示|规则|規則|提示词|评分标准|以上',
    assess: '请|請|给我|給我|务必|标记|打分|评为',
    verdict:
      '满分|滿分|最高(?:分|评分|等级|評分)|(?:所有|全部|每)(?:个|一个|項|项)?(?:标准|准则|条件|標準).{0,6}(?:满足|达到|符合|通过|滿足)',
    assessor:
      '(?:评分|评估|面试)(?:员|者|系统|模型|官)(?:您好|你好|请|注意)|你(?:现在)?是.{0,12}(?:评分|评估)(?:员|者|官)',
    witness: '招聘(?:经理|人员|负责人|官)|人事(?:经理|部)|面试官|人力资源|评估员',
    says: '确认|確認|写道|寫道|说|說|表示|指出|认为|证实',
    candidate:
      '(?:这|该|此)(?:位|名|个)?(?:候选人|应聘者|求职者|回答)|(?:候选人|应聘者).{0,6}(?:满足|符合|达到|给出)|一切(?:都)?(?:已)?(?:确认|得到)',
  },
  ko: {
    dismiss: '무시하|무시해|잊어',
    rules: '지시|규칙|기준|프롬프트|명령',
    assess: '주세요|주십시오|하세요|하십시오|해줘|부탁',
    verdict: '만점|최고 ?(?:점|점수|등급|평가)|(?:모든|전체|각) ?(?:기준|항목).{0,8}(?:충족|만족|예)',
    assessor: '(?:채점|평가)(?:자|관|위원) ?(?:님|께|에게)|당신은.{0,12}(?:채점|평가)(?:자|관)',
    witness: '채용 ?(?:담당자|관리자|매니저|책임자)|인사 ?(?:담당자|팀|부)|면접관|평가자',
    says: '확인했|확인하|썼|적었|말했|밝혔|인정했|따르면',
    candidate: '이 (?:지원자|후보자|답변)|(?:지원자|후보자)(?:는|가).{0,20}(?:충족|만족|제시)|모두 확인',
  },
};
