import type { TextSpan } from './fold';
import { sentencesOf } from './words';

/*
 * Sentences that say that something was told, and not what: "I gave numbers about how much faster it became", "I explained
 * how the cause was found". Criteria are written in this form ("Gives numbers …", "Explains how …"), so such a sentence
 * repeats a criterion in whatever words, and proves nothing. bench/eval/gold/paraphrases.yaml has examples, and honest
 * sentences that must not match: they tell to whom something was explained, or go on with what was done.
 */

type Signs = {
  /** What tells that something was told. */
  telling: string;
  /** Words for the person who was told. A clause with them is about the work. */
  listener: string;
  /** Where such a clause ends, if not with the sentence. */
  end: string;
};

const discourse =
  '(?:numbers?|figures?|percentages?|amount|quantit(?:y|ies)|values?|examples?|details?|facts|data|evidence|proof|reasons?|causes?|origins?|results?|outcomes?|effects?|impact|lessons?|insights?|measures?|changes?|improvements?|trade-offs?|compromises?|conflicts?|risks?|goals?|purpose|steps?|process|approach|solution)';
const which =
  '(?:\\w+ly )?(?:how|what|why|which|where|when|who|whether|about|on how|in (?:what|which|detail)|the (?:way|manner))\\b';

const signs: Readonly<Record<string, Signs>> = {
  en: {
    telling: `\\bi(?:'ve|'d|'ll|'m)? (?:(?:also|then|now|even|first|finally|clearly|just|really|briefly|openly|already|have|had|can|could|will|would|did|do|am|was|want to|like to|going to|able to) ){0,3}(?:mention(?:ed)?|describ(?:e|ed|ing)|tell about|told about|(?:tell|told|gave|given?|show|shown|showed) you|ma(?:k|d)e (?:it )?clear ${which}|(?:talk|talked|speak|spoke|spoken) (?:about|of)|(?:explain|show|list|outline|report|point|cover|state|stated|name|named|specif(?:y|ied))(?:ed)?(?: out)? (?:${which}|(?:the|an?|my|our|some|all) (?:\\w+ ){0,2}${discourse})|(?:tell|told|shown|say|said|stated?|clarif(?:y|ied)|illustrated?|summari[sz]ed?|specif(?:y|ied)|go into|went into|gone into) (?:${which}|detail)|(?:gave|given?|provided?|presented?|offered|deliver(?:ed)?|quoted?|cited?|included?|added) (?:\\w+ ){0,3}?${discourse})|\\b(?:my|the|this) (?:answer|example|story|description|report) (?:\\w+ly )?(?:contains?|includes?|has|had|gives?|gave|shows?|showed|names?|named|covers?|covered|mentions?|mentioned|describes?|described|explains?|explained)\\b`,
    listener:
      '\\b(?:to|with|told|gave|showed) (?:(?:the|my|our|his|her|their|a|an|all|both|each|every|new|two|three) ){0,3}(?:him|her|them|everybody|everyone|team|group|class|staff|board|customers?|clients?|guests?|buyers?|patients?|pupils?|students?|children|parents?|people|users?|colleagues?|manager|boss|director|suppliers?|doctors?|nurses?|engineers?|developers?|drivers?|trainees?|apprentices?|stakeholders?|shift|crew|family|families|mother|father|owner|audience|police)\\b',
    end: '[,;:–—] (?!(?:how|what|why|that|where|when|who|whether|for example|for instance|such as|as well as|or)\\b)| (?=(?:and|but|so) (?:i|we|he|she|they|it) )| (?=and (?!(?:explain|describ|nam|mention|show|stat|outlin|list|report|cover|talk|present|provid|includ)\\w*)\\w+ed )',
  },
  de: {
    telling:
      '\\bich (?:(?:habe?|hatte|kann|konnte|möchte|werde|will|auch|noch|dann|dabei|dazu|genau|kurz|hier|zudem|außerdem) )*(?:(?!dem |der |ihm |ihr |ihnen |meinem |meiner |meinen |unserem |unserer |unseren |jedem |jeder |allen |einer |frau |herrn |den \\w+n\\b)[^,.;:]{0,120}?\\b(?:beschrieben|geschildert|erklärt|erläutert|dargelegt|genannt|erwähnt|angesprochen|angegeben|angeführt|aufgeführt|aufgezeigt|benannt|(?:darauf|daraufhin|auf \\w+ \\w+) eingegangen|(?:zahlen|beispiele?|gründe|angaben|belege|fakten) [^,.;:]{0,60}?(?:geliefert|gegeben|vorgelegt)|dargestellt|berichtet|erzählt|beschreiben|schildern|erklären|erläutern|nennen|erwähnen)\\b)|\\bich (?:beschr(?:eibe|ieb)|schilder(?:e|te)|erklär(?:e|te)|erläuter(?:e|te)|nenne|nannte|erwähn(?:e|te)|berichte|berichtete|erzähl(?:e|te)) (?:(?:auch|noch|dann|dabei|dazu|genau|kurz|hier|zudem|außerdem|davon) )*(?!dem |der |ihm |ihr |ihnen |meinem |meiner |meinen |unserem |unserer |unseren |jedem |jeder |allen |einer |frau |herrn )|\\b(?:beschr(?:eibe|ieb)|schilder(?:e|te)|erklär(?:e|te)|erläuter(?:e|te)|nenne|nannte|erwähn(?:e|te)|berichte|berichtete|erzähl(?:e|te)) ich\\b|\\bmeine? (?:antwort|beispiel|geschichte|bericht) (?:enthält|nennt|zeigt|beschreibt|erklärt|umfasst|gibt)\\b',
    listener:
      '\\b(?:dem|der|den|ihm|ihr|ihnen|meinem|meiner|meinen|unserem|unserer|unseren|jedem|jeder|allen|frau|herrn) (?:\\w+ )?(?:kund\\w+|team|kolleg\\w+|chef\\w*|leitung|ärzt\\w+|arzt|patient\\w*|bewohner\\w*|angehörigen|eltern|schüler\\w*|kindern?|gast|gästen|mitarbeiter\\w*|lieferant\\w*|auszubildend\\w*|ihnen)\\b|\\bim (?:ticket|team)\\b',
    end: '[,;:–—] (?!(?:wie|was|warum|weshalb|wieso|wer|wen|wem|wo|wann|ob|dass|welche\\w*|womit|wodurch|(?:auf|in) welche\\w*|der|die|das|den|zum beispiel|etwa|und (?:davon|wie|was))\\b)',
  },
  es: {
    telling:
      '(?<!\\b(?:le|les|te|os) )\\b(?:(?:he|había|puedo|quiero|también|ya) )*(?:contad?o|conté|contar|explicado|expliqué|explico|explicar|descrito|describí|describo|describir|mencionado|mencioné|menciono|mencionar|nombrado|nombré|nombro|hablado de|hablé (?:de|sobre)|hablo de|indicado|indiqué|señalado|señalé|detallado|detallé|expuesto|expuse|(?:dado|di|doy|aportado|aporté|presentado|presenté) (?:\\w+ ){0,2}?(?:números|cifras|datos|ejemplos|detalles|porcentajes|razones|resultados))\\b|\\bmi (?:respuesta|ejemplo|historia) (?:contiene|incluye|muestra|explica|describe|menciona|da)\\b',
    listener:
      '\\b(?:al|a la|a los|a las|a mi|a mis|a su|a nuestro|a nuestra|a cada|a todos) (?:\\w+ )?(?:client\\w+|equipo|jef\\w+|colega\\w*|compañer\\w+|cociner\\w+|alumn\\w+|padres|paciente\\w*|personal|proveedor\\w*|todos)\\b',
    end: '[,;:–—] (?!(?:cómo|qué|por qué|que|cuál|quién|dónde|cuándo|cuando|lo que|por ejemplo|como|o)\\b)',
  },
  fr: {
    telling:
      "\\bj(?:'|e )(?:(?:ai|avais|peux|vais|veux|aussi|bien|également|déjà|même) )*(?:décri(?:t|s|re)|expliqu(?:é|e|er)|racont(?:é|e|er)|mentionn(?:é|e|er)|nomm(?:é|e|er)|évoqu(?:é|e|er)|montr(?:é|e|er) (?:comment|pourquoi|ce que|quel\\w*)|parl(?:é|e|er) (?:de|du|des|d')|cit(?:é|e|er)|indiqu(?:é|e|er)|présent(?:é|e|er)|détaill(?:é|e|er)|expos(?:é|e|er)|précis(?:é|e|er)|(?:donn(?:é|e|er)|fourni[rst]?|apport(?:é|e|er)) (?:\\w+ ){0,2}?(?:chiffres|nombres|données|exemples?|détails|raisons?|résultats?))|\\bmon (?:exemple|histoire|récit) (?:contient|montre|explique|décrit|donne)|\\bma réponse (?:contient|montre|explique|décrit|donne)",
    listener:
      '\\b(?:au|aux|à la|à l.|à mon|à ma|à mes|à notre|à nos|à son|à chaque|à tous|leur|lui) ?(?:\\w+ )?(?:client\\w*|équipe|chef\\w*|collègue\\w*|élève\\w*|parent\\w*|patient\\w*|directeur|directrice|fournisseur\\w*|enfant\\w*|apprenti\\w*|tous)\\b|\\b(?:leur|lui) (?:ai|avais)\\b',
    end: '[,;:–—] (?!(?:comment|ce que|ce qui|pourquoi|que|qui|quel\\w*|où|quand|dont|par exemple|comme|ou|de quelle)\\b)',
  },
  tr: {
    telling:
      '\\b(?:anlattım|anlatıyorum|anlatırım|açıkladım|açıklıyorum|bahsettim|bahsediyorum|söz ettim|söz ediyorum|belirttim|belirtiyorum|değindim|dile getirdim|(?:rakam|sayı|örnek|veri|bilgi|ayrıntı)\\w* (?:da |de )?(?:verdim|veriyorum|sundum))',
    listener:
      '\\b(?:müşteri|misafir|ekib|ekip|takım|arkadaş|müdür|yönetici|öğrenci|hasta|çocuk|veli|çalışan|patron|meslektaş)(?:ler|lar)?(?:im|ım|üm|um|imiz|ımız)?(?:ye|ya|e|a|ine|ına|lerine|larına)\\b|\\b(?:ona|onlara|herkese)\\b',
    end: '(?:yorum|r[ıiuü]m|[dt][ıiuü]m)(?:, (?:ve )?| ve )',
  },
  ja: {
    telling:
      '(?:を|について|に|も|は|と)(?:も|は)?(?:具体的に|詳しく|はっきり|[^。、]{0,12}で)?(?:述べ|話し|語り|説明し|示し|挙げ|触れ|言及し|紹介し|伝え|説明いたし|お話しし|お伝えし)(?:ました|ます|ています|た|ておきました|たとおり)',
    listener:
      '(?:お客様|お客さん|顧客|客|上司|部下|後輩|先輩|同僚|新人|社員|店長|部長|課長|患者|生徒|学生|保護者|子ども|チーム|全員|みんな|メンバー|さん)(?:たち)?(?:に|へ)(?!つい)',
    end: '(?!)',
  },
  ar: {
    telling:
      '(?:^|\\s)(?:و|ف|ثم |كما |لقد |وقد |قد )?(?:شرحت|أشرح|وصفت|أصف|ذكرت|أذكر|تحدثت عن|أتحدث عن|أوضحت|أوضح|بينت|أشرت (?:أيضا |أيضًا )?إلى|تكلمت عن|حكيت عن|(?:قدمت|أعطيت|أوردت) (?:\\w+ )?(?:أرقاما?|أرقامًا|أمثلة|مثالا|تفاصيل|بيانات))',
    listener:
      '(?:^|\\s)(?:لل|ل|إلى ال)(?:زبون|زبائن|عميل|عملاء|فريق|مدير|زميل|زملاء|مريض|مرضى|طالب|طلاب|تلاميذ|أهل|ضيف|ضيوف|موظف|موظفين)|(?:^|\\s)(?:له|لها|لهم|لفريقي|لزملائي|لمديري)(?=\\s|$)',
    end: '[,;:–—،؛] (?!(?:كيف|ما|لماذا|التي|الذي|مثل|أو))',
  },
};

/** A longer sentence does not only say that something was told. */
const maxCharacters = 400;
const languages = Object.values(signs).map(({ telling, end }) => ({
  telling: inWords(telling),
  end: inWords(end, 'giu'),
}));
const listener = inWords(
  Object.values(signs)
    .map((language) => language.listener)
    .join('|'),
);

/** Returns the clauses of an answer that only say that something was told. A clause with a figure says more. */
export const findRetellings = (answer: string): TextSpan[] =>
  sentencesOf(answer)
    .filter(({ start, end }) => end - start <= maxCharacters)
    .flatMap((sentence) => {
      const text = answer.slice(sentence.start, sentence.end).replaceAll(/\s/gu, ' ');
      return languages
        .filter(({ telling }) => telling.test(text))
        .flatMap(({ telling, end: clauseEnd }) => {
          const ends = Array.from(text.matchAll(clauseEnd), ({ index, 0: { length } }) => index + length);
          return [0, ...ends]
            .map((start, index) => ({ start, end: ends[index] ?? text.length }))
            .filter(({ start, end }) => {
              const clause = text.slice(start, end);
              return telling.test(clause) && !/\p{N}/u.test(clause) && !listener.test(clause);
            })
            .map(({ start, end }) => ({ start: sentence.start + start, end: sentence.start + end }));
        });
    });

/** Returns the pattern with `\b` and `\w` for the letters of all scripts. By themselves, they know Latin letters only. */
function inWords(pattern: string, flags = 'iu'): RegExp {
  const letter = String.raw`[\p{L}\p{M}\p{N}]`;
  return new RegExp(
    pattern
      .replaceAll(/\\b(?=[|)]|$)/g, `(?!${letter})`)
      .replaceAll(String.raw`\b`, `(?<!${letter})`)
      .replaceAll(String.raw`\w`, letter),
    flags,
  );
}
