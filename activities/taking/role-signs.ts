import type { LanguageCode } from '../../db/platform/vocabulary';

/**
 * Signs that a person whom the AI plays leaves the role, for each language (docs/taking.md#role-plays). `stage` has words of
 * the stage behind the role: the AI, its prompt, the rubric, scores, the role-play itself. `verdict` has words that praise or
 * correct an answer. `~` stands for any ending of a word.
 */
const signs: Record<LanguageCode, { stage: string; verdict: string }> = {
  en: {
    stage: String.raw`ai|artificial intelligence|language model|chat ?bot|(?:virtual|digital) assistant|(?:system|my|the|this) prompt|(?:my|these|system|the following) instructions|i was (?:instructed|told|programmed) to|as instructed|programmed|rubric~|criteri~|scor(?:e|es|ed|ing)|\d+ points|\d+ out of (?:5|10|100)|\d+ ?/ ?(?:5|10|100)|grade~|rating|pass mark|role[- ]?play~|simulation|(?:out of|in|my|this|break|the) character|training exercise|pretending`,
    verdict: String.raw`(?:good|great|excellent|perfect|strong|nice|wonderful|fantastic|brilliant|amazing|solid|impressive|superb|outstanding|terrific) (?:answer|response|reply|question|point|job|work|approach|explanation|start|one|suggestion|apology)|well (?:done|said|put|handled|explained)|bravo|congratulations|impress~|you (?:did|are doing|'re doing|handled (?:it|that|this)) (?:so |very |really |quite )?(?:well|great|perfectly|an? (?:great|good|nice|excellent) job)|keep (?:it|this) up|proud of you|(?:the )?(?:right|correct|better|best|ideal|model) (?:answer|response|reply|way)|you (?:should|could) have (?:said|answered|replied|responded|asked|apologi[sz]ed|started|mentioned|acknowledged)|next time,? (?:try|say|start|you (?:could|should|might))|feedback|your (?:answer|response) (?:was|is)|try to be more|that (?:is|was) (?:the right|correct|incorrect)|that's (?:correct|incorrect)`,
  },
  de: {
    stage: String.raw`künstliche~ intelligenz|sprachmodell~|chatbot~|assistenzsystem|(?:virtuell|digital)~ assistent~|(?:system)?prompt~|anweisungen|bewertungsraster~|bewertungskriteri~|kriteri~|punktzahl~|\d+ (?:von \d+ )?punkt~|benotung|noten?|bewertung~|rollenspiel~|simulation|meine~ rolle`,
    verdict: String.raw`(?:gut|toll|super|sehr gut|hervorragend|ausgezeichnet|perfekt|klasse|stark|prima|großartig|schön)~ (?:antwort|frage|punkt|arbeit|ansatz|erklärung|leistung|einstieg|vorschlag|idee)|gut (?:gemacht|gesagt|erklärt|gelöst)|bravo|glückwunsch|beeindruck~|weiter so|gute leistung|(?:richtige|bessere|beste|korrekte|ideale) antwort|(?:hätten sie|sie hätten|hättest du|du hättest)[^.!?]{0,60}(?:sagen|antworten|fragen|entschuldigen) (?:sollen|können|müssen)|feedback|rückmeldung|(?:ihre|deine) antwort (?:war|ist)`,
  },
  fr: {
    stage: String.raw`intelligence artificielle|modèle de langage|chatbot|assistant virtuel|prompt~|(?:mes|ces|les) (?:instructions|consignes)|grille d['’]évaluation|critères?|score~|\d+ points?|\d+ sur \d+|jeu de rôle|simulation|mon personnage|mon rôle`,
    verdict: String.raw`(?:bonne|très bonne|excellente|parfaite|belle) (?:réponse|question|remarque|approche|explication|idée)|(?:bon|excellent|beau) (?:travail|point|début)|bien (?:joué|dit|répondu)|bravo|félicitations|impressionn~|continuez comme ça|(?:bonne|meilleure) réponse (?:est|était|serait|aurait)|(?:vous auriez|tu aurais) (?:dû|pu)[^.!?]{0,30}(?:dire|répondre|demander|excuser)|votre réponse (?:est|était)|retour sur votre`,
  },
  es: {
    stage: String.raw`inteligencia artificial|modelo de lenguaje|chatbot|asistente virtual|prompt~|(?:mis|estas|las) instrucciones|rúbrica~|criterios?|puntuación|\d+ puntos|\d+ (?:de|sobre) \d+|calificación|juego de roles?|simulación|mi personaje|mi papel`,
    verdict: String.raw`(?:buena|muy buena|excelente|gran|perfecta) (?:respuesta|pregunta|observación|explicación|idea)|(?:buen|excelente|gran) (?:trabajo|punto|comienzo)|bien (?:hecho|dicho|respondido)|bravo|felicidades|enhorabuena|impresiona~|siga así|sigue así|respuesta correcta|mejor respuesta|(?:deberías?|debería|podría|podrías) haber (?:dicho|respondido|contestado|preguntado)|(?:su|tu) respuesta (?:fue|es|ha sido)|retroalimentación`,
  },
  it: {
    stage: String.raw`intelligenza artificiale|modello linguistico|chatbot|assistente virtuale|prompt~|(?:mie|queste|le) istruzioni|rubrica|griglia di valutazione|criteri~|punteggio|\d+ punti|\d+ su \d+|gioco di ruolo|simulazione|mio personaggio|mio ruolo`,
    verdict: String.raw`(?:buona|ottima|ottimo|eccellente|bella|perfetta) (?:risposta|domanda|osservazione|spiegazione|idea|lavoro|punto|inizio)|ottimo (?:lavoro|punto)|ben (?:fatto|detto)|brav[oa]|complimenti|congratulazioni|impression~|continui così|continua così|risposta (?:giusta|corretta|migliore)|(?:avrebbe|avresti) (?:dovuto|potuto) (?:dire|rispondere|chiedere)|(?:sua|tua) risposta (?:è|era)`,
  },
  pt: {
    stage: String.raw`inteligência artificial|modelo de linguagem|chatbot|assistente virtual|prompt~|(?:minhas|estas|as) instruções|rubrica~|critérios?|pontuação|\d+ pontos|\d+ (?:em|de) \d+|classificação|jogo de papéis|simulação|minha personagem|meu papel`,
    verdict: String.raw`(?:boa|muito boa|excelente|ótima|perfeita) (?:resposta|pergunta|observação|explicação|ideia)|(?:bom|excelente|ótimo) (?:trabalho|ponto|começo)|bem (?:dito|respondido|feito)|bravo|parabéns|impression~|continue assim|resposta (?:certa|correta)|melhor resposta|(?:deveria|devia|poderia|podia) ter (?:dito|respondido|perguntado)|sua resposta (?:foi|é|está)`,
  },
  br: {
    stage: String.raw`inteligência artificial|modelo de linguagem|chatbot|assistente virtual|prompt~|(?:minhas|estas|essas|as) instruções|rubrica~|critérios?|pontuação|\d+ pontos|\d+ (?:em|de) \d+|nota \d+|simulação|meu personagem|meu papel`,
    verdict: String.raw`(?:boa|muito boa|excelente|ótima|perfeita) (?:resposta|pergunta|observação|explicação|ideia)|(?:bom|excelente|ótimo) (?:trabalho|ponto|começo)|mandou bem|bem (?:dito|respondido|feito)|bravo|parabéns|impression~|continue assim|resposta (?:certa|correta)|melhor resposta|(?:deveria|devia|poderia|podia) ter (?:dito|respondido|perguntado)|sua resposta (?:foi|é|está)`,
  },
  nl: {
    stage: String.raw`kunstmatige intelligentie|taalmodel~|chatbot~|(?:virtuele|digitale) assistent|prompt~|(?:mijn|deze|de) instructies|beoordelingscriteri~|criteri~|score~|\d+ punten|\d+ van de \d+|cijfer~|rollenspel~|simulatie|mijn (?:rol|personage)`,
    verdict: String.raw`(?:goed|goede|sterk|sterke|uitstekend|uitstekende|prima|mooi|mooie|perfect|perfecte) (?:antwoord|vraag|punt|werk|aanpak|uitleg|begin|idee)|goed (?:gedaan|gezegd|uitgelegd)|bravo|gefeliciteerd|indrukwekkend|onder de indruk|ga zo door|(?:juiste|beste|betere) antwoord|(?:had je|had u|je had|u had)[^.!?]{0,30}(?:moeten|kunnen) (?:zeggen|antwoorden|vragen)|feedback|(?:uw|je|jouw) antwoord (?:was|is)`,
  },
  da: {
    stage: String.raw`kunstig intelligens|sprogmodel~|chatbot~|(?:virtuel|digital) assistent|prompt~|(?:mine|disse) instruk~|kriteri~|score~|\d+ point|\d+ ud af \d+|karakter~|rollespil~|simulering|min (?:rolle|rollefigur)`,
    verdict: String.raw`(?:godt|flot|stærkt|fremragende|perfekt|fint) (?:svar|spørgsmål|arbejde|punkt|forklaret|sagt|klaret|gået)|god (?:pointe|forklaring|idé|start)|bravo|tillykke|imponer~|(?:rigtige|bedste|bedre) svar|(?:skulle|kunne|burde) have (?:sagt|svaret|spurgt)|feedback|(?:dit|deres) svar (?:var|er)`,
  },
  no: {
    stage: String.raw`kunstig intelligens|språkmodell~|chatbot~|samtalerobot|(?:virtuell|digital) assistent|prompt~|(?:mine|disse) instruk~|kriteri~|poengsum|score~|\d+ poeng|\d+ av \d+|karakter~|rollespill~|simulering|min (?:rolle|rollefigur)|rollen min`,
    verdict: String.raw`(?:godt|flott|sterkt|utmerket|perfekt|fint|bra) (?:svar|spørsmål|arbeid|poeng|forklart|sagt|jobbet|jobba|gjort)|god (?:forklaring|idé|start)|bravo|gratulerer|impone~|fortsett slik|(?:riktige|beste|bedre) svar~|(?:skulle|kunne|burde) (?:ha )?(?:sagt|svart|spurt)|tilbakemelding|(?:svaret ditt|ditt svar|svaret deres) (?:var|er)`,
  },
  sv: {
    stage: String.raw`artificiell intelligens|språkmodell~|chattbot~|chatbot~|(?:virtuell|digital) assistent|prompt~|(?:mina|dessa) instruktioner|kriteri~|poängsumma|\d+ poäng|\d+ av \d+|betyg~|rollspel~|simulering|min (?:roll|rollfigur|karaktär)`,
    verdict: String.raw`(?:bra|utmärkt|starkt|perfekt|fint|jättebra) (?:svar|fråga|jobbat|jobb|poäng|förklarat|sagt|gjort|början)|bravo|grattis|impone~|fortsätt så|(?:rätta|rätt|bästa|bättre) svar~|(?:skulle|kunde|borde) ha (?:sagt|svarat|frågat)|återkoppling|(?:ditt|ert) svar (?:var|är)`,
  },
  fi: {
    stage: String.raw`tekoäly~|kielimalli~|chatbot~|(?:virtuaali|teko)~avustaja~|kehot(?:e|tee)~|ohjee~ni|kriteer~|arvioin~|pistemäär~|\d+ pistet~|roolipeli~|roolileik~|simulaatio~|roolihahmo~|hahmoni`,
    verdict: String.raw`(?:hyvä|hyvää|erinomainen|loistava|mahtava|täydellinen|vahva) (?:vastaus|kysymys|huomio|työ|työtä|selitys|alku|idea)|hyvin (?:tehty|sanottu|vastattu|hoidettu)|bravo|onneksi olkoon|vaikutt~ minuun|vaikuttavaa|jatka samaan malliin|(?:oikea|parempi|paras) vastaus~|olisi~ (?:pitänyt|voinut|kannattanut) (?:sanoa|vastata|kysyä)|palaut(?:e|tee)~|vastauk~si (?:oli|on)`,
  },
  pl: {
    stage: String.raw`sztuczn~ inteligencj~|model~ językow~|chatbot~|(?:wirtualn|cyfrow)~ asystent~|prompt~|(?:moje|te) instrukcj~|instrukcj~ systemow~|kryteri~|punktacj~|\d+ punkt~|\d+ na \d+|ocen[aęy]|odgrywan~ ról|symulacj~|moj~ (?:rol|postać)~`,
    verdict: String.raw`(?:dobra|świetna|doskonała|znakomita|bardzo dobra|świetne|dobre) (?:odpowiedź|uwaga|robota|praca|wyjaśnienie|pytanie|początek|pomysł)|dobrze (?:powiedziane|zrobione|wyjaśnione)|brawo|gratul~|imponuj~|tak trzymać|(?:prawidłow|poprawn|najlepsz|lepsz)~ odpowied~|powin(?:ien|na|ieneś|naś)[^.!?]{0,30}(?:powiedzieć|odpowiedzieć|zapytać)|informacj~ zwrotn~|(?:pana|pani|twoja) odpowiedź (?:była|jest)`,
  },
  cs: {
    stage: String.raw`uměl~ inteligenc~|jazykov~ model~|chatbot~|(?:virtuáln|digitáln)~ asistent~|prompt~|(?:moje|mé|tyto) (?:instrukce|pokyny)|kritéri~|bodové hodnocení|skóre|\d+ bod~|\d+ z \d+|hran~ rolí|simulac~|moj~ (?:role|postav)~`,
    verdict: String.raw`(?:dobrá|skvělá|výborná|vynikající|dobře|skvělé|dobré) (?:odpověď|otázka|práce|poznámka|vysvětlení|řečeno|začátek|nápad|odpovězeno)|výborně|bravo|gratul~|působiv~|jen tak dál|(?:správn|nejlepší|lepší)~ odpověď|(?:měl|měla|mohl|mohla) jste (?:říct|říci|odpovědět|se zeptat)|zpětn~ vazb~|(?:vaše|tvoje|tvá) odpověď (?:byla|je)`,
  },
  sk: {
    stage: String.raw`umel~ inteligenci~|jazykov~ model~|chatbot~|(?:virtuáln|digitáln)~ asistent~|prompt~|(?:moje|tieto) (?:inštrukcie|pokyny)|kritéri~|bodové hodnotenie|skóre|\d+ bod~|\d+ z \d+|hran~ rol~|simuláci~|moj~ (?:rola|postav)~`,
    verdict: String.raw`(?:dobrá|skvelá|výborná|vynikajúca|dobre|skvelé|dobré) (?:odpoveď|otázka|práca|poznámka|vysvetlenie|povedané|začiatok|nápad)|výborne|bravo|gratul~|pôsobiv~|len tak ďalej|(?:správn|najlepši|lepši)~ odpoveď|(?:mali|mohli) ste (?:povedať|odpovedať|sa opýtať)|spätn~ väzb~|(?:vaša|tvoja) odpoveď (?:bola|je)`,
  },
  hr: {
    stage: String.raw`umjetn~ inteligencij~|jezičn~ model~|chatbot~|(?:virtualn|digitaln)~ (?:asistent|pomoćni)~|prompt~|(?:moje|ove) (?:upute|instrukcije)|kriterij~|bodovanj~|\d+ bodov~|\d+ od \d+|ocjen[aue]|igr~ uloga|simulacij~|moj~ (?:ulog|lik)~`,
    verdict: String.raw`(?:dobar|odličan|izvrstan|dobra|odlična|izvrsna|sjajan|sjajno) (?:odgovor|pitanje|posao|primjedba|objašnjenje|početak|ideja)|dobro (?:rečeno|odrađeno|objašnjeno)|bravo|čestit~|impresivn~|samo tako naprijed|(?:točan|ispravan|najbolji|bolji) odgovor|(?:trebali|mogli) ste (?:reći|odgovoriti|pitati)|povratn~ informacij~|(?:vaš|tvoj) odgovor (?:je|bio)`,
  },
  hu: {
    stage: String.raw`mesterséges intelligenci~|nyelvi modell~|chatbot~|(?:virtuális|digitális) asszisztens~|prompt~|utasítás~|szempontrendszer~|értékelés~|kritérium~|pontszám~|\d+ pont~|szerepjáték~|szimuláci~|szerepem~|karakterem~`,
    verdict: String.raw`(?:jó|nagyon jó|remek|kiváló|nagyszerű|tökéletes) (?:válasz|kérdés|munka|meglátás|magyarázat|kezdés|ötlet)~|(?:jól|szépen) (?:mondta|csinálta|válaszolt|megoldotta)~|bravó|gratulál~|lenyűgöz~|csak így tovább|(?:helyes|jobb|legjobb) válasz~|(?:mondania|válaszolnia|kérdeznie) (?:kellett|lehetett) volna|visszajelzés~|a válasza`,
  },
  ro: {
    stage: String.raw`inteligenț~ artificial~|model~ (?:de limbaj|lingvistic)~|chatbot~|asistent~ virtual~|prompt~|instrucțiunile~ ?~|instrucțiuni~|criteri~|punctaj~|scorul~|\d+ (?:de )?puncte|\d+ din \d+|joc~ de rol~|simular~|personajul~ meu|rolul~ meu`,
    verdict: String.raw`(?:bun|foarte bun|excelent|grozav|perfect)~ (?:răspuns|întrebare|observație|muncă|treabă|explicație|început|idee)|(?:răspuns|întrebare|treabă|explicație|idee|observație) (?:bun|excelent|grozav|perfect)~|bine (?:zis|spus|făcut)|bravo|felicit~|impresion~|ține-o tot așa|răspuns~ (?:corect|mai bun)~|(?:ar fi|ați fi|ai fi) (?:trebuit|putut) să (?:spui|spuneți|răspunzi|răspundeți)|feedback|răspunsul (?:dumneavoastră|tău) (?:a fost|este)`,
  },
  bg: {
    stage: String.raw`изкуствен~ интелект|езиков~ модел~|чатбот~|виртуал~ асистент~|промпт~|инструкци~|критери~|точкуван~|\d+ точк~|\d+ от \d+|оценк~|ролев~ игра|симулаци~|мо~ (?:роля|персонаж)~|ролята ми`,
    verdict: String.raw`(?:добър|чудесен|отличен|страхотен|добра|чудесна|отлична|страхотна) (?:отговор|въпрос|работа|забележка|обяснение|начало|идея)|(?:добре|отлично) (?:казано|свършено|обяснено)|браво|поздравлени~|впечатл~|продължавайте така|(?:правилн|верн|най-добр|по-добър)~ отговор|(?:трябваше|можехте) да (?:кажете|отговорите|попитате)|обратна връзка|отговорът ви`,
  },
  ru: {
    stage: String.raw`искусственн~ интеллект~|языков~ модел~|чат-?бот~|нейросет~|виртуальн~ (?:ассистент|помощник)~|промпт~|(?:мои|мне|эти) инструкци~|инструкци~|критери~|балл(?:ы|ов|а|ами)?|\d+ из \d+|оценк~|оцениван~|ролев~ игр~|симуляци~|мо~ (?:роль|персонаж)~`,
    verdict: String.raw`(?:хороший|отличный|прекрасный|замечательный|хорошая|отличная|прекрасная) (?:ответ|вопрос|работа|замечание|объяснение|начало|идея|мысль)|(?:хорошо|отлично|здорово) (?:сказано|сделано|сказали|справились|ответили)|молод(?:ец|цы)|браво|поздравля~|впечатл~|так держать|(?:правильн|верн|лучш)~ ответ~|(?:следовало|стоило|нужно было|надо было) (?:сказать|ответить|спросить)|обратн~ связ~|ваш ответ (?:был|хорош|неверн|правильн|слишком)~`,
  },
  uk: {
    stage: String.raw`штучн~ інтелект~|мовн~ модел~|чат-?бот~|нейромереж~|віртуальн~ (?:асистент|помічник)~|промпт~|інструкці~|критері~|бал(?:и|ів|ами|ах)?|\d+ (?:із|з) \d+|оцінк~|оцінюван~|рольов~ гр~|симуляці~|мо~ (?:роль|персонаж)~`,
    verdict: String.raw`(?:гарна|чудова|відмінна|прекрасна|хороша|добра|гарне|чудове|гарний|чудовий) (?:відповідь|запитання|питання|робота|думка|пояснення|початок|ідея|зауваження)|(?:добре|чудово|гарно) (?:сказано|зроблено|впоралися|відповіли)|молод(?:ець|ці)|браво|вітаю з|вражен~|вража~|так тримати|(?:правильн|найкращ|кращ)~ відповід~|(?:слід було|варто було|треба було) (?:сказати|відповісти|запитати)|зворотн~ зв~|ваша відповідь (?:була|є|гарна|неправильна|занадто)`,
  },
  el: {
    stage: String.raw`τεχνητή~ νοημοσύνη~|γλωσσικό~ μοντέλο~|chatbot~|ψηφιακ~ βοηθ~|εικονικ~ βοηθ~|prompt~|(?:οι|τις) οδηγίες μου|κριτήρι~|βαθμολογ~|\d+ (?:βαθμ|πόντ)~|παιχνίδι~ ρόλων|προσομοίωση~|ρόλο~ μου|χαρακτήρα~ μου`,
    verdict: String.raw`(?:καλή|πολύ καλή|εξαιρετική|τέλεια|καλό|εξαιρετικό) (?:απάντηση|ερώτηση|δουλειά|παρατήρηση|εξήγηση|αρχή|ιδέα|σημείο)|μπράβο|συγχαρητήρια|εντυπωσιακ~|εντυπωσιάστηκα|συνεχίστε έτσι|(?:σωστή|καλύτερη) απάντηση|θα έπρεπε να (?:είχατε|είχες|πείτε)|ανατροφοδότηση|η απάντησή σ~ (?:ήταν|είναι)`,
  },
  tr: {
    stage: String.raw`yapay zek[aâ]~|dil modeli~|sohbet robotu~|chatbot~|sanal asistan~|prompt~|talimatlarım~|bu talimatlar~|değerlendirme ölçüt~|kriter~|ölçüt~|puan~|\d+ üzerinden|rol oyunu~|canlandırma~|simülasyon~|rolüm~|karakterim~`,
    verdict: String.raw`(?:iyi|çok iyi|güzel|harika|mükemmel|süper) (?:bir )?(?:cevap|yanıt|soru|iş|nokta|açıklama|başlangıç|fikir)~|aferin|bravo|tebrik~|etkileyici|etkilendim|böyle devam|(?:doğru|daha iyi|en iyi) (?:cevap|yanıt)~|(?:demeliydi|söylemeliydi|yapmalıydı|diyebilirdi|söyleyebilirdi)~|geri bildirim~|(?:cevabınız|yanıtınız|cevabın|yanıtın)`,
  },
  ar: {
    stage: String.raw`~ذكاء (?:ال)?اصطناعي~|نموذج لغوي|نموذج لغة|روبوت (?:محادثة|دردشة)|مساعد (?:افتراضي|رقمي|ذكي)|~تعليماتي|تعليمات النظام|~معايير|معيار التقييم|~تقييم~|\d+ (?:نقاط|نقطة|درجات|درجة)|\d+ من \d+|درجتك|لعب (?:ال)?أدوار|~محاكاة|دوري هنا|شخصيتي`,
    verdict: String.raw`(?:إجابة|جواب|سؤال|عمل|ملاحظة|شرح|فكرة|بداية|نقطة) (?:جيد|ممتاز|رائع|مثالي|موفق)~|أحسنت~|برافو|تهاني~|مبروك|أعجبتني إجابت~|مثير للإعجاب|استمر (?:هكذا|على هذا)|(?:الإجابة|الجواب) (?:الصحيح|الأفضل)~|كان (?:عليك|عليكم|يجب|ينبغي|يمكنك)[^.!؟]{0,20}(?:تقول|القول|تجيب|تجيبوا)|إجابتك(?:م)? (?:كانت|جيدة|ممتازة)`,
  },
  hi: {
    stage: String.raw`एआई|कृत्रिम बुद्धिमत्ता|भाषा मॉडल|चैटबॉट|(?:वर्चुअल|डिजिटल) (?:असिस्टेंट|सहायक)|प्रॉम्प्ट|(?:मेरे|ये) निर्देश~|मानदंड~|मापदंड~|स्कोर|\d+ (?:अंक|में से|नंबर)|मूल्यांकन|रोल[- ]?प्ले|सिमुलेशन|मेर[ाी] (?:किरदार|भूमिका)`,
    verdict: String.raw`(?:अच्छा|बहुत अच्छा|बढ़िया|शानदार|उत्कृष्ट|बेहतरीन) (?:जवाब|उत्तर|सवाल|प्रश्न|काम|सुझाव|विचार)|शाबाश|बहुत खूब|वाह|बधाई|प्रभावित|ऐसे ही (?:करते|जारी)|(?:सही|बेहतर|सर्वोत्तम) (?:जवाब|उत्तर)|(?:कहना|बोलना|जवाब देना) चाहिए था|फ़?ीडबैक|आपका (?:जवाब|उत्तर)`,
  },
  ta: {
    stage: String.raw`செயற்கை நுண்ணறிவு~|மொழி மாதிரி~|சாட்பாட்~|அரட்டை இயலி~|மெய்நிகர் உதவியாளர்~|ஏஐ|ப்ராம்ப்ட்~|என் அறிவுறுத்தல்~|அளவுகோல்~|மதிப்பெண்~|மதிப்பீடு~|\d+ புள்ளி~|பாத்திர நடிப்பு~|என் (?:பாத்திரம்|கதாபாத்திரம்)~|உருவகப்படுத்துதல்~`,
    verdict: String.raw`(?:நல்ல|மிக நல்ல|சிறந்த|அருமையான|அற்புதமான) (?:பதில்|கேள்வி|வேலை|யோசனை|விளக்கம்)~|சபாஷ்|பாராட்டு~|வாழ்த்துக~|(?:சரியான|மேலும் நல்ல) பதில்~|சொல்லியிருக்க ?~|பின்னூட்டம்~|உங்கள் பதில் (?:நன்றாக|சிறப்பாக|சரியாக)~`,
  },
  id: {
    stage: String.raw`kecerdasan buatan|model bahasa|chatbot|asisten (?:virtual|digital)|prompt~|instruksi (?:saya|sistem|ini)|rubrik|kriteria~|skor~|nilai (?:anda|kamu)|\d+ poin|\d+ dari \d+|permainan peran|bermain peran|simulasi|(?:karakter|peran) saya`,
    verdict: String.raw`(?:jawaban|pertanyaan|kerja|poin|penjelasan|ide|awal) (?:yang )?(?:bagus|baik|hebat|sempurna|luar biasa|sangat bagus|sangat baik)|kerja bagus|bagus sekali|bravo|selamat ya|mengesankan|terkesan|jawaban (?:yang )?(?:benar|tepat|lebih baik|terbaik)|(?:seharusnya|sebaiknya) (?:anda|kamu) (?:berkata|mengatakan|menjawab|bilang)|umpan balik|jawaban (?:anda|kamu) (?:sudah|tadi|itu|kurang)`,
  },
  ms: {
    stage: String.raw`kecerdasan buatan|model bahasa|chatbot|pembantu (?:maya|digital)|prompt~|arahan (?:saya|sistem|ini)|rubrik|kriteria~|skor~|markah~|\d+ mata|\d+ daripada \d+|main peranan|lakon~|simulasi|(?:watak|peranan) saya`,
    verdict: String.raw`(?:jawapan|soalan|kerja|poin|penjelasan|idea|permulaan) (?:yang )?(?:bagus|baik|hebat|sempurna|cemerlang|sangat bagus|sangat baik)|syabas|bagus sekali|tahniah|mengagumkan|kagum|teruskan usaha|jawapan (?:yang )?(?:betul|tepat|lebih baik|terbaik)|(?:sepatutnya|sebaiknya) (?:anda|awak) (?:berkata|menjawab|cakap)|maklum balas|jawapan (?:anda|awak) (?:sudah|tadi|itu|kurang)`,
  },
  fil: {
    stage: String.raw`artipisyal na intelihensiya|language model|chatbot|virtual assistant|prompt~|(?:mga )?tagubilin ko|(?:aking|mga) tagubilin|rubrik~|rubric~|pamantayan~|iskor~|marka~|\d+ (?:puntos|sa \d+)|role[- ]?play~|simulasyon|(?:karakter|papel) ko|aking (?:karakter|papel)`,
    verdict: String.raw`(?:magandang?|mahusay na|napakagandang|napakahusay na|perpektong) (?:sagot|tanong|trabaho|punto|paliwanag|ideya|simula)|magaling|mahusay ang|bravo|binabati kita|nakakabilib|humanga|ipagpatuloy mo|(?:tamang|mas mabuting|pinakamahusay na) sagot|dapat (?:ay )?(?:sinabi|sinagot)~|puna ko|ang sagot (?:mo|ninyo) ay`,
  },
  vi: {
    stage: String.raw`trí tuệ nhân tạo|mô hình ngôn ngữ|chatbot|trợ lý (?:ảo|kỹ thuật số|ai)|prompt|(?:chỉ dẫn|hướng dẫn|câu lệnh) (?:của tôi|hệ thống)|tiêu chí|thang điểm|\d+ điểm|\d+ trên \d+|điểm số|chấm điểm|nhập vai|đóng vai|mô phỏng|vai (?:diễn )?của tôi|nhân vật của tôi`,
    verdict: String.raw`(?:câu trả lời|câu hỏi|ý kiến|lời giải thích|ý tưởng|ý) (?:rất |thật )?(?:hay|tốt|tuyệt|xuất sắc|hoàn hảo)|làm (?:rất )?tốt lắm|tốt lắm|giỏi lắm|hoan hô|chúc mừng|ấn tượng|cứ (?:thế|như vậy) phát huy|câu trả lời (?:đúng|tốt hơn|tốt nhất|của bạn|của anh|của chị)|(?:lẽ ra|đáng lẽ)[^.!?]{0,20}(?:nói|trả lời)|phản hồi của tôi`,
  },
  th: {
    stage: String.raw`ปัญญาประดิษฐ์|เอไอ|แบบจำลองภาษา|โมเดลภาษา|แชตบอต|แชทบอท|ผู้ช่วย(?:เสมือน|ดิจิทัล)|พรอมต์|คำสั่ง(?:ของฉัน|ระบบ)|เกณฑ์|คะแนน|บทบาทสมมติ|สวมบทบาท|การจำลอง|ตัวละคร`,
    verdict: String.raw`คำตอบ(?:ที่)?(?:ดี|เยี่ยม|ยอดเยี่ยม|ถูกต้อง)|คำถามที่ดี|ทำได้ดี|ตอบได้ดี|เก่งมาก|เยี่ยมมาก|ยอดเยี่ยม|ขอแสดงความยินดี|น่าประทับใจ|คุณควรจะ(?:พูด|ตอบ)|ข้อเสนอแนะ|คำตอบของคุณ`,
  },
  ja: {
    stage: String.raw`人工知能|言語モデル|チャットボット|アシスタントです|プロンプト|(?:私|システム)[のへ]*(?:指示|命令)|評価(?:基準|項目)|ルーブリック|採点|点数|\d+点|スコア|ロールプレ|シミュレーション|役を演じ|演じて`,
    verdict: String.raw`(?:良い|いい|よい|素晴らしい|すばらしい|素敵な|完璧な|優れた)(?:回答|答え|お答え|質問|ご質問|指摘|説明|対応)|よくできました|お見事|素晴らしいです|すばらしいです|おめでとう|感心し|その調子|正しい(?:答え|回答)|正解|(?:言う|答える|謝る)べきでした|フィードバック|(?:回答|お答え)は(?:良|よ|いい|不十分|正し)`,
  },
  zh: {
    stage: String.raw`人工智能|人工智慧|语言模型|大模型|聊天机器人|(?:虚拟|智能|数字)助[手理]|提示词|(?:我的|系统)(?:指令|指示|提示)|评分|评估|标准答案|评价标准|分数|\d+分(?![钟鐘])|打分|角色扮演|模拟|我的角色|我扮演|扮演`,
    verdict: String.raw`(?:回答|答案|问题|问|说|做|解释|想法|处理)得?(?:很|非常|真|特别)(?:好|棒|出色|到位|精彩)|(?:好|很好|不错|精彩|出色|完美)的(?:回答|答案|问题|想法|建议|解释)|好问题|做得好|干得好|太棒了|真棒|恭喜|印象深刻|继续(?:保持|加油)|正确(?:的)?(?:答案|回答)|更好的(?:回答|答案|说法)|你(?:应该|本该|本可以)(?:说|先|这样)|您(?:应该|本该|本可以)(?:说|先|这样)|反馈|[你您]的回答`,
  },
  ko: {
    stage: String.raw`인공지능|인공 지능|언어 ?모델|챗봇|가상 비서|(?:디지털|ai) 비서|프롬프트|(?:제|내|시스템) ?(?:지시|지침|명령)|평가 ?(?:기준|항목)|루브릭|채점|점수|\d+ ?점|역할극|역할 ?놀이|롤플레이|시뮬레이션|(?:제|내) (?:역할|캐릭터)`,
    verdict: String.raw`(?:좋은|훌륭한|멋진|완벽한|뛰어난) (?:답변|대답|질문|지적|설명|생각|시작)|잘 ?(?:하셨|했|말씀하셨|대답하셨|답하셨)|훌륭합니다|훌륭해요|축하(?:합니다|드립니다|해요)|인상적|감명|계속 그렇게|정답|(?:올바른|더 나은|더 좋은) (?:답|대답|답변)|(?:말씀하셨|말했|대답했)어야|피드백|(?:답변|대답)(?:은|이) (?:좋|훌륭|부족)`,
  },
};

const letter = String.raw`[\p{L}\p{M}\p{N}]`;
/** In these languages, words are not parted by spaces or have endings, so their expressions match anywhere. */
const anywhere: ReadonlySet<string> = new Set(['ja', 'zh', 'ko', 'th']);
/** Returns an expression that matches whole words, unless the language is one of `anywhere`. */
const patternOf = (code: LanguageCode): RegExp => {
  const inside = `${signs[code].stage}|${signs[code].verdict}`.replaceAll('~', String.raw`\S{0,20}?`);
  return new RegExp(anywhere.has(code) ? inside : `(?<!${letter})(?:${inside})(?!${letter})`, 'giu');
};
const patterns = new Map<LanguageCode, RegExp>();
/** Names of AI, and English words of its makers and of trainers, that other languages use too. Names have capital letters. */
const acronyms = new RegExp(
  String.raw`(?<!${letter})(?:AI|A\.I\.|IA|KI|YZ|ИИ|ШІ|LLM|(?:Chat)?GPT)(?!${letter})`,
  'gu',
);
const jargon = new RegExp(
  String.raw`(?<!${letter})(?:language model|chat ?bots?|(?:system )?prompts?|rubrics?|feedback|role[- ]?play)(?!${letter})`,
  'giu',
);

/**
 * Returns true if a line of a person whom the AI plays has a sign of leaving the role (docs/taking.md#role-plays). A
 * word that the employer's own texts contain (`own`) is no sign: a person can sell an AI, or ask for a rating.
 */
export function leavesRole(line: string, language: LanguageCode, own: readonly string[]): boolean {
  const pattern = patterns.get(language) ?? patternOf(language);
  patterns.set(language, pattern);
  // English has "prompt" as an adjective, too.
  const all = [pattern, acronyms, ...(language === 'en' ? [] : [jargon])];
  const signsIn = (text: string): string[] => {
    const read = text.normalize('NFKC').replaceAll(/\s+/gu, ' ');
    return all.flatMap((each) => read.match(each) ?? []).map((sign) => sign.toLowerCase());
  };
  const known = new Set(own.flatMap(signsIn));
  return signsIn(line).some((sign) => !known.has(sign));
}
